// SPDX-License-Identifier: Apache-2.0
// What the text formats of rows have in common: tokens, numbers and how they are quoted in errors.
#ifndef SERAPH_WORKER_DATA_ROW_TEXT_H_
#define SERAPH_WORKER_DATA_ROW_TEXT_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "worker/data/batch.h"

namespace seraph {

// Cuts a line into tokens. Runs of spaces and tabs separate; the text from the first '#' on is a
// comment; one '\r' at the end of the line belongs to the line end.
class TokenScanner {
 public:
  explicit TokenScanner(absl::string_view line);

  // False at the end of the line.
  bool Next(absl::string_view* token);

 private:
  absl::string_view rest_;
};

// Whether the line has a token.
bool HasToken(absl::string_view line);

// The text in backquotes, at most 40 characters of it, with \xNN for every byte that is not
// printable ASCII: safe to print whatever the file holds.
std::string Excerpt(absl::string_view text);

// A number: optional sign, decimal digits with an optional point, optional exponent, and nothing
// else. Hexadecimal, nan and inf are refused; so is what a float cannot hold; what is too small
// becomes a denormal or zero. `what` names the number in errors ("label"). INVALID_ARGUMENT.
absl::Status ParseFloat(absl::string_view what, absl::string_view text, float* value);

// A number as above that is at least 0. INVALID_ARGUMENT.
absl::Status ParseWeight(absl::string_view text, float* weight);

// An unsigned decimal integer of digits alone. INVALID_ARGUMENT.
absl::Status ParseUnsigned(absl::string_view what, absl::string_view text, uint64_t* value);

// An index as it stands in a file; the key is the index minus `index_base`. INVALID_ARGUMENT, also
// for an index below the base.
absl::Status ParseKey(absl::string_view text, uint64_t index_base, uint64_t* key);

// Empties a row that is to be used again; its memory stays.
void ClearRow(Row* row);

// Empties the row and takes its label, the line's first token. INVALID_ARGUMENT: no such number.
absl::Status BeginRow(TokenScanner* scanner, Row* row);

// Brings entries in the order of a file into the form that Row promises: sorted by key, or by key
// and field, values of what stands twice summed in the order of the file, zeros left out.
// INVALID_ARGUMENT if a sum overflows: "the values of WHAT N sum to ...", N being key + base.
absl::Status NormaliseRow(absl::string_view what, uint64_t base, Row* row);

}  // namespace seraph

#endif  // SERAPH_WORKER_DATA_ROW_TEXT_H_
