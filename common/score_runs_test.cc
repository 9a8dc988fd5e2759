// SPDX-License-Identifier: Apache-2.0
#include "common/score_runs.h"

#include <filesystem>
#include <limits>
#include <vector>

#include "common/random.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::HasSubstr;

struct Scored {
  float score;
  bool positive;
};

// Rows whose scores take `distinct` values, so that ties are many when it is small.
std::vector<Scored> RandomRows(size_t rows, uint64_t distinct, uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<Scored> out(rows);
  for (Scored& row : out) {
    row.score = static_cast<float>(random.NextBelow(distinct)) / static_cast<float>(distinct);
    row.positive = random.NextUnit() < 0.2 + 0.5 * row.score;
  }
  return out;
}

double AucByCountingPairs(const std::vector<Scored>& rows) {
  uint64_t twice_wins = 0, pairs = 0;
  for (const Scored& p : rows) {
    for (const Scored& n : rows) {
      if (!p.positive || n.positive) continue;
      ++pairs;
      twice_wins += p.score > n.score ? 2 : p.score == n.score ? 1 : 0;
    }
  }
  return static_cast<double>(twice_wins) / 2 / static_cast<double>(pairs);
}

std::optional<double> AucOf(const std::vector<Scored>& rows, ScoreRuns::Options options = {}) {
  ScoreRuns runs(options);
  for (const Scored& row : rows) EXPECT_OK(runs.Add(row.score, row.positive));
  auto auc = runs.Auc();
  EXPECT_OK(auc);
  return auc.value_or(std::nullopt);
}

TEST(ScoreRunsTest, EqualsCountingAllPairs) {
  for (uint64_t distinct : {2, 7, 100, 1000000}) {
    const std::vector<Scored> rows = RandomRows(500, distinct, distinct);
    EXPECT_EQ(AucOf(rows), AucByCountingPairs(rows)) << distinct << " distinct scores";
  }
}

TEST(ScoreRunsTest, TiesCountOneHalf) {
  EXPECT_EQ(AucOf({{1, true}, {1, false}}), 0.5);
  EXPECT_EQ(AucOf({{2, true}, {1, false}, {2, false}}), 0.75);
  EXPECT_EQ(AucOf({{0.0f, true}, {-0.0f, false}}), 0.5);
}

TEST(ScoreRunsTest, OneClassOrNoRowsHaveNoAuc) {
  EXPECT_EQ(AucOf({}), std::nullopt);
  EXPECT_EQ(AucOf({{1, true}, {2, true}}), std::nullopt);
  EXPECT_EQ(AucOf({{1, false}}), std::nullopt);
}

TEST(ScoreRunsTest, SpillingChangesNothing) {
  const std::vector<Scored> rows = RandomRows(20000, 1u << 20, 3);
  const std::optional<double> in_memory = AucOf(rows);
  ASSERT_TRUE(in_memory.has_value());
  EXPECT_EQ(AucOf(rows, {.memory_bytes = 4096, .spill_folder = ::testing::TempDir()}), in_memory);
  EXPECT_EQ(AucOf(rows, {.memory_bytes = 0, .spill_folder = ""}), in_memory);
}

TEST(ScoreRunsTest, FewDistinctScoresNeedNoFile) {
  // A folder that does not exist: spilling would fail.
  const std::vector<Scored> rows = RandomRows(5000, 10, 4);
  EXPECT_EQ(AucOf(rows, {.memory_bytes = 4096, .spill_folder = "/no/such/folder"}), AucOf(rows));
}

TEST(ScoreRunsTest, OrderDoesNotMatter) {
  std::vector<Scored> rows = RandomRows(3000, 5000, 5);
  const std::optional<double> first = AucOf(rows, {.memory_bytes = 2048, .spill_folder = ""});
  SplitMix64 random(6);
  for (int i = 0; i < 5; ++i) {
    random.Shuffle(absl::MakeSpan(rows));
    EXPECT_EQ(AucOf(rows, {.memory_bytes = 2048, .spill_folder = ""}), first);
  }
}

TEST(ScoreRunsTest, CountsAreWorthSingleRows) {
  ScoreRuns runs(ScoreRuns::Options{});
  const std::vector<ScoreCount> counts = {{0.5f, 3, 1}, {0.25f, 0, 2}, {0.5f, 1, 0}, {0.9f, 0, 0}};
  ASSERT_OK(runs.AddCounts(counts));
  EXPECT_EQ(runs.Auc().value(), AucByCountingPairs({{0.5f, true},
                                                    {0.5f, true},
                                                    {0.5f, true},
                                                    {0.5f, false},
                                                    {0.25f, false},
                                                    {0.25f, false},
                                                    {0.5f, true}}));
}

TEST(ScoreRunsTest, VisitsEachScoreOnceAscending) {
  ScoreRuns runs({.memory_bytes = 1024, .spill_folder = ""});
  uint64_t rows = 0;
  for (const Scored& row : RandomRows(4000, 500, 7)) {
    ASSERT_OK(runs.Add(row.score, row.positive));
    ++rows;
  }
  for (int pass = 0; pass < 2; ++pass) {  // Visiting again, and adding between, is allowed.
    float last = -1;
    uint64_t seen = 0;
    ASSERT_OK(runs.ForEach([&](const ScoreCount& entry) {
      EXPECT_GT(entry.score, last);
      last = entry.score;
      seen += entry.positives + entry.negatives;
      return absl::OkStatus();
    }));
    EXPECT_EQ(seen, rows);
    ASSERT_OK(runs.Add(0.125f, true));
    ++rows;
  }
}

TEST(ScoreRunsTest, HugeCountsStayExact) {
  ScoreRuns runs(ScoreRuns::Options{});
  const uint64_t many = uint64_t{1} << 61;
  ASSERT_OK(runs.AddCounts(std::vector<ScoreCount>{{1, many, 0}, {0, 0, many}}));
  EXPECT_EQ(runs.Auc().value(), 1.0);
  EXPECT_THAT(runs.AddCounts(std::vector<ScoreCount>{{2, ~uint64_t{0}, 0}}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("more rows")));
}

TEST(ScoreRunsTest, RefusesNan) {
  ScoreRuns runs(ScoreRuns::Options{});
  EXPECT_THAT(runs.Add(std::numeric_limits<float>::quiet_NaN(), true),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("NaN")));
  ASSERT_OK(runs.Add(std::numeric_limits<float>::infinity(), true));
  ASSERT_OK(runs.Add(-std::numeric_limits<float>::infinity(), false));
  EXPECT_EQ(runs.Auc().value(), 1.0);
}

TEST(ScoreRunsTest, SpillFailureNamesTheFile) {
  ScoreRuns runs({.memory_bytes = 64, .spill_folder = "/no/such/folder"});
  absl::Status status;
  for (int i = 0; i < 10 && status.ok(); ++i) status = runs.Add(static_cast<float>(i), true);
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kInternal, HasSubstr("/no/such/folder/seraph")));
}

TEST(ScoreRunsTest, LeavesNoFileBehind) {
  const std::string folder = ::testing::TempDir() + "/scores";
  std::filesystem::create_directories(folder);
  ScoreRuns runs({.memory_bytes = 64, .spill_folder = folder});
  for (int i = 0; i < 100; ++i) ASSERT_OK(runs.Add(static_cast<float>(i), i % 2 == 0));
  EXPECT_TRUE(std::filesystem::is_empty(folder));  // Unlinked while in use.
}

}  // namespace
}  // namespace seraph
