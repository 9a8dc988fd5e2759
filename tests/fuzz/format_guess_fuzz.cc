// SPDX-License-Identifier: Apache-2.0
// Whatever the text: a format is guessed or none, and what is guessed can read it.
#include <memory>

#include "absl/strings/string_view.h"
#include "tests/fuzz/row_format_fuzz.h"
#include "worker/data/column_census.h"
#include "worker/data/csv.h"
#include "worker/data/format_guess.h"
#include "worker/data/record_reader.h"

namespace seraph {
namespace {

// Guesses columns of the text, whose rows `options` cut, and reads them.
void FuzzColumns(RowFormat::Options options, const uint8_t* data, size_t size) {
  const auto format = NewRowFormat(options).value();
  absl::string_view text(reinterpret_cast<const char*>(data), size);
  std::unique_ptr<ColumnCensus> census;
  while (!text.empty()) {
    uint64_t lines = 0;
    const absl::string_view record = TakeRecord(*format, &text, &lines);
    const auto fields = CutRecord(options, record);
    if (!format->IsRow(record) || !fields.ok()) continue;
    if (census == nullptr)
      census = std::make_unique<ColumnCensus>(*fields, options.dialect.missing);
    census->Add(*fields);
  }
  if (census == nullptr) return;
  options.columns = census->Guess();
  options.dialect.missing = census->MissingTokens();
  if (NewRowFormat(options).ok()) FuzzRowFormat(options, data, size);
}

}  // namespace
}  // namespace seraph

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  for (const bool whole : {false, true}) {
    const auto guess = seraph::GuessFormat(text, whole, "");
    if (!guess.ok()) continue;
    seraph::FuzzRowFormat(*guess, data, size);
    if (seraph::HasColumns(guess->format)) seraph::FuzzColumns(*guess, data, size);
  }
  return 0;
}
