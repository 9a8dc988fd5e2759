// SPDX-License-Identifier: Apache-2.0
#include "tests/contract/partition_store_contract.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "absl/strings/str_cat.h"
#include "common/random.h"
#include "tests/contract/limited_memory.h"
#include "tests/status_matchers.h"

namespace seraph {

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PartitionStoreContractTest);

using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

PartitionStoreContractTest::PartitionStoreContractTest()
    : spec_(GetParam().spec),
      keys_(GetParam().keys),
      optimizer_(NewOptimizer(GetParam().spec.optimizer).value()) {}

std::unique_ptr<PartitionStore> PartitionStoreContractTest::NewStore(RowMemory* memory) const {
  return NewPartitionStore({.spec = spec_,
                            .partition = GetParam().partition,
                            .optimizer = optimizer_.get(),
                            .memory = memory});
}

std::unique_ptr<PartitionStore> PartitionStoreContractTest::NewStoreOf(
    const TableSpec& spec) const {
  return NewPartitionStore(
      {.spec = spec, .partition = GetParam().partition, .optimizer = optimizer_.get()});
}

PartitionStoreContractTest::Contents PartitionStoreContractTest::ContentsOf(
    const PartitionStore& store) {
  Contents contents;
  std::vector<float> rows;
  store.Export(&contents.keys, &rows);
  for (const float value : rows) contents.row_bits.push_back(std::bit_cast<uint32_t>(value));
  return contents;
}

std::vector<float> PartitionStoreContractTest::Weights(const PartitionStore& store,
                                                       absl::Span<const uint64_t> keys,
                                                       uint32_t dim) {
  std::vector<float> out(keys.size() * dim, std::nanf(""));
  EXPECT_OK(store.Gather(keys, absl::MakeSpan(out)));
  return out;
}

std::vector<float> PartitionStoreContractTest::Values(size_t count, float first) const {
  std::vector<float> values(count * spec_.dim);
  for (size_t i = 0; i < values.size(); ++i) values[i] = first + 0.25f * static_cast<float>(i);
  return values;
}

