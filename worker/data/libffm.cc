// SPDX-License-Identifier: Apache-2.0
#include "worker/data/libffm.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "worker/data/row_text.h"

namespace seraph {
namespace {

class LibffmFormat : public RowFormat {
 public:
  explicit LibffmFormat(uint64_t index_base) : index_base_(index_base) {}

  bool IsRow(absl::string_view line) const override { return HasToken(line); }

  absl::Status Parse(absl::string_view line, Row* row) const override {
    RETURN_IF_ERROR(ParseEntries(line, row));
    return NormaliseRow("index", index_base_, row);
  }

  absl::Status ParseEntries(absl::string_view line, Row* row) const override {
    TokenScanner scanner(line);
    RETURN_IF_ERROR(BeginRow(&scanner, row));
    absl::string_view token;
    while (scanner.Next(&token)) RETURN_IF_ERROR(ParseEntry(token, row));
    return absl::OkStatus();
  }

 private:
  absl::Status ParseEntry(absl::string_view token, Row* row) const {
    const size_t first = token.find(':');
    const size_t second = first == absl::string_view::npos ? first : token.find(':', first + 1);
    if (second == absl::string_view::npos || second + 1 == token.size()) {
      return absl::InvalidArgumentError(
          absl::StrCat(Excerpt(token), " is not of the form field:index:value"));
    }
    uint64_t field = 0;
    uint64_t key = 0;
    float value = 0;
    RETURN_IF_ERROR(ParseUnsigned("field", token.substr(0, first), &field));
    if (field > std::numeric_limits<uint32_t>::max()) {
      return absl::InvalidArgumentError(absl::StrCat("field ", field, " does not fit in 32 bits"));
    }
    RETURN_IF_ERROR(ParseKey(token.substr(first + 1, second - first - 1), index_base_, &key));
    RETURN_IF_ERROR(ParseFloat("value", token.substr(second + 1), &value));
    row->fields.push_back(static_cast<uint32_t>(field));
    row->keys.push_back(key);
    row->values.push_back(value);
    return absl::OkStatus();
  }

  const uint64_t index_base_;
};

}  // namespace

std::unique_ptr<RowFormat> NewLibffmFormat(uint64_t index_base) {
  return std::make_unique<LibffmFormat>(index_base);
}

}  // namespace seraph
