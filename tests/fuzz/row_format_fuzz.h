// SPDX-License-Identifier: Apache-2.0
// What holds for any bytes given to a format of rows; shared by the targets of the formats.
#ifndef SERAPH_TESTS_FUZZ_ROW_FORMAT_FUZZ_H_
#define SERAPH_TESTS_FUZZ_ROW_FORMAT_FUZZ_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace seraph {

// Splits the input into lines and parses each at both index bases. Aborts when a row breaks what
// Row promises, when a line without a row parses, or when an error could not be printed safely.
void FuzzRowFormat(const std::string& format, const uint8_t* data, size_t size);

}  // namespace seraph

#endif  // SERAPH_TESTS_FUZZ_ROW_FORMAT_FUZZ_H_