namespace {

TEST_P(PartitionStoreContractTest, EmptyBatchesAreAnsweredAndChangeNothing) {
  const auto store = NewStore();
  EXPECT_OK(store->Gather({}, {}));
  EXPECT_OK(store->ApplyGradients({}, {}, 1.0f));
  EXPECT_OK(store->Add({}, {}));
  EXPECT_OK(store->Assign({}, {}));
  EXPECT_EQ(store->rows(), 0u);
  EXPECT_THAT(ContentsOf(*store).keys, IsEmpty());
}

TEST_P(PartitionStoreContractTest, ScoringReadsZerosWhereASparseRowIsNotThere) {
  TableSpec spec = spec_;
  spec.initializer = {.type = InitializerSpec::Type::kConstant, .value = 3};
  const auto store = NewStoreOf(spec);
  const uint64_t written = keys_[0], other = keys_[3];
  // A push makes a row, even one that changes nothing.
  ASSERT_OK(store->Add({written}, std::vector<float>(spec.dim, 0.0f)));
  const std::vector<uint64_t> asked = {other, written, other};
  EXPECT_THAT(Weights(*store, asked, spec.dim), Each(3));
  std::vector<float> read(asked.size() * spec.dim, std::nanf(""));
  ASSERT_OK(store->GatherWritten(asked, absl::MakeSpan(read)));
  std::vector<float> expected(asked.size() * spec.dim, spec.kind == TableKind::kSparse ? 0 : 3);
  std::fill_n(expected.begin() + spec.dim, spec.dim, 3.0f);
  EXPECT_EQ(read, expected);
  EXPECT_EQ(store->rows(), 1u);
}

TEST_P(PartitionStoreContractTest, RepeatedKeysOfAReadFillEveryPlace) {
  const auto store = NewStore();
  ASSERT_OK(store->Assign(keys_, Values(keys_.size())));
  const uint64_t a = keys_[0], b = keys_[3];
  const std::vector<float> rows = Weights(*store, {a, b, a, a, b});
  std::vector<float> expected;
  for (const uint64_t key : {a, b, a, a, b}) {
    const std::vector<float> row = WeightsOf(*store, key);
    expected.insert(expected.end(), row.begin(), row.end());
  }
  EXPECT_EQ(rows, expected);
}

TEST_P(PartitionStoreContractTest, RowsComeInTheOrderOfTheRequest) {
  const auto store = NewStore();
  const std::vector<float> values = Values(keys_.size());
  ASSERT_OK(store->Assign(keys_, values));
  EXPECT_EQ(Weights(*store, keys_), values);
  std::vector<uint64_t> descending = keys_;
  std::sort(descending.rbegin(), descending.rend());
  const std::vector<float> rows = Weights(*store, descending);
  for (size_t i = 0; i < descending.size(); ++i) {
    const size_t at = std::find(keys_.begin(), keys_.end(), descending[i]) - keys_.begin();
    EXPECT_EQ(rows[i * spec_.dim], values[at * spec_.dim]);
  }
}

TEST_P(PartitionStoreContractTest, KeysOfTheContractAreDistinctRows) {
  const auto store = NewStore();
  for (size_t i = 0; i < keys_.size(); ++i) {
    ASSERT_OK(store->Assign({keys_[i]}, std::vector<float>(spec_.dim, 100.0f + i)));
  }
  EXPECT_EQ(store->rows(), keys_.size());
  for (size_t i = 0; i < keys_.size(); ++i) {
    EXPECT_THAT(WeightsOf(*store, keys_[i]), Each(100.0f + i)) << keys_[i];
  }
}

TEST_P(PartitionStoreContractTest, WriteToAKeyNeverReadStartsAtItsInitialValue) {
  const auto store = NewStore();
  const std::vector<float> initial = Weights(*NewStore(), keys_);
  ASSERT_OK(store->Add({keys_[2]}, std::vector<float>(spec_.dim, 2)));
  const std::vector<float> after = Weights(*store, keys_);
  for (size_t i = 0; i < initial.size(); ++i) {
    EXPECT_EQ(after[i], i / spec_.dim == 2 ? initial[i] + 2 : initial[i]) << i;
  }
  EXPECT_EQ(store->rows(), 1u);
}

TEST_P(PartitionStoreContractTest, ReadingUnseenKeysCreatesNothing) {
  const auto store = NewStore();
  ASSERT_OK(store->Add({keys_[0]}, Values(1)));
  const uint64_t bytes = store->resident_bytes();
  for (int i = 0; i < 3; ++i) Weights(*store, keys_);
  EXPECT_EQ(store->rows(), 1u);
  EXPECT_EQ(store->resident_bytes(), bytes);
  EXPECT_EQ(ContentsOf(*store).keys, std::vector<uint64_t>{keys_[0]});
}

TEST_P(PartitionStoreContractTest, InitialValueIsTheSameBeforeAndAfterCreation) {
  const auto store = NewStore();
  const std::vector<float> before = Weights(*store, keys_);
  // Adding nothing creates the rows and keeps their values; -0 is the addend that changes no bit.
  ASSERT_OK(store->Add(keys_, std::vector<float>(keys_.size() * spec_.dim, -0.0f)));
  EXPECT_EQ(store->rows(), keys_.size());
  EXPECT_EQ(Weights(*store, keys_), before);
  EXPECT_EQ(Weights(*NewStore(), keys_), before);
}

TEST_P(PartitionStoreContractTest, AnotherSeedGivesOtherInitialValues) {
  TableSpec other = spec_;
  other.seed = spec_.seed + 1;
  const std::vector<float> a = Weights(*NewStore(), keys_);
  const std::vector<float> b = Weights(*NewStoreOf(other), keys_);
  for (size_t i = 0; i < a.size(); ++i) EXPECT_NE(a[i], b[i]) << i;
}

TEST_P(PartitionStoreContractTest, StoresOfOneSpecDoNotAlias) {
  const auto a = NewStore();
  auto b = NewStore();
  ASSERT_OK(a->Assign(keys_, Values(keys_.size(), 1)));
  ASSERT_OK(b->Assign(keys_, Values(keys_.size(), 1000)));
  b.reset();
  EXPECT_EQ(Weights(*a, keys_), Values(keys_.size(), 1));
}

TEST_P(PartitionStoreContractTest, GradientsGoThroughTheOptimizer) {
  const auto store = NewStore();
  const size_t width = spec_.dim + store->state_width();
  std::vector<float> row(width);
  const auto weights = absl::MakeSpan(row).first(spec_.dim);
  const std::vector<float> initial = WeightsOf(*store, keys_[1]);
  std::copy(initial.begin(), initial.end(), weights.begin());
  optimizer_->InitState(weights, absl::MakeSpan(row).subspan(spec_.dim));
  float* const pointer = row.data();
  for (int step = 0; step < 3; ++step) {
    const std::vector<float> gradient = Values(1, static_cast<float>(step));
    optimizer_->Apply(spec_.dim, absl::MakeConstSpan(&pointer, 1), gradient, 1.0f);
    ASSERT_OK(store->ApplyGradients({keys_[1]}, gradient, 1.0f));
  }
  std::vector<uint64_t> keys;
  std::vector<float> rows;
  store->Export(&keys, &rows);
  EXPECT_EQ(rows, row);
}

TEST_P(PartitionStoreContractTest, AddAndAssignKeepTheOptimizerStateAndTheNextStepGoesOn) {
  const auto store = NewStore();
  ASSERT_OK(store->ApplyGradients({keys_[0]}, Values(1), 1.0f));
  const std::vector<float> target(spec_.dim, 0.5f);
  ASSERT_OK(store->Assign({keys_[0]}, target));
  EXPECT_EQ(WeightsOf(*store, keys_[0]), target);
  ASSERT_OK(store->Add({keys_[0]}, target));
  ASSERT_OK(store->ApplyGradients({keys_[0]}, std::vector<float>(spec_.dim, 0), 1.0f));
  for (const float weight : WeightsOf(*store, keys_[0])) EXPECT_NEAR(weight, 1, 0.1);
}

TEST_P(PartitionStoreContractTest, SizesThatDoNotFitAreRefusedWithBothNamed) {
  const auto store = NewStore();
  ASSERT_OK(store->ApplyGradients(keys_, Values(keys_.size()), 1.0f));
  const Contents before = ContentsOf(*store);
  const absl::Span<const uint64_t> three = absl::MakeConstSpan(keys_).first(3);
  const size_t right = 3 * spec_.dim;
  for (const size_t wrong : {size_t{0}, right - 1, right + 1, 2 * right}) {
    std::vector<float> values(wrong, 7.5f);
    const auto refused = StatusIs(
        absl::StatusCode::kInvalidArgument,
        AllOf(HasSubstr(absl::StrCat("need ", right)), HasSubstr(absl::StrCat("are ", wrong))));
    EXPECT_THAT(store->Gather(three, absl::MakeSpan(values)), refused);
    EXPECT_THAT(values, Each(7.5f));
    EXPECT_THAT(store->ApplyGradients(three, values, 1.0f), refused);
    EXPECT_THAT(store->Add(three, values), refused);
    EXPECT_THAT(store->Assign(three, values), refused);
  }
  EXPECT_EQ(ContentsOf(*store), before);
}

TEST_P(PartitionStoreContractTest, ExportIsAscendingAndImportGivesItBackBitForBit) {
  const auto store = NewStore();
  ASSERT_OK(store->ApplyGradients(keys_, Values(keys_.size()), 1.0f));
  ASSERT_OK(store->Assign({keys_[0]}, std::vector<float>(spec_.dim, -0.0f)));
  std::vector<uint64_t> keys = {99};  // What was there before is replaced.
  std::vector<float> rows = {99};
  store->Export(&keys, &rows);
  EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
  EXPECT_EQ(rows.size(), keys.size() * (spec_.dim + store->state_width()));

  const auto restored = NewStore();
  ASSERT_OK(restored->Add({keys_[1]}, Values(1, 500)));  // To be replaced.
  for (int twice = 0; twice < 2; ++twice) {
    ASSERT_OK(restored->Import(keys, rows));
    EXPECT_EQ(ContentsOf(*restored), ContentsOf(*store));
    EXPECT_EQ(restored->rows(), store->rows());
    EXPECT_EQ(restored->resident_bytes(), store->resident_bytes());
  }
  ASSERT_OK(store->ApplyGradients(keys_, Values(keys_.size(), 3), 1.0f));
  ASSERT_OK(restored->ApplyGradients(keys_, Values(keys_.size(), 3), 1.0f));
  EXPECT_EQ(ContentsOf(*restored), ContentsOf(*store));
}

TEST_P(PartitionStoreContractTest, RowsThatAnImportDoesNotListAreUntouchedOnesAgain) {
  const auto store = NewStore();
  const std::vector<float> initial = Weights(*store, keys_);
  ASSERT_OK(store->ApplyGradients(keys_, Values(keys_.size()), 1.0f));
  const std::vector<float> row(spec_.dim + store->state_width(), 4);
  ASSERT_OK(store->Import({keys_[0]}, row));
  EXPECT_EQ(store->rows(), 1u);
  const std::vector<float> after = Weights(*store, keys_);
  for (size_t i = 0; i < after.size(); ++i) {
    EXPECT_EQ(after[i], i < spec_.dim ? 4 : initial[i]) << i;
  }
  ASSERT_OK(store->Import({}, {}));
  EXPECT_EQ(Weights(*store, keys_), initial);
  EXPECT_EQ(store->rows(), 0u);
}

TEST_P(PartitionStoreContractTest, WrongImportsAreRefusedAndChangeNothing) {
  const auto store = NewStore();
  ASSERT_OK(store->ApplyGradients(keys_, Values(keys_.size()), 1.0f));
  const Contents before = ContentsOf(*store);
  const size_t width = spec_.dim + store->state_width();
  std::vector<uint64_t> sorted = keys_;
  std::sort(sorted.begin(), sorted.end());
  const std::vector<float> rows(2 * width, 1);
  const auto refused = [](const std::string& what) {
    return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(what));
  };
  EXPECT_THAT(store->Import({sorted[0], sorted[1]}, Values(1)), refused("2 keys"));
  EXPECT_THAT(store->Import({sorted[1], sorted[0]}, rows), refused("ascend"));
  EXPECT_THAT(store->Import({sorted[0], sorted[0]}, rows), refused("ascend"));
  EXPECT_EQ(ContentsOf(*store), before);
}

