// SPDX-License-Identifier: Apache-2.0
// Texts of scalars: which are numbers, which are safe to show, how to quote them.
#ifndef SERAPH_CLIENT_CLI_JOB_SCALAR_TEXT_H_
#define SERAPH_CLIENT_CLI_JOB_SCALAR_TEXT_H_

#include <string>

#include "absl/strings/string_view.h"

namespace seraph {

bool IsDecimalInteger(absl::string_view text);  // An optional sign and digits.
bool IsDecimalNumber(absl::string_view text);   // "5", "-.5", "1.0e-6"; no hex, no inf.
bool IsInfinityOrNan(absl::string_view text);   // As YAML writes them (.inf, -.Inf, .nan) or C.
bool IsUtf8(absl::string_view text);            // Well-formed, without NUL bytes.

// At most 60 bytes of the text with whatever a terminal might act on replaced by '?'.
std::string Printable(absl::string_view text);
std::string Quoted(absl::string_view text);  // Printable, in double quotes.

// As a YAML double-quoted scalar, quotes included. REQUIRES: IsUtf8(text).
std::string YamlQuoted(absl::string_view text);
// As a plain YAML scalar where its meaning stays a text, else quoted.
std::string YamlText(absl::string_view text);

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_JOB_SCALAR_TEXT_H_
