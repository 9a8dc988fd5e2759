// SPDX-License-Identifier: Apache-2.0
// What every kind of partition store must hold to. A new kind joins with one line in its own test:
//
//   INSTANTIATE_TEST_SUITE_P(Sparse, PartitionStoreContractTest, ::testing::Values(...));
#ifndef SERAPH_TESTS_CONTRACT_PARTITION_STORE_CONTRACT_H_
#define SERAPH_TESTS_CONTRACT_PARTITION_STORE_CONTRACT_H_

#include <cstdint>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "common/table_spec.h"
#include "gtest/gtest.h"
#include "server/optimizer/optimizer.h"
#include "server/table/partition_store.h"

namespace seraph {

struct PartitionStoreContract {
  TableSpec spec;
  uint32_t partition = 0;
  std::vector<uint64_t> keys;  // Of this partition: distinct, at least 8, in no order.
  std::string label;           // For people.
};

inline void PrintTo(const PartitionStoreContract& contract, std::ostream* out) {
  *out << contract.label;
}

class PartitionStoreContractTest : public ::testing::TestWithParam<PartitionStoreContract> {
 protected:
  PartitionStoreContractTest();

  // What of a store can be seen from outside; equal contents compare equal bit for bit.
  struct Contents {
    std::vector<uint64_t> keys;
    std::vector<uint32_t> row_bits;
    bool operator==(const Contents&) const = default;
  };

  std::unique_ptr<PartitionStore> NewStore(RowMemory* memory = nullptr) const;
  std::unique_ptr<PartitionStore> NewStoreOf(const TableSpec& spec) const;
  static Contents ContentsOf(const PartitionStore& store);
  static std::vector<float> Weights(const PartitionStore& store, absl::Span<const uint64_t> keys,
                                    uint32_t dim);
  std::vector<float> Weights(const PartitionStore& store, absl::Span<const uint64_t> keys) const {
    return Weights(store, keys, spec_.dim);
  }
  std::vector<float> WeightsOf(const PartitionStore& store, uint64_t key) const {
    return Weights(store, absl::MakeConstSpan(&key, 1));
  }
  // `count` rows of distinct values.
  std::vector<float> Values(size_t count, float first = 1) const;

  const TableSpec spec_;
  const std::vector<uint64_t> keys_;
  const std::unique_ptr<Optimizer> optimizer_;
};

}  // namespace seraph

#endif  // SERAPH_TESTS_CONTRACT_PARTITION_STORE_CONTRACT_H_
