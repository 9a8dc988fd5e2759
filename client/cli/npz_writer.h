// SPDX-License-Identifier: Apache-2.0
// NumPy's .npz: a zip archive, here without compression, of .npy arrays.
#ifndef SERAPH_CLIENT_CLI_NPZ_WRITER_H_
#define SERAPH_CLIENT_CLI_NPZ_WRITER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "client/cli/output_file.h"

namespace seraph {

// Writes arrays as they come, then the archive's directory. Not thread-safe. The archive carries no
// times, so the same arrays give the same bytes. INVALID_ARGUMENT beyond the 4 GiB of the plain zip
// format.
class NpzWriter {
 public:
  explicit NpzWriter(OutputFile* output) : output_(output) {}

  // `values` is row-major [values.size() / dim, dim].
  absl::Status Add(const std::string& name, absl::Span<const uint64_t> keys);
  absl::Status Add(const std::string& name, uint32_t dim, absl::Span<const float> values);
  absl::Status Finish();

 private:
  absl::Status AddArray(const std::string& name, const std::string& header,
                        absl::string_view content);
  absl::Status Write(absl::string_view bytes);

  OutputFile* const output_;
  uint64_t offset_ = 0;
  std::string directory_;
  uint16_t entries_ = 0;
};

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_NPZ_WRITER_H_
