// SPDX-License-Identifier: Apache-2.0
#include "common/process/error_line.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/hint.h"

namespace seraph {
namespace {

// Control characters, which files and flags may hold, do nothing to a terminal.
std::string OneLine(absl::string_view text) {
  std::string line;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n' || c == '\r' || c == '\t') {
      line += ' ';
    } else if (byte < 0x20 || byte == 0x7f) {
      absl::StrAppendFormat(&line, "\\x%02x", byte);
    } else {
      line += c;
    }
  }
  return line;
}

}  // namespace

std::string ErrorText(absl::string_view what, const absl::Status& status, absl::string_view hint) {
  std::string text = "error: ";
  if (!what.empty()) absl::StrAppend(&text, OneLine(what), ": ");
  absl::StrAppend(&text, OneLine(status.message()), "\n");
  const std::string own = HintOf(status);
  const absl::string_view shown = own.empty() ? hint : absl::string_view(own);
  if (!shown.empty()) absl::StrAppend(&text, "hint: ", OneLine(shown), "\n");
  return text;
}

void PrintError(std::FILE* out, absl::string_view what, const absl::Status& status,
                absl::string_view hint) {
  const std::string text = ErrorText(what, status, hint);
  std::fwrite(text.data(), 1, text.size(), out);
  std::fflush(out);
}

}  // namespace seraph
