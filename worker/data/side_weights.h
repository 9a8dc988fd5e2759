// SPDX-License-Identifier: Apache-2.0
// Weights of rows that stand in a file of their own: one number a line.
#ifndef SERAPH_WORKER_DATA_SIDE_WEIGHTS_H_
#define SERAPH_WORKER_DATA_SIDE_WEIGHTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "worker/data/text_source.h"

namespace seraph {

// Holds none of them in memory: as 32-bit floats in a spill file each is found by its number. A
// plain value; thread-safe.
class SideWeights {
 public:
  // Reads the file, which may be compressed, into `spill`, which outlives the weights. Blank lines
  // are left out. INVALID_ARGUMENT "FILE:LINE: ..." for what is no finite number of at least 0;
  // errors of TextSource::Open.
  static absl::StatusOr<SideWeights> Load(const std::string& path, SpillFile* spill);

  const std::string& path() const { return path_; }
  uint64_t count() const { return count_; }

  // Numbers first .. first + count - 1. DATA_LOSS when there are not that many.
  absl::Status Read(uint64_t first, size_t count, std::vector<float>* weights) const;

 private:
  std::string path_;
  const DataFileReader* file_ = nullptr;
  uint64_t begin_ = 0;  // In the spill file.
  uint64_t count_ = 0;
};

}  // namespace seraph

#endif  // SERAPH_WORKER_DATA_SIDE_WEIGHTS_H_
