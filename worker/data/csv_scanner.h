// SPDX-License-Identifier: Apache-2.0
// Cuts a record of separated values into fields (RFC 4180).
#ifndef SERAPH_WORKER_DATA_CSV_SCANNER_H_
#define SERAPH_WORKER_DATA_CSV_SCANNER_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace seraph {

// The characters that cut.
struct CsvSyntax {
  char delimiter = ',';
  char quote = '"';  // '\0': nothing is quoted.

  // Spaces and tabs around a field are no part of it, unless they stand in quotes or delimit.
  bool IsBlank(char c) const { return (c == ' ' || c == '\t') && c != delimiter; }
};

// Whether the record that `line` belongs to goes on in the next line: the line ends in quotes.
// `inside`: it began in quotes. Agrees with CsvScanner for any text.
bool EndsInQuotes(const CsvSyntax& syntax, absl::string_view line, bool inside);

// A field whose first character behind blanks is a quote is what stands up to the closing quote:
// delimiters and line breaks too, a doubled quote as one. Elsewhere quotes are plain characters.
// Not thread-safe.
class CsvScanner {
 public:
  // One '\r' at the end of the record belongs to the line end.
  CsvScanner(const CsvSyntax& syntax, absl::string_view record);

  // False past the last field; a record has at least one. `field` is valid until the next call.
  // INVALID_ARGUMENT: a quote is never closed, or text follows the closing one.
  absl::StatusOr<bool> Next(absl::string_view* field);

 private:
  absl::Status NextQuoted(absl::string_view* field);

  const CsvSyntax syntax_;
  absl::string_view rest_;
  bool at_end_ = false;
  std::string unquoted_;  // Of a field with doubled quotes.
};

}  // namespace seraph

#endif  // SERAPH_WORKER_DATA_CSV_SCANNER_H_
