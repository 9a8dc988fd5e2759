// SPDX-License-Identifier: Apache-2.0
#include "worker/data/dummy.h"

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "worker/data/row_text.h"

namespace seraph {
namespace {

class DummyFormat : public RowFormat {
 public:
  explicit DummyFormat(uint64_t index_base) : index_base_(index_base) {}

  bool IsRow(absl::string_view line) const override { return HasToken(line); }

  absl::Status Parse(absl::string_view line, Row* row) const override {
    RETURN_IF_ERROR(ParseEntries(line, row));
    return NormaliseRow("index", index_base_, row);
  }

  absl::Status ParseEntries(absl::string_view line, Row* row) const override {
    TokenScanner scanner(line);
    RETURN_IF_ERROR(BeginRow(&scanner, row));
    absl::string_view token;
    while (scanner.Next(&token)) {
      if (token.find(':') != absl::string_view::npos) {
        return absl::InvalidArgumentError(
            absl::StrCat(Excerpt(token), " has a value, but dummy rows hold indices alone"));
      }
      uint64_t key = 0;
      RETURN_IF_ERROR(ParseKey(token, index_base_, &key));
      row->keys.push_back(key);
      row->values.push_back(1);
    }
    return absl::OkStatus();
  }

 private:
  const uint64_t index_base_;
};

}  // namespace

std::unique_ptr<RowFormat> NewDummyFormat(uint64_t index_base) {
  return std::make_unique<DummyFormat>(index_base);
}

}  // namespace seraph
