// SPDX-License-Identifier: Apache-2.0
#include "common/table_spec.h"

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TableSpec Sparse() {
  TableSpec spec;
  spec.name = "weights";
  return spec;
}

TableSpec Dense() {
  TableSpec spec;
  spec.name = "bias";
  spec.kind = TableKind::kDense;
  spec.rows = 1;
  return spec;
}

TEST(TableSpecTest, DefaultsAndLimitsAreValid) {
  EXPECT_OK(ValidateTableSpec(Sparse()));
  EXPECT_OK(ValidateTableSpec(Dense()));
  TableSpec largest = Dense();
  largest.dim = 4096;
  largest.partitions = 65536;
  largest.rows = std::numeric_limits<uint64_t>::max();
  EXPECT_OK(ValidateTableSpec(largest));
}

TEST(TableSpecTest, TheLargestFloatIsAnInitialValue) {
  TableSpec spec = Sparse();
  spec.initializer.value = -std::numeric_limits<float>::max();
  EXPECT_OK(ValidateTableSpec(spec));
  spec.initializer = {InitializerSpec::Type::kNormal, 5e37};
  EXPECT_OK(ValidateTableSpec(spec));
}

TEST(TableSpecTest, NamesArePathsOfLowerCaseWords) {
  for (const char* name : {"w", "layer/0", "shared/user-emb_2.v1", "0"}) {
    TableSpec spec = Sparse();
    spec.name = name;
    EXPECT_OK(ValidateTableSpec(spec)) << name;
  }
  const std::string too_long(201, 'x');
  for (const std::string& name :
       {std::string(), std::string("W"), std::string("a b"), std::string("../a"),
        std::string("a//b"), std::string("/a"), std::string("a/"), std::string("a\n"),
        std::string("."), std::string("./a"), std::string("a/."), std::string(".."), too_long}) {
    TableSpec spec = Sparse();
    spec.name = name;
    EXPECT_THAT(ValidateTableSpec(spec),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"" + name + "\"")));
  }
}

TEST(TableSpecTest, EachBrokenLimitNamesTableFieldAndValue) {
  struct Case {
    std::function<void(TableSpec*)> break_it;
    std::string named;
  };
  const std::vector<Case> cases = {
      {[](TableSpec* s) { s->dim = 0; }, "dim 0"},
      {[](TableSpec* s) { s->dim = 4097; }, "dim 4097"},
      {[](TableSpec* s) { s->partitions = 0; }, "partitions 0"},
      {[](TableSpec* s) { s->partitions = 3; }, "partitions 3"},
      {[](TableSpec* s) { s->partitions = 131072; }, "partitions 131072"},
      {[](TableSpec* s) { s->rows = 5; }, "rows is 5"},
      {[](TableSpec* s) { s->initializer.value = NAN; }, "initializer"},
      {[](TableSpec* s) { s->initializer.value = INFINITY; }, "initializer"},
      {[](TableSpec* s) { s->initializer.value = 1e300; }, "initializer value 1e+300"},
      {[](TableSpec* s) { s->initializer.value = -3.5e38; }, "initializer"},
      {[](TableSpec* s) {
         s->initializer = {InitializerSpec::Type::kNormal, 1e38};
       },
       "initializer"},
      {[](TableSpec* s) { s->sync.staleness = -1; }, "staleness -1"},
  };
  for (const Case& c : cases) {
    TableSpec spec = Sparse();
    c.break_it(&spec);
    EXPECT_THAT(ValidateTableSpec(spec), StatusIs(absl::StatusCode::kInvalidArgument,
                                                  AllOf(HasSubstr("weights"), HasSubstr(c.named))));
  }
  TableSpec empty = Dense();
  empty.rows = 0;
  EXPECT_THAT(ValidateTableSpec(empty),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("rows")));
}

TEST(TableSpecTest, EqualSpecsDoNotDiffer) { EXPECT_EQ(DescribeDifference(Dense(), Dense()), ""); }

