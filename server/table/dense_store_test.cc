// SPDX-License-Identifier: Apache-2.0
#include "server/table/dense_store.h"

#include <numeric>

#include "common/partitioning.h"
#include "tests/contract/partition_store_contract.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TableSpec Spec(const std::string& optimizer, uint32_t dim, uint64_t rows, uint32_t partitions) {
  TableSpec spec;
  spec.name = "layer/hidden";
  spec.kind = TableKind::kDense;
  spec.dim = dim;
  spec.rows = rows;
  spec.partitions = partitions;
  spec.seed = 42;
  spec.initializer = {InitializerSpec::Type::kNormal, 0.25};
  spec.optimizer.type = optimizer;
  return spec;
}

// All rows of one partition, the last ones first.
PartitionStoreContract AllRows(const TableSpec& spec, uint32_t partition) {
  PartitionStoreContract contract = {spec, partition, {}, spec.optimizer.type};
  for (uint64_t key = spec.rows; key-- > 0;) {
    if (PartitionOf(spec, key) == partition) contract.keys.push_back(key);
  }
  return contract;
}

INSTANTIATE_TEST_SUITE_P(
    Dense, PartitionStoreContractTest,
    ::testing::Values(AllRows(Spec("sgd", 1, 12, 1), 0), AllRows(Spec("adagrad", 3, 1000, 8), 0),
                      AllRows(Spec("ftrl", 16, 1000, 64), 62),  // The last block is a short one.
                      AllRows(Spec("sgd", 1025, 40, 4), 3)));

class DenseStoreTest : public ::testing::Test {
 protected:
  DenseStore NewStore(uint64_t rows, uint32_t partitions, uint32_t partition) const {
    return DenseStore({Spec("adagrad", 2, rows, partitions), partition, optimizer_.get()});
  }
  const std::unique_ptr<Optimizer> optimizer_ = NewOptimizer({.type = "adagrad"}).value();
};

// Case 16: a table of one element, 10 rows over more partitions than rows.
TEST_F(DenseStoreTest, FewerRowsThanPartitionsWork) {
  for (const uint64_t rows : {1, 10, 255, 256, 257, 1000}) {
    uint64_t found = 0;
    for (uint32_t partition = 0; partition < 256; ++partition) {
      DenseStore store = NewStore(rows, 256, partition);
      std::vector<uint64_t> keys(rows);
      std::iota(keys.begin(), keys.end(), 0);
      std::erase_if(keys, [&](uint64_t key) {
        return PartitionOf(Spec("sgd", 2, rows, 256), key) != partition;
      });
      EXPECT_OK(store.Add(keys, std::vector<float>(2 * keys.size(), 1)));
      EXPECT_EQ(store.rows(), keys.size());
      found += store.rows();
    }
    EXPECT_EQ(found, rows);
  }
}

TEST_F(DenseStoreTest, KeyOutsideTheTableIsRefusedWithKeyAndRowsAndNothingChanges) {
  DenseStore store = NewStore(10, 1, 0);
  std::vector<float> values(4, 1);
  const auto refused = StatusIs(absl::StatusCode::kInvalidArgument,
                                AllOf(HasSubstr("key 10"), HasSubstr("10 rows")));
  EXPECT_THAT(store.Gather({9, 10}, absl::MakeSpan(values)), refused);
  EXPECT_THAT(values, ElementsAre(1, 1, 1, 1));
  EXPECT_THAT(store.ApplyGradients({9, 10}, values, 1.0f), refused);
  EXPECT_THAT(store.Add({9, 10}, values), refused);
  EXPECT_THAT(store.Assign({9, 10}, values), refused);
  EXPECT_THAT(store.Import({9, 10}, std::vector<float>(8, 1)), refused);
  EXPECT_EQ(store.rows(), 0u);
  EXPECT_THAT(store.Gather({~uint64_t{0}}, absl::MakeSpan(values).first(2)),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("18446744073709551615")));
}

TEST_F(DenseStoreTest, KeyOfAnotherPartitionIsRefused) {
  DenseStore store = NewStore(100, 4, 1);  // Rows 25..49.
  std::vector<float> values(2, 1);
  for (const uint64_t key : {0, 24, 50, 99}) {
    EXPECT_THAT(store.Gather({key}, absl::MakeSpan(values)),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("partition 1")));
    EXPECT_THAT(store.Add({key}, values),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("partition 1")));
  }
  EXPECT_OK(store.Add({25}, values));
  EXPECT_OK(store.Add({49}, values));
}

TEST_F(DenseStoreTest, OnlyWrittenRowsAreExported) {
  DenseStore store = NewStore(100, 1, 0);
  ASSERT_OK(store.Add({70, 3}, std::vector<float>(4, 0)));
  std::vector<uint64_t> keys;
  std::vector<float> rows;
  store.Export(&keys, &rows);
  EXPECT_THAT(keys, ElementsAre(3, 70));
}

TEST_F(DenseStoreTest, NothingIsAllocatedBeforeTheFirstWrite) {
  DenseStore store = NewStore(uint64_t{1} << 40, 1, 0);
  std::vector<float> out(2);
  ASSERT_OK(store.Gather({123456789}, absl::MakeSpan(out)));
  EXPECT_EQ(store.resident_bytes(), 0u);
}

TEST_F(DenseStoreTest, TableTooLargeForAnyMachineIsRefusedNotFatal) {
  for (const uint64_t rows : {uint64_t{1} << 59, ~uint64_t{0}}) {
    DenseStore store = NewStore(rows, 1, 0);
    EXPECT_THAT(store.Add({rows - 1}, {1, 1}),
                StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("layer/hidden")));
    EXPECT_EQ(store.rows(), 0u);
  }
}

}  // namespace
}  // namespace seraph
