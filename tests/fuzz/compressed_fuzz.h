// SPDX-License-Identifier: Apache-2.0
// What holds for any bytes given to a reader of compressed files; shared by the targets.
#ifndef SERAPH_TESTS_FUZZ_COMPRESSED_FUZZ_H_
#define SERAPH_TESTS_FUZZ_COMPRESSED_FUZZ_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "worker/data/data_file_reader.h"

namespace seraph {

// As InflateGzip and InflateZstd.
using Inflate = absl::Status(const std::string& path, const DataFileReader& in, uint64_t in_bytes,
                             absl::FunctionRef<absl::Status(absl::string_view)> sink);

// Inflates the input as a file and reads what comes out as rows of libsvm. Aborts when an error is
// not DATA_LOSS that names the file, when a second reading gives other text, or when a row breaks
// what Row promises.
void FuzzInflate(Inflate inflate, const uint8_t* data, size_t size);

}  // namespace seraph

#endif  // SERAPH_TESTS_FUZZ_COMPRESSED_FUZZ_H_