TEST_P(PartitionStoreContractTest, WriteOverTheLimitIsRefusedAndChangesNothing) {
  uint64_t bytes_of_four = 0;
  {
    const auto measure = NewStore();
    ASSERT_OK(measure->Add(absl::MakeConstSpan(keys_).first(4), Values(4)));
    bytes_of_four = measure->resident_bytes();
  }
  LimitedMemory exactly(bytes_of_four);
  {
    const auto exact = NewStore(&exactly);
    EXPECT_EQ(exact->BytesToAdd(absl::MakeConstSpan(keys_).first(4)), bytes_of_four);
    EXPECT_OK(exact->Add(absl::MakeConstSpan(keys_).first(4), Values(4)));
    EXPECT_EQ(exact->BytesToAdd(absl::MakeConstSpan(keys_).first(4)), 0u);
    EXPECT_EQ(exactly.used(), bytes_of_four);
  }
  EXPECT_EQ(exactly.used(), 0u);

  // One byte less, and the last of the rows (or a dense block as a whole) does not fit.
  LimitedMemory memory(bytes_of_four - 1);
  const auto store = NewStore(&memory);
  (void)store->ApplyGradients({keys_[0]}, Values(1), 1.0f);
  const Contents before = ContentsOf(*store);
  const uint64_t bytes = store->resident_bytes();
  const std::vector<float> weights = Weights(*store, keys_);
  const auto refused =
      StatusIs(absl::StatusCode::kResourceExhausted,
               AllOf(HasSubstr(spec_.name), HasSubstr(absl::StrCat(bytes_of_four - 1))));
  EXPECT_THAT(store->ApplyGradients(absl::MakeConstSpan(keys_).first(4), Values(4), 1.0f), refused);
  EXPECT_THAT(store->Add(absl::MakeConstSpan(keys_).first(4), Values(4)), refused);
  EXPECT_THAT(store->Assign(absl::MakeConstSpan(keys_).first(4), Values(4)), refused);
  std::vector<uint64_t> sorted(keys_.begin(), keys_.begin() + 4);
  std::sort(sorted.begin(), sorted.end());
  const std::vector<float> rows(4 * (spec_.dim + store->state_width()), 1);
  EXPECT_THAT(store->Import(sorted, rows), refused);
  EXPECT_EQ(ContentsOf(*store), before);
  EXPECT_EQ(store->resident_bytes(), bytes);
  EXPECT_EQ(memory.used(), bytes);
  EXPECT_EQ(Weights(*store, keys_), weights);
}

