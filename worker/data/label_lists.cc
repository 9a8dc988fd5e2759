// SPDX-License-Identifier: Apache-2.0
#include "worker/data/label_lists.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "worker/data/row_text.h"

namespace seraph {
namespace {

bool IsNumber(const std::string& text) {
  float number = 0;
  return ParseFloat("label", text, &number).ok();
}

std::vector<double> Numbers(const std::vector<std::string>& texts) {
  std::vector<double> numbers;
  for (const std::string& text : texts) {
    float number = 0;
    ParseFloat("label", text, &number).IgnoreError();  // Known to be one.
    numbers.push_back(number);
  }
  return numbers;
}

absl::Status CheckTexts(const LabelLists& lists) {
  if (lists.positive.empty()) return absl::InvalidArgumentError("label.positive lists no label");
  if (lists.negative.empty()) return absl::InvalidArgumentError("label.negative lists no label");
  for (const std::string& text : lists.negative) {
    const auto same = [&text](const std::string& other) {
      return absl::StripAsciiWhitespace(other) == absl::StripAsciiWhitespace(text);
    };
    if (std::any_of(lists.positive.begin(), lists.positive.end(), same)) {
      return absl::InvalidArgumentError(
          absl::StrCat("label ", Excerpt(text), " is listed as positive and as negative"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

bool LabelLists::texts() const {
  return !std::all_of(positive.begin(), positive.end(), IsNumber) ||
         !std::all_of(negative.begin(), negative.end(), IsNumber);
}

absl::StatusOr<LabelMap> BinaryMapOf(const LabelLists& lists) {
  if (lists.empty()) return LabelMap::Binary();
  if (!lists.texts()) return LabelMap::Binary(Numbers(lists.positive), Numbers(lists.negative));
  const absl::Status status = CheckTexts(lists);
  if (!status.ok()) return status;
  return LabelMap::Binary();
}

}  // namespace seraph
