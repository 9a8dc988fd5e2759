// SPDX-License-Identifier: Apache-2.0
// How many bytes a server holds for tables and pushes, against what it may hold.
#ifndef SERAPH_SERVER_CORE_MEMORY_BUDGET_H_
#define SERAPH_SERVER_CORE_MEMORY_BUDGET_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace seraph {

// One for all tables of a server. Counted, not measured:
//   - rows with their optimizer state and index (RowBytes); of a dense table all rows that live
//     here, from the moment that it is opened
//   - parked pushes, each at what it takes once it is summed (SumBytes), and then the sums
//   - what is set aside for rows that a push under way may make
// Not counted: requests and answers on their way, what a fold or a save copies while it runs, and
// what the allocator and the program themselves take.
//
// Rows stay and all else passes: a request that does not fit beside the rows alone never will.
// Thread-safe.
class MemoryBudget {
 public:
  explicit MemoryBudget(int64_t limit) : limit_(limit) {}

  // False, and nothing is taken, when less than `leave` bytes would be left of the limit.
  bool TryTake(int64_t bytes, int64_t leave = 0) {
    int64_t used = used_.load(std::memory_order_relaxed);
    do {
      if (bytes > limit_ - leave - used) return false;
    } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
    return true;
  }
  // Takes without asking (negative: gives back).
  void Take(int64_t bytes) { used_.fetch_add(bytes, std::memory_order_relaxed); }

  // The same for rows.
  bool TryTakeRows(int64_t bytes) {
    if (!TryTake(bytes)) return false;
    TurnIntoRows(bytes);
    return true;
  }
  void GiveBackRows(int64_t bytes) {
    Take(-bytes);
    TurnIntoRows(-bytes);
  }
  // Of what was taken, so much is rows from now on.
  void TurnIntoRows(int64_t bytes) { rows_.fetch_add(bytes, std::memory_order_relaxed); }

  // Whether `bytes` would fit if all but the rows were given back.
  bool FitsBesideRows(int64_t bytes) const { return bytes <= limit_ - rows(); }

  int64_t used() const { return used_.load(std::memory_order_relaxed); }
  int64_t rows() const { return rows_.load(std::memory_order_relaxed); }
  int64_t limit() const { return limit_; }
  // Half of what the rows leave: other parked pushes leave it to those that all wait for.
  int64_t reserve() const { return std::max<int64_t>(0, limit_ - rows()) / 2; }

 private:
  const int64_t limit_;
  std::atomic<int64_t> used_{0};
  std::atomic<int64_t> rows_{0};
};

// Bytes taken from a budget (and counted in `counter`), given back when it goes. Move-only, not
// thread-safe.
class BudgetShare {
 public:
  BudgetShare() = default;
  // `budget` already counts the bytes; both outlive the share.
  BudgetShare(MemoryBudget* budget, std::atomic<int64_t>* counter, int64_t bytes)
      : budget_(budget), counter_(counter), bytes_(bytes) {
    counter_->fetch_add(bytes_, std::memory_order_relaxed);
  }
  BudgetShare(BudgetShare&& other) noexcept { *this = std::move(other); }
  BudgetShare& operator=(BudgetShare&& other) noexcept {
    ShrinkTo(0);
    budget_ = other.budget_;
    counter_ = other.counter_;
    bytes_ = std::exchange(other.bytes_, 0);
    return *this;
  }
  ~BudgetShare() { ShrinkTo(0); }

  int64_t bytes() const { return bytes_; }

  // Gives back what is above `bytes`; a smaller share stays as it is.
  void ShrinkTo(int64_t bytes) {
    if (bytes_ <= bytes) return;
    budget_->Take(bytes - bytes_);
    counter_->fetch_sub(bytes_ - bytes, std::memory_order_relaxed);
    bytes_ = bytes;
  }
  // A share of its own out of this one. REQUIRES: bytes <= bytes().
  BudgetShare Split(int64_t bytes) {
    BudgetShare part;
    part.budget_ = budget_;
    part.counter_ = counter_;
    part.bytes_ = bytes;
    bytes_ -= bytes;
    return part;
  }
  // Adds a share of the same budget and counter, or of none.
  void Merge(BudgetShare&& other) {
    if (other.bytes_ == 0) return;
    budget_ = other.budget_;
    counter_ = other.counter_;
    bytes_ += std::exchange(other.bytes_, 0);
  }

 private:
  MemoryBudget* budget_ = nullptr;
  std::atomic<int64_t>* counter_ = nullptr;
  int64_t bytes_ = 0;
};

// Rows' bytes, given back when it goes. Keeps the budget alive. Move-only.
class RowsShare {
 public:
  RowsShare() = default;
  // `budget` already counts the bytes as rows.
  RowsShare(std::shared_ptr<MemoryBudget> budget, int64_t bytes)
      : budget_(std::move(budget)), bytes_(bytes) {}
  RowsShare(RowsShare&& other) noexcept { *this = std::move(other); }
  RowsShare& operator=(RowsShare&& other) noexcept {
    std::swap(budget_, other.budget_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~RowsShare() {
    if (budget_ != nullptr) budget_->GiveBackRows(bytes_);
  }

 private:
  std::shared_ptr<MemoryBudget> budget_;
  int64_t bytes_ = 0;
};

}  // namespace seraph

#endif  // SERAPH_SERVER_CORE_MEMORY_BUDGET_H_
