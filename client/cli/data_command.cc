// SPDX-License-Identifier: Apache-2.0
#include "client/cli/data_command.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "client/cli/job/resolve.h"
#include "client/cli/job/scalar_text.h"
#include "client/cli/job_inputs.h"
#include "client/cli/json_line.h"
#include "client/cli/message_json.h"
#include "common/status_macros.h"
#include "proto/job.pb.h"
#include "worker/data/data_inspection.h"
#include "worker/train/data_entry.h"

namespace seraph {
namespace {

// Columns listed to people; programs get all.
constexpr size_t kMostColumnsShown = 100;

struct Inspected {
  std::vector<std::string> files;
  DataInspection data;
  v1::JobSpec job;  // Its data section alone.
};

// A label as a job may state it: the digits that read back as the same float.
std::string NumberText(double number) { return absl::StrFormat("%.9g", number); }

// The end of a range, for people.
std::string RoundText(double number, bool whole) {
  return whole ? absl::StrFormat("%.0f", number) : absl::StrFormat("%.6g", number);
}

// Two labels that no model takes as they are: the larger is positive.
void SuggestLabels(const DataInspection& found, v1::DataSpec* data) {
  if (found.labels.size() != 2) return;
  const float low = found.labels.begin()->first;
  const float high = found.labels.rbegin()->first;
  if (high == 1 && (low == 0 || low == -1)) return;
  data->mutable_label()->add_positive(NumberText(high));
  data->mutable_label()->add_negative(NumberText(low));
}

// What differs from the defaults, so that it reads as a person would write it.
void SuggestSection(const DataInspection& found, const std::string& path, v1::DataSpec* data) {
  v1::DataPath all;
  PutFormat(found.format, &all);
  data->add_train()->set_path(path);
  data->set_format(all.format());
  if (all.has_index_base()) data->set_index_base(all.index_base());
  if (all.has_columns()) *data->mutable_columns() = all.columns();
  if (all.header()) data->set_header(true);
  if (!found.format.dialect.delimiter.empty()) data->set_delimiter(all.delimiter());
  *data->mutable_missing() = all.missing();
  if (!all.comment().empty()) data->set_comment(all.comment());
  SuggestLabels(found, data);
}

absl::StatusOr<Inspected> Inspect(const DataInspectFlags& flags) {
  Inspected inspected;
  ASSIGN_OR_RETURN(const std::vector<DataFile> files, ExpandReadable(flags.path, {}));
  for (const DataFile& file : files) inspected.files.push_back(file.path);
  ASSIGN_OR_RETURN(inspected.data, InspectData(inspected.files, {.format = flags.format,
                                                                 .index_base = flags.index_base,
                                                                 .spill_folder = ""}));
  for (const ColumnCensus::Column& column : inspected.data.columns) {
    if (IsUtf8(column.name)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("the header of ", inspected.files[0], " is not UTF-8: ", Quoted(column.name)));
  }
  SuggestSection(inspected.data, flags.path, inspected.job.mutable_data());
  return inspected;
}

std::string LabelsText(const DataInspection& found) {
  if (found.more_labels) {
    return absl::StrCat("more than ", DataInspection::kMostLabels, " different, from ",
                        RoundText(found.smallest_label, false), " to ",
                        RoundText(found.largest_label, false));
  }
  std::vector<std::string> labels;
  for (const auto& [label, rows] : found.labels) {
    labels.push_back(absl::StrCat(NumberText(label), " (", WithThousands(rows), " rows)"));
  }
  return absl::StrJoin(labels, ", ");
}

std::string FeaturesText(const DataInspection& found) {
  const double rows = static_cast<double>(found.rows - found.bad_rows);
  return absl::StrCat(WithThousands(found.features), ", ",
                      absl::StrFormat("%.1f", static_cast<double>(found.features) / rows),
                      " a row");
}

const char* RoleOf(const v1::ColumnSpec& columns, const ColumnCensus::Column& column,
                   size_t position, size_t count) {
  const auto is = [&](const std::string& text) {
    return !text.empty() && (text == column.name || text == absl::StrCat(position) ||
                             (text == "-1" && position + 1 == count));
  };
  if (is(columns.label())) return "label";
  if (is(columns.weight())) return "weight";
  return column.texts > 0 ? "categorical" : "numeric";
}

std::string ValuesText(const ColumnCensus::Column& column) {
  std::vector<std::string> texts;
  if (column.numeric()) {
    texts.push_back(absl::StrCat(RoundText(column.smallest, column.whole), " to ",
                                 RoundText(column.largest, column.whole)));
  }
  texts.push_back(absl::StrCat(column.more_values ? "over " : "",
                               WithThousands(column.values.size()), " different"));
  if (column.missing > 0) texts.push_back(absl::StrCat(WithThousands(column.missing), " missing"));
  return absl::StrJoin(texts, ", ");
}

void PrintColumns(const Inspected& inspected, std::ostream* out) {
  const std::vector<ColumnCensus::Column>& columns = inspected.data.columns;
  for (size_t i = 0; i < std::min(columns.size(), kMostColumnsShown); ++i) {
    *out << absl::StrFormat("%8d  %-20s %-11s  %s\n", i, Printable(columns[i].name),
                            RoleOf(inspected.job.data().columns(), columns[i], i, columns.size()),
                            ValuesText(columns[i]));
  }
  if (columns.size() > kMostColumnsShown) {
    *out << "          and " << columns.size() - kMostColumnsShown << " more\n";
  }
}

void PrintText(const Inspected& inspected, const std::string& format_flag, std::ostream* out) {
  const DataInspection& found = inspected.data;
  *out << "files     " << inspected.files.size() << " (" << ReadableBytes(found.text_bytes)
       << " of text)\n";
  *out << "format    " << found.format.format << (format_flag.empty() ? ", by its looks\n" : "\n");
  *out << "rows      " << WithThousands(found.rows);
  if (found.bad_rows > 0) *out << ", " << WithThousands(found.bad_rows) << " of them bad";
  *out << "\nlabels    " << LabelsText(found) << "\n";
  *out << "features  " << FeaturesText(found) << "\n";
  if (found.columns.empty() && found.features > 0) {
    *out << "indices   " << found.smallest_index << " to " << found.largest_index << "\n";
    if (found.format.format == "libffm") {
      *out << "fields    " << found.smallest_field << " to " << found.largest_field << "\n";
    }
  }
  if (!found.columns.empty()) {
    *out << "columns   " << found.columns.size() << "\n";
    PrintColumns(inspected, out);
  }
  for (const DataInspection::BadRow& bad : found.first_bad_rows) {
    *out << "bad row   " << bad.file << ":" << bad.line << ": " << bad.what << "\n";
  }
  *out << "\n" << JobToYaml(inspected.job);
  if (found.bad_rows > 0) *out << "  # on_bad_row: skip leaves bad rows out\n";
  if (found.format.index_base == 1u) {
    *out << "  # no index is 0; if other files of this data have one, index_base is 0\n";
  }
}

Json ColumnsJson(const Inspected& inspected) {
  const std::vector<ColumnCensus::Column>& columns = inspected.data.columns;
  Json array = Json::array();
  for (size_t i = 0; i < columns.size(); ++i) {
    const ColumnCensus::Column& column = columns[i];
    Json entry;
    entry["position"] = i;
    if (!column.name.empty()) entry["name"] = column.name;
    entry["role"] = RoleOf(inspected.job.data().columns(), column, i, columns.size());
    entry["missing"] = column.missing;
    entry["different"] = column.values.size();
    entry["different_exact"] = !column.more_values;
    if (column.numeric()) {
      entry["smallest"] = column.smallest;
      entry["largest"] = column.largest;
    }
    array.push_back(std::move(entry));
  }
  return array;
}

Json InspectionJson(const Inspected& inspected, const std::string& format_flag) {
  const DataInspection& found = inspected.data;
  Json object;
  object["files"] = inspected.files.size();
  object["bytes"] = found.text_bytes;
  object["format"] = found.format.format;
  object["format_guessed"] = format_flag.empty();
  object["rows"] = found.rows;
  object["bad_rows"] = found.bad_rows;
  object["features"] = found.features;
  Json labels = Json::array();
  for (const auto& [label, rows] : found.labels) {
    labels.push_back(Json{{"label", label}, {"rows", rows}});
  }
  object["labels"] = std::move(labels);
  object["more_labels"] = found.more_labels;
  object["smallest_label"] = found.smallest_label;
  object["largest_label"] = found.largest_label;
  if (!found.columns.empty()) {
    object["columns"] = ColumnsJson(inspected);
  } else if (found.features > 0) {
    object["smallest_index"] = found.smallest_index;
    object["largest_index"] = found.largest_index;
  }
  if (found.format.format == "libffm" && found.features > 0) {
    object["smallest_field"] = found.smallest_field;
    object["largest_field"] = found.largest_field;
  }
  Json bad = Json::array();
  for (const DataInspection::BadRow& row : found.first_bad_rows) {
    bad.push_back(Json{{"file", row.file}, {"line", row.line}, {"what", row.what}});
  }
  object["first_bad_rows"] = std::move(bad);
  object["data"] = MessageToJson(inspected.job.data());
  return object;
}

}  // namespace

int RunDataInspect(const DataInspectFlags& flags, bool json, const CommandContext& context) {
  const Terminal& terminal = context.terminal;
  const absl::StatusOr<Inspected> inspected = Inspect(flags);
  if (!inspected.ok()) return terminal.Fail(inspected.status(), "inspect " + flags.path);
  if (json) {
    PrintLine(terminal.out, InspectionJson(*inspected, flags.format));
  } else {
    PrintText(*inspected, flags.format, terminal.out);
  }
  return terminal.Done();
}

}  // namespace seraph
