// SPDX-License-Identifier: Apache-2.0
// What holds for any bytes given to a format of rows; shared by the targets of the formats.
#ifndef SERAPH_TESTS_FUZZ_ROW_FORMAT_FUZZ_H_
#define SERAPH_TESTS_FUZZ_ROW_FORMAT_FUZZ_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "worker/data/row_format.h"

namespace seraph {

// Reads the input as a file of this format: cuts it into records, binds to the first and parses
// each. Aborts when a row breaks what Row promises, when a record without a row parses, or when an
// error could not be printed safely.
void FuzzRowFormat(const RowFormat::Options& options, const uint8_t* data, size_t size);

// The same at both index bases.
void FuzzIndexedFormat(const std::string& format, const uint8_t* data, size_t size);

// The same in several dialects, with and without a header, with columns of every kind.
void FuzzColumnFormat(const std::string& format, const uint8_t* data, size_t size);

}  // namespace seraph

#endif  // SERAPH_TESTS_FUZZ_ROW_FORMAT_FUZZ_H_
