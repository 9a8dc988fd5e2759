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

JointBatches::JointBatches(const Options& options)
    : options_(options),
      reader_(options.data, options.index, WholeOrder(*options.index, options.seed, options.epoch),
              options.hold_out) {}

void JointBatches::BeginStep() {
  const uint64_t left = reader_.rows() - next_step_;
  const uint64_t joint = options_.batch_size == 0 ? left : std::min(options_.batch_size, left);
  slice_ = SliceOf(joint, options_.rank, options_.workers);
  slice_.begin += next_step_;
  slice_.end += next_step_;
  next_ = slice_.begin;
  next_step_ += joint;
}

absl::StatusOr<bool> JointBatches::NextBatch(BatchBuilder* batch) {
  batch->Clear();
  if (EndsStep()) {
    if (next_step_ >= reader_.rows()) return false;
    BeginStep();
  }
  const uint64_t left = slice_.end - next_;
  const uint64_t end =
      next_ + (options_.batch_size == 0 ? std::min(options_.piece_rows, left) : left);
  for (; next_ < end; ++next_) {
    ASSIGN_OR_RETURN(const bool good, reader_.Read(next_, &row_));
    if (good) batch->Add(row_);
  }
  return true;
}

}  // namespace seraph
