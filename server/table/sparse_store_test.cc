// SPDX-License-Identifier: Apache-2.0
#include "server/table/sparse_store.h"

#include <limits>

#include "common/partitioning.h"
#include "common/random.h"
#include "tests/contract/limited_memory.h"
#include "tests/contract/partition_store_contract.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr uint64_t kMaxKey = std::numeric_limits<uint64_t>::max();

TableSpec Spec(const std::string& optimizer, uint32_t dim, uint32_t partitions) {
  TableSpec spec;
  spec.name = "embedding";
  spec.kind = TableKind::kSparse;
  spec.dim = dim;
  spec.partitions = partitions;
  spec.seed = 42;
  spec.initializer = {InitializerSpec::Type::kUniform, 0.5};
  spec.optimizer.type = optimizer;
  return spec;
}

// One partition holds any key: the ends of the range, 2^24 and 2^53 and their neighbours.
PartitionStoreContract AnyKeys(const std::string& optimizer, uint32_t dim) {
  return {Spec(optimizer, dim, 1),
          0,
          {0, 1, uint64_t{1} << 63, kMaxKey - 2, kMaxKey - 1, kMaxKey, (1 << 24) - 1, 1 << 24,
           (1 << 24) + 1, uint64_t{1} << 53, (uint64_t{1} << 53) + 1, 7},
          optimizer};
}

// Many keys of one partition of 256.
PartitionStoreContract ManyKeys(const std::string& optimizer, uint32_t dim) {
  PartitionStoreContract contract = {Spec(optimizer, dim, 256), 17, {}, optimizer + ", many keys"};
  for (uint64_t key = 100'000; contract.keys.size() < 500; --key) {
    if (PartitionOf(contract.spec, key) == 17) contract.keys.push_back(key);
  }
  return contract;
}

INSTANTIATE_TEST_SUITE_P(Sparse, PartitionStoreContractTest,
                         ::testing::Values(AnyKeys("sgd", 1), AnyKeys("adagrad", 3),
                                           AnyKeys("ftrl", 16), ManyKeys("adagrad", 8),
                                           ManyKeys("sgd", 1025)));

class SparseStoreTest : public ::testing::Test {
 protected:
  std::unique_ptr<SparseStore> NewStore(RowMemory* memory = nullptr) const {
    return std::make_unique<SparseStore>(
        PartitionStoreOptions{Spec("adagrad", 4, 1), 0, optimizer_.get(), memory});
  }
  const std::unique_ptr<Optimizer> optimizer_ =
      NewOptimizer(Spec("adagrad", 4, 1).optimizer).value();
};

// Case 11: more new keys in one request than the limit allows.
TEST_F(SparseStoreTest, MoreNewKeysThanFitAreRefusedTogether) {
  LimitedMemory memory(1000);
  const auto store = NewStore(&memory);
  std::vector<uint64_t> keys(100);
  for (size_t i = 0; i < keys.size(); ++i) keys[i] = i;
  EXPECT_THAT(store->Add(keys, std::vector<float>(400, 1)),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       AllOf(HasSubstr("embedding"), HasSubstr("100 new rows"),
                             HasSubstr("of 1000 bytes"))));
  EXPECT_EQ(store->rows(), 0u);
}

TEST_F(SparseStoreTest, RowsKeepTheirValuesWhileTheIndexGrows) {
  const auto store = NewStore();
  SplitMix64 random(3);
  std::vector<uint64_t> keys;
  for (int i = 0; i < 20'000; ++i) keys.push_back(random.Next());
  for (size_t i = 0; i < keys.size(); ++i) {
    ASSERT_OK(store->Assign({keys[i]}, std::vector<float>(4, static_cast<float>(i))));
  }
  std::vector<float> out(keys.size() * 4);
  ASSERT_OK(store->Gather(keys, absl::MakeSpan(out)));
  for (size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], static_cast<float>(i / 4));
}

TEST_F(SparseStoreTest, BytesGrowByTheSameForEveryRow) {
  const auto store = NewStore();
  EXPECT_EQ(store->resident_bytes(), 0u);
  ASSERT_OK(store->Add({1}, std::vector<float>(4, 1)));
  const uint64_t one = store->resident_bytes();
  EXPECT_GE(one, 8 + 4 * (4 + 4u));
  ASSERT_OK(store->Add({2, 3}, std::vector<float>(8, 1)));
  EXPECT_EQ(store->resident_bytes(), 3 * one);
}

TEST_F(SparseStoreTest, ImportOfKeysOfAnotherPartitionIsRefused) {
  const TableSpec spec = Spec("adagrad", 4, 256);
  SparseStore store({spec, PartitionOf(spec, 5) ^ 1, optimizer_.get()});
  EXPECT_THAT(store.Import({5}, std::vector<float>(8, 1)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("key 5"), HasSubstr(std::to_string(PartitionOf(spec, 5))))));
}

}  // namespace
}  // namespace seraph
