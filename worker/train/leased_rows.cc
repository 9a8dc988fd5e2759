// SPDX-License-Identifier: Apache-2.0
#include "worker/train/leased_rows.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"

namespace seraph {

absl::StatusOr<v1::LeaseShardReply> LeasedRows::Ask(bool want) {
  v1::LeaseShard request;
  request.set_job(options_.job);
  request.set_rank(options_.rank);
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
  reader_ = std::make_unique<EpochReader>(options_.data, options_.index, std::move(order));
  return true;
}

void LeasedRows::EndLeaseIfRead() {
  if (reader_ == nullptr || next_ < reader_->rows()) return;
  read_.push_back(lease_);
  reader_.reset();
}

absl::StatusOr<bool> LeasedRows::NextBatch(BatchBuilder* batch) {
  batch->Clear();
  while (batch->batch().rows() < options_.batch_size && !exhausted_) {
    EndLeaseIfRead();
    if (reader_ == nullptr) {
      ASSIGN_OR_RETURN(const bool leased, Lease());
      exhausted_ = !leased;
      continue;
    }
    ASSIGN_OR_RETURN(const bool good, reader_->Read(next_++, &row_));
    if (good) batch->Add(row_);
  }
  return batch->batch().rows() > 0;
}

absl::Status LeasedRows::Learned() {
  EndLeaseIfRead();
  learned_.insert(learned_.end(), read_.begin(), read_.end());
  read_.clear();
  if (!exhausted_ || learned_.empty()) return absl::OkStatus();  // The next Lease reports them.
  return Ask(false).status();
}

}  // namespace seraph
