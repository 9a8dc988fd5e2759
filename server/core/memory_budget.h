// SPDX-License-Identifier: Apache-2.0
// How many bytes of rows and parked pushes a server holds, against what it may hold.
#ifndef SERAPH_SERVER_CORE_MEMORY_BUDGET_H_
#define SERAPH_SERVER_CORE_MEMORY_BUDGET_H_

#include <atomic>
#include <cstdint>
#include <utility>

namespace seraph {

// Thread-safe.
class MemoryBudget {
 public:
  explicit MemoryBudget(int64_t limit) : limit_(limit) {}

  // False, and nothing is taken, when it would pass the limit.
  bool TryTake(int64_t bytes) {
    int64_t used = used_.load(std::memory_order_relaxed);
    do {
      if (bytes > limit_ - used) return false;
    } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
    return true;
  }
  // Takes without asking (may be negative: gives back).
  void Take(int64_t bytes) { used_.fetch_add(bytes, std::memory_order_relaxed); }

  int64_t used() const { return used_.load(std::memory_order_relaxed); }
  int64_t limit() const { return limit_; }

 private:
  const int64_t limit_;
  std::atomic<int64_t> used_{0};
};

// Bytes taken from a budget (and counted in `counter`), given back when it goes. Move-only.
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
    Release();
    budget_ = std::exchange(other.budget_, nullptr);
    counter_ = other.counter_;
    bytes_ = other.bytes_;
    return *this;
  }
  ~BudgetShare() { Release(); }

 private:
  void Release() {
    if (budget_ == nullptr) return;
    budget_->Take(-bytes_);
    counter_->fetch_sub(bytes_, std::memory_order_relaxed);
    budget_ = nullptr;
  }
  MemoryBudget* budget_ = nullptr;
  std::atomic<int64_t>* counter_ = nullptr;
  int64_t bytes_ = 0;
};

}  // namespace seraph

#endif  // SERAPH_SERVER_CORE_MEMORY_BUDGET_H_
