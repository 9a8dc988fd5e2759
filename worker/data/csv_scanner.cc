// SPDX-License-Identifier: Apache-2.0
#include "worker/data/csv_scanner.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "worker/data/row_text.h"

namespace seraph {
namespace {

constexpr size_t kNone = absl::string_view::npos;

// Where the quote that closes a quoted text stands; kNone when none does. `text` begins behind the
// opening quote. `doubled` learns whether quotes within are doubled.
size_t FindClosingQuote(absl::string_view text, char quote, bool* doubled) {
  size_t at = 0;
  while (true) {
    at = text.find(quote, at);
    if (at == kNone) return kNone;
    if (at + 1 == text.size() || text[at + 1] != quote) return at;
    *doubled = true;
    at += 2;
  }
}

}  // namespace

bool EndsInQuotes(const CsvSyntax& syntax, absl::string_view line, bool inside) {
  if (syntax.quote == '\0') return false;
  if (line.find(syntax.quote) == kNone) return inside;  // By far most lines.
  absl::string_view rest = line;
  while (true) {
    if (!inside) {
      while (!rest.empty() && syntax.IsBlank(rest[0])) rest.remove_prefix(1);
      inside = !rest.empty() && rest[0] == syntax.quote;
      if (inside) rest.remove_prefix(1);
    }
    if (inside) {
      bool doubled = false;
      const size_t close = FindClosingQuote(rest, syntax.quote, &doubled);
      if (close == kNone) return true;
      rest.remove_prefix(close + 1);
      inside = false;
    }
    const size_t delimiter = rest.find(syntax.delimiter);
    if (delimiter == kNone) return false;
    rest.remove_prefix(delimiter + 1);
  }
}

CsvScanner::CsvScanner(const CsvSyntax& syntax, absl::string_view record)
    : syntax_(syntax), rest_(record) {
  if (!rest_.empty() && rest_.back() == '\r') rest_.remove_suffix(1);
}

absl::StatusOr<bool> CsvScanner::Next(absl::string_view* field) {
  if (at_end_) return false;
  while (!rest_.empty() && syntax_.IsBlank(rest_[0])) rest_.remove_prefix(1);
  if (syntax_.quote != '\0' && !rest_.empty() && rest_[0] == syntax_.quote) {
    RETURN_IF_ERROR(NextQuoted(field));
  } else {
    *field = rest_.substr(0, rest_.find(syntax_.delimiter));
    rest_.remove_prefix(field->size());
    while (!field->empty() && syntax_.IsBlank(field->back())) field->remove_suffix(1);
  }
  at_end_ = rest_.empty();
  if (!at_end_) rest_.remove_prefix(1);  // The delimiter.
  return true;
}

absl::Status CsvScanner::NextQuoted(absl::string_view* field) {
  rest_.remove_prefix(1);
  bool doubled = false;
  const size_t close = FindClosingQuote(rest_, syntax_.quote, &doubled);
  if (close == kNone) {
    return absl::InvalidArgumentError(
        absl::StrCat("the quote before ", Excerpt(rest_), " is never closed"));
  }
  *field = rest_.substr(0, close);
  rest_.remove_prefix(close + 1);
  while (!rest_.empty() && syntax_.IsBlank(rest_[0])) rest_.remove_prefix(1);
  if (!rest_.empty() && rest_[0] != syntax_.delimiter) {
    const absl::string_view text = rest_.substr(0, rest_.find(syntax_.delimiter));
    return absl::InvalidArgumentError(
        absl::StrCat(Excerpt(text), " follows the closing quote of ", Excerpt(*field)));
  }
  if (doubled) {
    unquoted_.clear();
    for (size_t i = 0; i < field->size(); ++i) {
      unquoted_ += (*field)[i];
      if ((*field)[i] == syntax_.quote) ++i;  // The second of the two.
    }
    *field = unquoted_;
  }
  return absl::OkStatus();
}

}  // namespace seraph
