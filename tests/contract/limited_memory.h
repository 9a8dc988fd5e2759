// SPDX-License-Identifier: Apache-2.0
// A RowMemory of a fixed number of bytes.
#ifndef SERAPH_TESTS_CONTRACT_LIMITED_MEMORY_H_
#define SERAPH_TESTS_CONTRACT_LIMITED_MEMORY_H_

#include <cstdint>

#include "server/table/row_memory.h"

namespace seraph {

class LimitedMemory : public RowMemory {
 public:
  explicit LimitedMemory(uint64_t limit) : limit_(limit) {}

  bool Take(uint64_t bytes) override {
    if (bytes > limit_ - used_) return false;
    used_ += bytes;
    return true;
  }
  void GiveBack(uint64_t bytes) override { used_ -= bytes; }
  uint64_t used() const override { return used_; }
  uint64_t limit() const override { return limit_; }

 private:
  const uint64_t limit_;
  uint64_t used_ = 0;
};

}  // namespace seraph

#endif  // SERAPH_TESTS_CONTRACT_LIMITED_MEMORY_H_
