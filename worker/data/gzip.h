// SPDX-License-Identifier: Apache-2.0
// Compressed files of rows.
#ifndef SERAPH_WORKER_DATA_GZIP_H_
#define SERAPH_WORKER_DATA_GZIP_H_

#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "worker/data/data_file_reader.h"

namespace seraph {

inline constexpr absl::string_view kGzipMagic = "\x1f\x8b";

// Hands what the gzip file `in` holds, all its members one after another, to `sink` piece by piece,
// with constant memory. DATA_LOSS, naming `path`, when it ends early, is damaged or has other bytes
// after its members (zeros as padding are fine). An error of the sink ends it and is returned.
absl::Status InflateGzip(const std::string& path, const DataFileReader& in, uint64_t in_bytes,
                         absl::FunctionRef<absl::Status(absl::string_view)> sink);

}  // namespace seraph

#endif  // SERAPH_WORKER_DATA_GZIP_H_
