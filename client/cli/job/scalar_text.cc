// SPDX-License-Identifier: Apache-2.0
#include "client/cli/job/scalar_text.h"

#include <cstdint>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"

namespace seraph {
namespace {

constexpr size_t kShownBytes = 60;

absl::string_view WithoutSign(absl::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  return text;
}

size_t Digits(absl::string_view text) {
  size_t n = 0;
  while (n < text.size() && absl::ascii_isdigit(text[n])) ++n;
  return n;
}

// Bytes of the well-formed UTF-8 sequence that `text` starts with; 0 when there is none.
size_t SequenceBytes(absl::string_view text) {
  const auto byte = [text](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t first = byte(0);
  if (first < 0x80) return 1;
  const size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return 0;
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  // Overlong forms, surrogates and what lies above U+10FFFF show in the second byte.
  if (first == 0xe0 && byte(1) < 0xa0) return 0;
  if (first == 0xed && byte(1) > 0x9f) return 0;
  if (first == 0xf0 && byte(1) < 0x90) return 0;
  if (first == 0xf4 && byte(1) > 0x8f) return 0;
  return bytes;
}

bool IsPlainSafe(absl::string_view text) {
  if (text.empty() || IsDecimalNumber(text) || IsInfinityOrNan(text)) return false;
  if (!absl::ascii_isalpha(text[0]) && text[0] != '/' && text[0] != '_') return false;
  for (const char c : text) {
    if (!absl::ascii_isalnum(c) && !absl::StrContains("_-./:", absl::string_view(&c, 1))) {
      return false;
    }
  }
  if (text.back() == ':') return false;
  for (const char* word : {"true", "false", "null", "yes", "no", "on", "off"}) {
    if (absl::EqualsIgnoreCase(text, word)) return false;
  }
  return true;
}

}  // namespace

bool IsDecimalInteger(absl::string_view text) {
  text = WithoutSign(text);
  return !text.empty() && Digits(text) == text.size();
}

bool IsDecimalNumber(absl::string_view text) {
  text = WithoutSign(text);
  const size_t whole = Digits(text);
  text.remove_prefix(whole);
  size_t fraction = 0;
  if (absl::ConsumePrefix(&text, ".")) {
    fraction = Digits(text);
    text.remove_prefix(fraction);
  }
  if (whole + fraction == 0) return false;
  if (text.empty()) return true;
  if (text[0] != 'e' && text[0] != 'E') return false;
  return IsDecimalInteger(text.substr(1));
}

bool IsInfinityOrNan(absl::string_view text) {
  text = WithoutSign(text);
  absl::ConsumePrefix(&text, ".");
  return absl::EqualsIgnoreCase(text, "inf") || absl::EqualsIgnoreCase(text, "infinity") ||
         absl::EqualsIgnoreCase(text, "nan");
}

bool IsUtf8(absl::string_view text) {
  while (!text.empty()) {
    const size_t bytes = SequenceBytes(text);
    if (bytes == 0 || text[0] == '\0') return false;
    text.remove_prefix(bytes);
  }
  return true;
}

std::string Printable(absl::string_view text) {
  std::string shown;
  while (!text.empty()) {
    if (shown.size() >= kShownBytes) return shown + "...";
    const size_t bytes = SequenceBytes(text);
    const uint8_t first = static_cast<uint8_t>(text[0]);
    const bool control = first < 0x20 || first == 0x7f ||
                         (first == 0xc2 && bytes == 2 && static_cast<uint8_t>(text[1]) < 0xa0);
    if (bytes == 0 || control) {
      shown += '?';
    } else {
      absl::StrAppend(&shown, text.substr(0, bytes));
    }
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return shown;
}

std::string Quoted(absl::string_view text) { return absl::StrCat("\"", Printable(text), "\""); }

std::string YamlQuoted(absl::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const uint8_t byte = static_cast<uint8_t>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      absl::StrAppendFormat(&quoted, "\\x%02x", byte);
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string YamlText(absl::string_view text) {
  return IsPlainSafe(text) ? std::string(text) : YamlQuoted(text);
}

}  // namespace seraph
