// SPDX-License-Identifier: Apache-2.0
#include "server/table/sparse_store.h"

#include <algorithm>

#include "common/status_macros.h"
#include "server/table/batch_checks.h"
#include "server/table/initializer.h"
#include "server/table/row_memory.h"

namespace seraph {
SparseStore::SparseStore(const PartitionStoreOptions& options)
    : spec_(options.spec),
      partition_(options.partition),
      optimizer_(options.optimizer),
      memory_(options.memory),
      state_width_(optimizer_->StateWidth(spec_.dim)),
      slabs_(std::make_unique<RowSlabs>(spec_.dim + state_width_)),
      row_bytes_(RowBytes(TableKind::kSparse, spec_.dim, state_width_)) {}

SparseStore::~SparseStore() {
  if (memory_ != nullptr) memory_->GiveBack(resident_bytes());
}

template <typename Fill>
absl::Status SparseStore::Copy(absl::Span<const uint64_t> keys, absl::Span<float> out,
                               const Fill& fill) const {
  RETURN_IF_ERROR(CheckFloats(spec_, keys.size(), spec_.dim, out.size()));
  float* to = out.data();
  for (const uint64_t key : keys) {
    const auto found = index_.find(key);
    if (found != index_.end()) {
      std::copy_n(found->second, spec_.dim, to);
    } else {
      fill(key, absl::MakeSpan(to, spec_.dim));
    }
    to += spec_.dim;
  }
  return absl::OkStatus();
}

absl::Status SparseStore::Gather(absl::Span<const uint64_t> keys, absl::Span<float> out) const {
  return Copy(keys, out, [this](uint64_t key, absl::Span<float> weights) {
    InitialValue(spec_.initializer, spec_.seed, key, weights);
  });
}

absl::Status SparseStore::GatherWritten(absl::Span<const uint64_t> keys,
                                        absl::Span<float> out) const {
  return Copy(keys, out, [](uint64_t, absl::Span<float> weights) {
    std::fill(weights.begin(), weights.end(), 0.0f);
  });
}

absl::Status SparseStore::ApplyGradients(absl::Span<const uint64_t> keys,
                                         absl::Span<const float> gradients, float rate_scale) {
  RETURN_IF_ERROR(CheckFloats(spec_, keys.size(), spec_.dim, gradients.size()));
  RETURN_IF_ERROR(FindOrCreate(keys));
  optimizer_->Apply(spec_.dim, batch_, gradients, rate_scale);
  return absl::OkStatus();
}

absl::Status SparseStore::Add(absl::Span<const uint64_t> keys, absl::Span<const float> values) {
  RETURN_IF_ERROR(CheckFloats(spec_, keys.size(), spec_.dim, values.size()));
  RETURN_IF_ERROR(FindOrCreate(keys));
  const float* value = values.data();
  for (float* row : batch_) {
    for (uint32_t d = 0; d < spec_.dim; ++d) row[d] += *value++;
    WeightsChanged(row);
  }
  return absl::OkStatus();
}

absl::Status SparseStore::Assign(absl::Span<const uint64_t> keys, absl::Span<const float> values) {
  RETURN_IF_ERROR(CheckFloats(spec_, keys.size(), spec_.dim, values.size()));
  RETURN_IF_ERROR(FindOrCreate(keys));
  const float* value = values.data();
  for (float* row : batch_) {
    std::copy_n(value, spec_.dim, row);
    WeightsChanged(row);
    value += spec_.dim;
  }
  return absl::OkStatus();
}

void SparseStore::Export(std::vector<uint64_t>* keys, std::vector<float>* rows) const {
  const size_t width = spec_.dim + state_width_;
  keys->clear();
  keys->reserve(index_.size());
  for (const auto& entry : index_) keys->push_back(entry.first);
  std::sort(keys->begin(), keys->end());
  rows->resize(keys->size() * width);
  float* to = rows->data();
  for (const uint64_t key : *keys) to = std::copy_n(index_.find(key)->second, width, to);
}

absl::Status SparseStore::Import(absl::Span<const uint64_t> keys, absl::Span<const float> rows) {
  const size_t width = spec_.dim + state_width_;
  RETURN_IF_ERROR(CheckFloats(spec_, keys.size(), width, rows.size()));
  RETURN_IF_ERROR(CheckImportedKeys(spec_, partition_, keys));
  if (keys.size() > index_.size()) {
    const uint64_t more = keys.size() - index_.size();
    RETURN_IF_ERROR(TakeMemory(spec_, partition_, more, more * row_bytes_, memory_));
  } else if (memory_ != nullptr) {
    memory_->GiveBack((index_.size() - keys.size()) * row_bytes_);
  }
  // Freed before the new rows come, so that a restore does not need twice the memory.
  index_ = {};
  slabs_ = std::make_unique<RowSlabs>(width);
  index_.reserve(keys.size());
  const float* from = rows.data();
  for (const uint64_t key : keys) {
    float* const row = slabs_->Allocate();
    std::copy_n(from, width, row);
    index_.emplace(key, row);
    from += width;
  }
  return absl::OkStatus();
}

absl::Status SparseStore::FindOrCreate(absl::Span<const uint64_t> keys) {
  batch_.resize(keys.size());
  uint64_t missing = 0;
  for (size_t i = 0; i < keys.size(); ++i) {
    const auto found = index_.find(keys[i]);
    batch_[i] = found == index_.end() ? nullptr : found->second;
    missing += batch_[i] == nullptr;
  }
  if (missing == 0) return absl::OkStatus();
  RETURN_IF_ERROR(TakeMemory(spec_, partition_, missing, missing * row_bytes_, memory_));
  for (size_t i = 0; i < keys.size(); ++i) {
    if (batch_[i] == nullptr) batch_[i] = Create(keys[i]);
  }
  return absl::OkStatus();
}

float* SparseStore::Create(uint64_t key) {
  const auto [entry, is_new] = index_.try_emplace(key, nullptr);
  if (!is_new) return entry->second;
  float* const row = slabs_->Allocate();
  const auto weights = absl::MakeSpan(row, spec_.dim);
  InitialValue(spec_.initializer, spec_.seed, key, weights);
  optimizer_->InitState(weights, absl::MakeSpan(row + spec_.dim, state_width_));
  return entry->second = row;
}

uint64_t SparseStore::BytesToAdd(absl::Span<const uint64_t> keys) const {
  const auto missing = std::count_if(keys.begin(), keys.end(),
                                     [this](uint64_t key) { return !index_.contains(key); });
  return static_cast<uint64_t>(missing) * row_bytes_;
}

void SparseStore::WeightsChanged(float* row) const {
  optimizer_->WeightsChanged(absl::MakeConstSpan(row, spec_.dim),
                             absl::MakeSpan(row + spec_.dim, state_width_));
}

}  // namespace seraph