// A field that DescribeDifference forgets would let two tables of different shape be taken for one.
TEST(TableSpecTest, EveryFieldThatDiffersIsDescribed) {
  const std::vector<std::function<void(TableSpec*)>> changes = {
      [](TableSpec* s) { s->kind = TableKind::kDense; },
      [](TableSpec* s) { s->dim = 8; },
      [](TableSpec* s) { s->rows = 9; },
      [](TableSpec* s) { s->partitions = 16; },
      [](TableSpec* s) { s->seed = 1; },
      [](TableSpec* s) { s->initializer.type = InitializerSpec::Type::kUniform; },
      [](TableSpec* s) { s->initializer.value = 0.5; },
      [](TableSpec* s) { s->optimizer.type = "ftrl"; },
      [](TableSpec* s) { s->optimizer.learning_rate = 0.5; },
      [](TableSpec* s) { s->optimizer.l1 = 0.5; },
      [](TableSpec* s) { s->optimizer.l2 = 0.5; },
      [](TableSpec* s) { s->optimizer.initial_accumulator = 0.5; },
      [](TableSpec* s) { s->optimizer.epsilon = 0.5; },
      [](TableSpec* s) { s->optimizer.beta = 0.5; },
      [](TableSpec* s) { s->optimizer.schedule.type = ScheduleSpec::Type::kStep; },
      [](TableSpec* s) { s->optimizer.schedule.warmup_steps = 5; },
      [](TableSpec* s) { s->optimizer.schedule.decay_steps = 5; },
      [](TableSpec* s) { s->optimizer.schedule.decay = 0.5; },
      [](TableSpec* s) { s->optimizer.schedule.min_scale = 0.5; },
      [](TableSpec* s) { s->optimizer.schedule.first_step = 5; },
      [](TableSpec* s) { s->sync.mode = SyncSpec::Mode::kBsp; },
      [](TableSpec* s) { s->sync.staleness = 3; },
      [](TableSpec* s) { s->sync.reduce = SyncSpec::Reduce::kSum; },
  };
  for (size_t i = 0; i < changes.size(); ++i) {
    TableSpec asked = Sparse();
    changes[i](&asked);
    EXPECT_THAT(DescribeDifference(Sparse(), asked),
                AllOf(HasSubstr("table weights: "), HasSubstr(", asked for ")))
        << "change " << i;
  }
  TableSpec asked = Sparse();
  asked.dim = 4;
  asked.sync.mode = SyncSpec::Mode::kSsp;
  EXPECT_EQ(DescribeDifference(Sparse(), asked),
            "table weights: dim is 1, asked for 4; sync mode is asp, asked for ssp");
}

TEST(TableSpecTest, ModesReductionsAndSchedulesHaveOneNameEach) {
  for (const std::string& name : SyncModeNames()) {
    const absl::StatusOr<SyncSpec::Mode> mode = SyncModeOf(name);
    ASSERT_TRUE(mode.ok()) << mode.status();
    EXPECT_EQ(SyncModeName(*mode), name);
  }
  for (const std::string& name : ReduceNames()) {
    const absl::StatusOr<SyncSpec::Reduce> reduce = ReduceOf(name);
    ASSERT_TRUE(reduce.ok()) << reduce.status();
    EXPECT_EQ(ReduceName(*reduce), name);
  }
  for (const std::string& name : ScheduleTypeNames()) {
    const absl::StatusOr<ScheduleSpec::Type> type = ScheduleTypeOf(name);
    ASSERT_TRUE(type.ok()) << type.status();
    EXPECT_EQ(ScheduleTypeName(*type), name);
  }
  EXPECT_EQ(SyncModeNames(), (std::vector<std::string>{"asp", "bsp", "ssp"}));
  EXPECT_EQ(SyncModeOf("sync").status().message(), "\"sync\" is none of asp, bsp, ssp");
  EXPECT_EQ(ReduceOf("").status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace seraph
