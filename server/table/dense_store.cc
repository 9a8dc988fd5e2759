// SPDX-License-Identifier: Apache-2.0
#include "server/table/dense_store.h"

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "server/table/batch_checks.h"
#include "server/table/initializer.h"
#include "server/table/row_memory.h"

namespace seraph {

DenseStore::DenseStore(const PartitionStoreOptions& options)
    : spec_(options.spec),
      partition_(options.partition),
      optimizer_(options.optimizer),
      memory_(options.memory),
      state_width_(optimizer_->StateWidth(spec_.dim)),
      width_(size_t{spec_.dim} + state_width_) {
  // Blocks of common/partitioning.h. No product here can wrap: a block that begins past the end is
  // told by a division.
  const uint64_t block = (spec_.rows - 1) / spec_.partitions + 1;
  if (partition_ <= (spec_.rows - 1) / block) {
    first_ = partition_ * block;
    count_ = std::min(block, spec_.rows - first_);
  }
}

DenseStore::~DenseStore() { Free(); }

absl::Status DenseStore::Gather(absl::Span<const uint64_t> keys, absl::Span<float> out) const {
  RETURN_IF_ERROR(CheckFloats(spec_, keys.size(), spec_.dim, out.size()));
  RETURN_IF_ERROR(CheckKeys(keys));
  float* to = out.data();
  for (const uint64_t key : keys) {
    if (block_ != nullptr) {
      std::copy_n(RowOf(key), spec_.dim, to);
    } else {
      InitialValue(spec_.initializer, spec_.seed, key, absl::MakeSpan(to, spec_.dim));
    }
    to += spec_.dim;
  }
  return absl::OkStatus();
}

absl::Status DenseStore::ApplyGradients(absl::Span<const uint64_t> keys,
                                        absl::Span<const float> gradients, float rate_scale) {
  RETURN_IF_ERROR(Touch(keys, gradients.size()));
  optimizer_->Apply(spec_.dim, batch_, gradients, rate_scale);
  return absl::OkStatus();
}

absl::Status DenseStore::Add(absl::Span<const uint64_t> keys, absl::Span<const float> values) {
  RETURN_IF_ERROR(Touch(keys, values.size()));
  const float* value = values.data();
  for (float* row : batch_) {
    for (uint32_t d = 0; d < spec_.dim; ++d) row[d] += *value++;
    WeightsChanged(row);
  }
  return absl::OkStatus();
}

absl::Status DenseStore::Assign(absl::Span<const uint64_t> keys, absl::Span<const float> values) {
  RETURN_IF_ERROR(Touch(keys, values.size()));
  const float* value = values.data();
  for (float* row : batch_) {
    std::copy_n(value, spec_.dim, row);
    WeightsChanged(row);
    value += spec_.dim;
  }
  return absl::OkStatus();
}

void DenseStore::Export(std::vector<uint64_t>* keys, std::vector<float>* rows) const {
  keys->clear();
  rows->clear();
  keys->reserve(touched_rows_);
  rows->reserve(touched_rows_ * width_);
  for (uint64_t i = 0; i < touched_.size(); ++i) {
    if (!touched_[i]) continue;
    keys->push_back(first_ + i);
    const float* row = RowOf(first_ + i);
    rows->insert(rows->end(), row, row + width_);
  }
}

absl::Status DenseStore::Import(absl::Span<const uint64_t> keys, absl::Span<const float> rows) {
  RETURN_IF_ERROR(CheckFloats(spec_, keys.size(), width_, rows.size()));
  RETURN_IF_ERROR(CheckImportedKeys(spec_, partition_, keys));
  if (keys.empty()) {
    Free();
    return absl::OkStatus();
  }
  if (block_ == nullptr) {
    RETURN_IF_ERROR(Allocate());
  } else {
    ResetRows(block_.get());
    touched_.assign(count_, false);
    touched_rows_ = 0;
  }
  const float* from = rows.data();
  for (const uint64_t key : keys) {
    std::copy_n(from, width_, RowOf(key));
    Mark(key);
    from += width_;
  }
  return absl::OkStatus();
}

absl::Status DenseStore::CheckKeys(absl::Span<const uint64_t> keys) const {
  for (const uint64_t key : keys) {
    if (key >= spec_.rows) {
      return absl::InvalidArgumentError(absl::StrCat(
          "table ", spec_.name, ": key ", key, " is not below the table's ", spec_.rows, " rows"));
    }
    if (key - first_ >= count_) {  // Wraps for a key below the block.
      return absl::InvalidArgumentError(absl::StrCat("table ", spec_.name, ": key ", key,
                                                     " does not belong to partition ", partition_));
    }
  }
  return absl::OkStatus();
}

absl::Status DenseStore::Touch(absl::Span<const uint64_t> keys, size_t floats) {
  RETURN_IF_ERROR(CheckFloats(spec_, keys.size(), spec_.dim, floats));
  RETURN_IF_ERROR(CheckKeys(keys));
  if (block_ == nullptr && !keys.empty()) RETURN_IF_ERROR(Allocate());
  batch_.clear();
  for (const uint64_t key : keys) {
    batch_.push_back(RowOf(key));
    Mark(key);
  }
  return absl::OkStatus();
}

absl::Status DenseStore::Allocate() {
  const uint64_t bytes = BlockBytes();
  RETURN_IF_ERROR(TakeMemory(spec_, partition_, count_, bytes, memory_));
  std::unique_ptr<float[]> block;
  if (bytes < static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
    block.reset(new (std::nothrow) float[count_ * width_]);
  }
  if (block == nullptr) {
    if (memory_ != nullptr) memory_->GiveBack(bytes);
    return absl::ResourceExhaustedError(
        absl::StrCat("table ", spec_.name, " partition ", partition_, ": no memory for ", count_,
                     " rows of ", width_ * sizeof(float), " bytes"));
  }
  ResetRows(block.get());
  touched_.assign(count_, false);
  touched_rows_ = 0;
  block_ = std::move(block);
  return absl::OkStatus();
}

void DenseStore::Free() {
  if (block_ == nullptr) return;
  block_.reset();
  touched_ = {};
  touched_rows_ = 0;
  if (memory_ != nullptr) memory_->GiveBack(BlockBytes());
}

void DenseStore::ResetRows(float* block) const {
  for (uint64_t i = 0; i < count_; ++i) {
    const auto weights = absl::MakeSpan(block + i * width_, spec_.dim);
    InitialValue(spec_.initializer, spec_.seed, first_ + i, weights);
    optimizer_->InitState(weights, absl::MakeSpan(weights.data() + spec_.dim, state_width_));
  }
}

void DenseStore::Mark(uint64_t key) {
  if (touched_[key - first_]) return;
  touched_[key - first_] = true;
  ++touched_rows_;
}

void DenseStore::WeightsChanged(float* row) const {
  optimizer_->WeightsChanged(absl::MakeConstSpan(row, spec_.dim),
                             absl::MakeSpan(row + spec_.dim, state_width_));
}

}  // namespace seraph