TEST_P(PartitionStoreContractTest, ImportsTakeAndGiveBackWhatTheRowsDiffer) {
  LimitedMemory memory(uint64_t{1} << 30);
  const auto store = NewStore(&memory);
  ASSERT_OK(store->Add(absl::MakeConstSpan(keys_).first(4), Values(4)));
  std::vector<uint64_t> sorted(keys_.begin(), keys_.begin() + 8);
  std::sort(sorted.begin(), sorted.end());
  const size_t width = spec_.dim + store->state_width();
  for (const size_t rows : {size_t{8}, size_t{2}, size_t{0}, size_t{3}}) {
    ASSERT_OK(store->Import(absl::MakeConstSpan(sorted).first(rows),
                            std::vector<float>(rows * width, 1)));
    EXPECT_EQ(store->rows(), rows);
    EXPECT_EQ(memory.used(), store->resident_bytes());
  }
}

TEST_P(PartitionStoreContractTest, RowsThatAreThereCanBeWrittenAtTheLimit) {
  const auto measure = NewStore();
  ASSERT_OK(measure->Add(keys_, Values(keys_.size())));
  LimitedMemory memory(measure->resident_bytes());
  const auto store = NewStore(&memory);
  ASSERT_OK(store->Add(keys_, Values(keys_.size())));
  EXPECT_OK(store->ApplyGradients(keys_, Values(keys_.size()), 1.0f));
  EXPECT_OK(store->Assign(keys_, Values(keys_.size())));
}

