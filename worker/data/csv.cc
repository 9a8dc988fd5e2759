// SPDX-License-Identifier: Apache-2.0
#include "worker/data/csv.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/status_macros.h"
#include "worker/data/category_key.h"
#include "worker/data/column_plan.h"
#include "worker/data/csv_scanner.h"
#include "worker/data/row_text.h"

namespace seraph {
namespace {

using Role = ColumnPlan::Role;

// What all files of a data set share.
struct Shared {
  Columns columns;
  CsvSyntax syntax;
  bool header = false;
  std::string comment;
  absl::flat_hash_set<std::string> missing;
  LabelLists labels;
  absl::flat_hash_map<std::string, float> label_of;  // Where labels are texts.

  bool IsMissing(absl::string_view field) const {
    return field.empty() || (!missing.empty() && missing.contains(field));
  }
};

absl::StatusOr<std::vector<std::string>> Cut(const CsvSyntax& syntax, absl::string_view record) {
  std::vector<std::string> fields;
  CsvScanner scanner(syntax, record);
  absl::string_view field;
  while (true) {
    ASSIGN_OR_RETURN(const bool more, scanner.Next(&field));
    if (!more) return fields;
    fields.emplace_back(field);
  }
}

class CsvFormat : public RowFormat {
 public:
  // `plan` is that of the file it is bound to.
  CsvFormat(std::shared_ptr<const Shared> shared, std::optional<ColumnPlan> plan)
      : shared_(std::move(shared)), plan_(std::move(plan)) {}

  bool GoesOn(absl::string_view line, bool inside) const override {
    return !(!inside && IsComment(line)) && EndsInQuotes(shared_->syntax, line, inside);
  }

  bool IsRow(absl::string_view record) const override {
    if (IsComment(record)) return false;
    for (size_t i = 0; i < record.size(); ++i) {
      const bool line_end = record[i] == '\r' && i + 1 == record.size();
      if (!line_end && !shared_->syntax.IsBlank(record[i])) return true;
    }
    return false;
  }

  bool has_header() const override { return shared_->header; }

  absl::StatusOr<std::unique_ptr<RowFormat>> BindTo(absl::string_view first) const override {
    ASSIGN_OR_RETURN(std::vector<std::string> fields, Cut(shared_->syntax, first));
    const size_t width = fields.size();
    if (!shared_->header) fields.clear();
    ASSIGN_OR_RETURN(ColumnPlan plan, PlanColumns(shared_->columns, width, fields));
    return std::make_unique<CsvFormat>(shared_, std::move(plan));
  }

  absl::Status Parse(absl::string_view record, Row* row) const override {
    RETURN_IF_ERROR(ParseEntries(record, row));
    return NormaliseRow("column", 0, row);
  }

  absl::Status ParseEntries(absl::string_view record, Row* row) const override {
    ClearRow(row);
    if (!IsRow(record)) return absl::InvalidArgumentError("the line holds no row");
    if (!plan_.has_value()) {
      if (shared_->header) {
        return absl::FailedPreconditionError("parse a row before the file's header was read");
      }
      ASSIGN_OR_RETURN(const std::unique_ptr<RowFormat> bound, BindTo(record));
      return bound->ParseEntries(record, row);
    }
    return ParseFields(record, row);
  }

 private:
  bool IsComment(absl::string_view record) const {
    return !shared_->comment.empty() && absl::StartsWith(record, shared_->comment);
  }

  // A wrong number of columns is reported before a wrong value, which may well come of it.
  absl::Status ParseFields(absl::string_view record, Row* row) const {
    CsvScanner scanner(shared_->syntax, record);
    absl::string_view field;
    size_t count = 0;
    absl::Status wrong;
    for (;; ++count) {
      ASSIGN_OR_RETURN(const bool more, scanner.Next(&field));
      if (!more) break;
      if (count < plan_->columns.size() && wrong.ok()) wrong = ParseField(count, field, row);
    }
    if (count != plan_->columns.size()) {
      return absl::InvalidArgumentError(absl::StrCat("the row has ", count, " columns, the ",
                                                     shared_->header ? "header" : "first row",
                                                     " has ", plan_->columns.size()));
    }
    return wrong;
  }

  absl::Status ParseField(size_t at, absl::string_view field, Row* row) const {
    const ColumnPlan::Column& column = plan_->columns[at];
    switch (column.role) {
      case Role::kUnused:
        return absl::OkStatus();
      case Role::kLabel:
        if (shared_->IsMissing(field)) return Missing("label", at);
        return ParseLabel(absl::StripAsciiWhitespace(field), &row->label);
      case Role::kWeight:
        if (shared_->IsMissing(field)) return Missing("weight", at);
        return ParseWeight(absl::StripAsciiWhitespace(field), &row->weight);
      case Role::kNumeric:
        return ParseNumber(at, field, row);
      case Role::kCategorical:
        if (!shared_->IsMissing(field)) {
          Add(column.position, CategoryKey(column.position, field), 1, row);
        }
        return absl::OkStatus();
    }
    return absl::OkStatus();
  }

