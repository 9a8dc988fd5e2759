// SPDX-License-Identifier: Apache-2.0
#include "worker/train/joint_batches.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "common/status_macros.h"

namespace seraph {
namespace {

EpochOrder WholeOrder(const DataIndex& index, uint64_t seed, uint64_t epoch) {
  std::vector<uint32_t> blocks(index.blocks.size());
  std::iota(blocks.begin(), blocks.end(), 0u);
  return EpochOrder(index, std::move(blocks), seed, epoch);
}

}  // namespace

JointBatches::JointBatches(const DataSet* data, const DataIndex* index, uint64_t seed,
                           uint64_t epoch, uint64_t batch_size, uint32_t rank, uint32_t workers)
    : reader_(data, index, WholeOrder(*index, seed, epoch)),
      batch_size_(batch_size),
      rank_(rank),
      workers_(workers) {}

absl::StatusOr<bool> JointBatches::NextBatch(BatchBuilder* batch) {
  batch->Clear();
  if (next_ >= reader_.rows()) return false;
  const uint64_t joint = std::min(batch_size_, reader_.rows() - next_);
  const Slice slice = SliceOf(joint, rank_, workers_);
  for (uint64_t at = next_ + slice.begin; at < next_ + slice.end; ++at) {
    ASSIGN_OR_RETURN(const bool good, reader_.Read(at, &row_));
    if (good) batch->Add(row_);
  }
  next_ += joint;
  return true;
}

}  // namespace seraph
