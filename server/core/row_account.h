// SPDX-License-Identifier: Apache-2.0
// How the stores of a server pay for rows out of its one budget.
#ifndef SERAPH_SERVER_CORE_ROW_ACCOUNT_H_
#define SERAPH_SERVER_CORE_ROW_ACCOUNT_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>

#include "server/core/memory_budget.h"
#include "server/table/row_memory.h"

namespace seraph {

// Bytes set aside for the rows that one push may make, in whichever partitions: with them a push
// makes all its rows or was refused before it made any. What is not drawn is given back at the end.
// Thread-safe.
class RowCredit {
 public:
  // `budget` already counts the bytes, and outlives the credit.
  RowCredit(MemoryBudget* budget, int64_t bytes) : budget_(budget), left_(bytes) {}
  ~RowCredit() { budget_->Take(-left_.load(std::memory_order_relaxed)); }
  RowCredit(const RowCredit&) = delete;
  RowCredit& operator=(const RowCredit&) = delete;

  // Up to `bytes`, which are rows' from now on.
  int64_t Draw(int64_t bytes) {
    int64_t left = left_.load(std::memory_order_relaxed);
    int64_t drawn = 0;
    do {
      drawn = std::min(left, bytes);
    } while (!left_.compare_exchange_weak(left, left - drawn, std::memory_order_relaxed));
    budget_->TurnIntoRows(drawn);
    return drawn;
  }

 private:
  MemoryBudget* const budget_;
  std::atomic<int64_t> left_;
};

// One store's. Used by its executor alone.
class RowAccount : public RowMemory {
 public:
  // `budget` outlives the account.
  explicit RowAccount(MemoryBudget* budget) : budget_(budget) {}

  // Rows are drawn from here first until it is set anew; may be null.
  void set_credit(RowCredit* credit) { credit_ = credit; }

  bool Take(uint64_t bytes) override {
    // No memory comes near 2^62 bytes, and no sum below can wrap.
    const auto wanted = static_cast<int64_t>(std::min(bytes, uint64_t{1} << 62));
    const int64_t drawn = credit_ == nullptr ? 0 : credit_->Draw(wanted);
    if (drawn == wanted || budget_->TryTakeRows(wanted - drawn)) return true;
    budget_->GiveBackRows(drawn);
    return false;
  }
  void GiveBack(uint64_t bytes) override { budget_->GiveBackRows(static_cast<int64_t>(bytes)); }
  uint64_t used() const override { return static_cast<uint64_t>(budget_->used()); }
  uint64_t limit() const override { return static_cast<uint64_t>(budget_->limit()); }

 private:
  MemoryBudget* const budget_;
  RowCredit* credit_ = nullptr;
};

}  // namespace seraph

#endif  // SERAPH_SERVER_CORE_ROW_ACCOUNT_H_
