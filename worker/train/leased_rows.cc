// SPDX-License-Identifier: Apache-2.0
#include "worker/train/leased_rows.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"

namespace seraph {

absl::StatusOr<v1::LeaseShardReply> LeasedRows::Ask(bool want) {
  v1::LeaseShard request;
  Sign(options_.seat, &request);
  request.set_epoch(options_.epoch);
  for (const uint64_t lease : learned_) request.add_done(lease);
  request.set_want(want);
  ASSIGN_OR_RETURN(v1::LeaseShardReply reply,
                   options_.agent->LeaseShard(request, options_.deadline));
  learned_.clear();
  return reply;
}

absl::StatusOr<bool> LeasedRows::Lease() {
  ASSIGN_OR_RETURN(const v1::LeaseShardReply reply, Ask(true));
  if (reply.lease() == 0) return false;
  for (const uint32_t block : reply.block()) {
    if (block >= options_.index->blocks.size()) {
      return absl::InternalError(absl::StrCat("the scheduler leases block ", block, " of ",
                                              options_.index->blocks.size()));
    }
  }
  lease_ = reply.lease();
  next_ = 0;
  EpochOrder order(*options_.index, {reply.block().begin(), reply.block().end()}, options_.seed,
                   options_.order_epoch);
  reader_ = std::make_unique<EpochReader>(options_.data, options_.index, std::move(order),
                                          options_.hold_out);
  return true;
}

absl::StatusOr<bool> LeasedRows::NextRow(std::vector<uint64_t>* ended) {
  while (!exhausted_) {
    if (reader_ != nullptr && next_ == reader_->rows()) {
      ended->push_back(lease_);
      reader_.reset();
    }
    if (reader_ == nullptr) {
      ASSIGN_OR_RETURN(const bool leased, Lease());
      exhausted_ = !leased;
      continue;
    }
    ASSIGN_OR_RETURN(const bool good, reader_->Read(next_++, &row_));
    if (good) return true;
  }
  return false;
}

absl::Status LeasedRows::ReadAhead() {
  const size_t wanted = (options_.batch_size + 1) / 2;
  if (ahead_.size() < wanted) ahead_.resize(wanted);
  while (ahead_rows_ < wanted) {
    ASSIGN_OR_RETURN(const bool more, NextRow(&in_ahead_));
    if (!more) break;
    std::swap(ahead_[ahead_rows_++], row_);
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> LeasedRows::NextBatch(BatchBuilder* batch) {
  batch->Clear();
  const auto take_ahead = [&] {
    for (size_t i = 0; i < ahead_rows_; ++i) batch->Add(ahead_[i]);
    ahead_rows_ = 0;
    in_batch_.insert(in_batch_.end(), in_ahead_.begin(), in_ahead_.end());
    in_ahead_.clear();
  };
  take_ahead();
  while (batch->batch().rows() < options_.batch_size) {
    ASSIGN_OR_RETURN(const bool more, NextRow(&in_batch_));
    if (!more) break;
    batch->Add(row_);
  }
  RETURN_IF_ERROR(ReadAhead());
  if (exhausted_) take_ahead();
  return batch->batch().rows() > 0;
}

absl::Status LeasedRows::Learned() {
  learned_.insert(learned_.end(), in_batch_.begin(), in_batch_.end());
  in_batch_.clear();
  if (!exhausted_ || learned_.empty()) return absl::OkStatus();  // The next Lease reports them.
  return Ask(false).status();
}

}  // namespace seraph