  absl::Status ParseLabel(absl::string_view text, float* label) const {
    if (shared_->label_of.empty()) return ParseFloat("label", text, label);
    const auto found = shared_->label_of.find(text);
    if (found == shared_->label_of.end()) return NoSuchLabel(text);
    *label = found->second;
    return absl::OkStatus();
  }

  absl::Status NoSuchLabel(absl::string_view text) const {
    const auto quoted = [](std::string* out, const std::string& label) { *out += Excerpt(label); };
    return absl::InvalidArgumentError(
        absl::StrCat("label ", Excerpt(text), " is neither positive (",
                     absl::StrJoin(shared_->labels.positive, ", ", quoted), ") nor negative (",
                     absl::StrJoin(shared_->labels.negative, ", ", quoted), ")"));
  }

  absl::Status ParseNumber(size_t at, absl::string_view field, Row* row) const {
    if (shared_->IsMissing(field)) return absl::OkStatus();
    float value = 0;
    const absl::Status status = ParseFloat("value", absl::StripAsciiWhitespace(field), &value);
    if (!status.ok()) return Annotate(status, plan_->Shown(at));
    const uint32_t position = plan_->columns[at].position;
    Add(position, position, value, row);
    return absl::OkStatus();
  }

  static void Add(uint32_t field, uint64_t key, float value, Row* row) {
    row->keys.push_back(key);
    row->values.push_back(value);
    row->fields.push_back(field);
  }

  absl::Status Missing(absl::string_view what, size_t at) const {
    return absl::InvalidArgumentError(
        absl::StrCat("the ", what, " is missing, in ", plan_->Shown(at)));
  }

  const std::shared_ptr<const Shared> shared_;
  const std::optional<ColumnPlan> plan_;
};

// Characters of numbers and words would cut values in two.
absl::StatusOr<char> OneCharacter(absl::string_view what, absl::string_view text) {
  const bool fits = text.size() == 1 && (text[0] == '\t' || (text[0] >= ' ' && text[0] < '\x7f')) &&
                    !absl::ascii_isalnum(static_cast<unsigned char>(text[0])) && text[0] != '.' &&
                    text[0] != '+' && text[0] != '-';
  if (fits) return text[0];
  return absl::InvalidArgumentError(absl::StrCat(
      what, " is ", Excerpt(text), ", must be one character and not of those of numbers or words"));
}

absl::StatusOr<CsvSyntax> SyntaxOf(const RowFormat::Options& options) {
  const Dialect& dialect = options.dialect;
  CsvSyntax syntax{.delimiter = ',', .quote = '\0'};
  ASSIGN_OR_RETURN(
      syntax.delimiter,
      OneCharacter("delimiter", dialect.delimiter.empty() ? DefaultDelimiter(options.format)
                                                          : dialect.delimiter));
  if (dialect.quote != "none") {
    ASSIGN_OR_RETURN(syntax.quote, OneCharacter("quote", dialect.quote));
    if (syntax.quote == syntax.delimiter || syntax.quote == ' ' || syntax.quote == '\t') {
      return absl::InvalidArgumentError(
          absl::StrCat("quote is ", Excerpt(dialect.quote), ", which separates columns"));
    }
  }
  return syntax;
}

}  // namespace

std::string DefaultDelimiter(absl::string_view format) { return format == "tsv" ? "\t" : ","; }

absl::StatusOr<std::unique_ptr<RowFormat>> NewCsvFormat(const RowFormat::Options& options) {
  const Dialect& dialect = options.dialect;
  auto shared = std::make_shared<Shared>();
  ASSIGN_OR_RETURN(shared->syntax, SyntaxOf(options));
  if (dialect.comment.find_first_of("\r\n") != std::string::npos) {
    return absl::InvalidArgumentError("comment holds a line end");
  }
  RETURN_IF_ERROR(CheckColumns(options.columns, dialect.header));
  shared->columns = options.columns;
  shared->header = dialect.header;
  shared->comment = dialect.comment;
  RETURN_IF_ERROR(BinaryMapOf(options.labels).status());
  shared->labels = options.labels;
  if (options.labels.texts()) {
    for (const std::string& text : options.labels.positive) {
      shared->label_of[absl::StripAsciiWhitespace(text)] = 1;
    }
    for (const std::string& text : options.labels.negative) {
      shared->label_of[absl::StripAsciiWhitespace(text)] = 0;
    }
  }
  shared->missing.insert(dialect.missing.begin(), dialect.missing.end());
  return std::make_unique<CsvFormat>(std::move(shared), std::nullopt);
}

absl::StatusOr<std::vector<std::string>> CutRecord(const RowFormat::Options& options,
                                                   absl::string_view record) {
  ASSIGN_OR_RETURN(const CsvSyntax syntax, SyntaxOf(options));
  return Cut(syntax, record);
}

}  // namespace seraph
