// SPDX-License-Identifier: Apache-2.0
// Files of rows compressed with zstd.
#ifndef SERAPH_WORKER_DATA_ZSTD_H_
#define SERAPH_WORKER_DATA_ZSTD_H_

#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "worker/data/data_file_reader.h"

namespace seraph {

// Whether a file that begins with these four bytes is zstd: a frame or a skippable frame.
bool IsZstdMagic(absl::string_view first);

// Hands what the zstd file `in` holds, all its frames one after another, to `sink` piece by piece.
// Memory is bounded by the largest window that the library takes unasked (128 MiB). DATA_LOSS,
// naming `path`, when it ends early, is damaged, needs a larger window, or has other bytes after
// its frames. An error of the sink ends it and is returned.
absl::Status InflateZstd(const std::string& path, const DataFileReader& in, uint64_t in_bytes,
                         absl::FunctionRef<absl::Status(absl::string_view)> sink);

}  // namespace seraph

#endif  // SERAPH_WORKER_DATA_ZSTD_H_