TEST_P(PartitionStoreContractTest, HundredThousandRandomOperationsAgreeWithAMap) {
  const auto store = NewStore();
  const size_t width = spec_.dim + store->state_width();
  std::map<uint64_t, std::vector<float>> model;
  const auto row_of = [&](uint64_t key) -> std::vector<float>& {
    auto [it, is_new] = model.try_emplace(key, width);
    if (is_new) {
      const std::vector<float> initial = WeightsOf(*NewStore(), key);
      std::copy(initial.begin(), initial.end(), it->second.begin());
      optimizer_->InitState(initial, absl::MakeSpan(it->second).subspan(spec_.dim));
    }
    return it->second;
  };
  const auto state_of = [&](std::vector<float>& row) {
    return absl::MakeSpan(row).subspan(spec_.dim);
  };
  SplitMix64 random(1234);
  const int64_t most = spec_.dim <= 16 ? 100'000 : 3'000;  // Wide rows: the same in less time.
  for (int64_t operations = 0; operations < most;) {
    std::vector<uint64_t> batch = keys_;
    random.Shuffle(absl::MakeSpan(batch));
    batch.resize(1 + random.NextBelow(batch.size()));
    operations += static_cast<int64_t>(batch.size());
    std::vector<float> values(batch.size() * spec_.dim);
    for (float& value : values) value = static_cast<float>(random.NextUnit() - 0.5);
    const uint64_t kind = random.NextBelow(4);
    if (kind == 0) {
      ASSERT_OK(store->ApplyGradients(batch, values, 1.0f));
    } else if (kind == 1) {
      ASSERT_OK(store->Add(batch, values));
    } else if (kind == 2) {
      ASSERT_OK(store->Assign(batch, values));
    } else {
      values = Weights(*store, batch);
    }
    for (size_t i = 0; i < batch.size(); ++i) {
      const absl::Span<const float> value =
          absl::MakeConstSpan(values).subspan(i * spec_.dim, spec_.dim);
      if (kind == 3 && model.count(batch[i]) == 0) continue;
      std::vector<float>& row = row_of(batch[i]);
      const absl::Span<const float> weights = absl::MakeConstSpan(row).first(spec_.dim);
      float* const pointer = row.data();
      if (kind == 0) {
        optimizer_->Apply(spec_.dim, absl::MakeConstSpan(&pointer, 1), value, 1.0f);
      } else if (kind == 1) {
        for (uint32_t d = 0; d < spec_.dim; ++d) row[d] += value[d];
        optimizer_->WeightsChanged(weights, state_of(row));
      } else if (kind == 2) {
        std::copy(value.begin(), value.end(), row.begin());
        optimizer_->WeightsChanged(weights, state_of(row));
      } else {
        ASSERT_TRUE(std::equal(value.begin(), value.end(), row.begin()));
      }
    }
  }
  Contents expected;
  for (const auto& [key, row] : model) {
    expected.keys.push_back(key);
    for (const float value : row) expected.row_bits.push_back(std::bit_cast<uint32_t>(value));
  }
  EXPECT_EQ(ContentsOf(*store), expected);
}

}  // namespace
}  // namespace seraph
