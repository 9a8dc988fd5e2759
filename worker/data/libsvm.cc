// SPDX-License-Identifier: Apache-2.0
#include "worker/data/libsvm.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "worker/data/row_text.h"

namespace seraph {
namespace {

class LibsvmFormat : public RowFormat {
 public:
  explicit LibsvmFormat(uint64_t index_base) : index_base_(index_base) {}

  bool IsRow(absl::string_view line) const override { return HasToken(line); }

  absl::Status Parse(absl::string_view line, Row* row) const override {
    RETURN_IF_ERROR(ParseEntries(line, row));
    return NormaliseRow("index", index_base_, row);
  }

  absl::Status ParseEntries(absl::string_view line, Row* row) const override {
    TokenScanner scanner(line);
    RETURN_IF_ERROR(BeginRow(&scanner, row));
    absl::string_view token;
    bool more = scanner.Next(&token);
    if (more && absl::StartsWith(token, "qid:")) {
      uint64_t query = 0;
      RETURN_IF_ERROR(ParseUnsigned("qid", token.substr(4), &query));
      more = scanner.Next(&token);
    }
    for (; more; more = scanner.Next(&token)) RETURN_IF_ERROR(ParseEntry(token, row));
    return absl::OkStatus();
  }

 private:
  absl::Status ParseEntry(absl::string_view token, Row* row) const {
    const size_t colon = token.find(':');
    if (colon == absl::string_view::npos || colon + 1 == token.size()) {
      return absl::InvalidArgumentError(absl::StrCat(Excerpt(token), " has no value"));
    }
    if (colon == 0)
      return absl::InvalidArgumentError(absl::StrCat(Excerpt(token), " has no index"));
    uint64_t key = 0;
    float value = 0;
    RETURN_IF_ERROR(ParseKey(token.substr(0, colon), index_base_, &key));
    RETURN_IF_ERROR(ParseFloat("value", token.substr(colon + 1), &value));
    row->keys.push_back(key);
    row->values.push_back(value);
    return absl::OkStatus();
  }

  const uint64_t index_base_;
};

}  // namespace

std::unique_ptr<RowFormat> NewLibsvmFormat(uint64_t index_base) {
  return std::make_unique<LibsvmFormat>(index_base);
}

}  // namespace seraph
