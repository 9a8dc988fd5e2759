// SPDX-License-Identifier: Apache-2.0
#include "client/cli/block_pipeline.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <numeric>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/mutex.h"
#include "gtest/gtest.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

// Blocks 0..count-1, told apart by their first lines, then the source's own status.
BlockSource Blocks(uint64_t count, absl::Status last = absl::OkStatus()) {
  return [count, last](const std::function<absl::Status(const Block&)>& visit) {
    for (uint64_t i = 0; i < count; ++i) {
      const absl::Status status = visit({.first_line = i});
      if (!status.ok()) return status;
    }
    return last;
  };
}

class BlockPipelineTest : public ::testing::TestWithParam<int> {
 protected:
  BlockPipelineTest() {
    options_.threads = GetParam();
    options_.clock = &clock_;
  }
  // Takes every block but for those whose work or taking fails.
  absl::Status Run(const BlockSource& source, const std::vector<uint64_t>& bad_work = {},
                   const std::vector<uint64_t>& bad_taking = {}) {
    const auto has = [](const std::vector<uint64_t>& numbers, uint64_t number) {
      return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
    };
    return WorkOnBlocks(options_, source,
                        [&](int, const Block& block) -> absl::StatusOr<TakeResult> {
                          const uint64_t number = block.first_line;
                          if (has(bad_work, number))
                            return absl::DataLossError(absl::StrCat("work ", number));
                          return [&, number] {
                            if (has(bad_taking, number))
                              return absl::DataLossError(absl::StrCat("take ", number));
                            taken_.push_back(number);
                            return absl::OkStatus();
                          };
                        });
  }

  SystemClock clock_;
  BlockPipelineOptions options_;
  std::vector<uint64_t> taken_;
};

TEST_P(BlockPipelineTest, ResultsAreTakenInTheOrderOfTheBlocks) {
  EXPECT_OK(Run(Blocks(1000)));
  std::vector<uint64_t> all(1000);
  std::iota(all.begin(), all.end(), uint64_t{0});
  EXPECT_EQ(taken_, all);
}

TEST_P(BlockPipelineTest, NoBlocksAreNoWork) {
  EXPECT_OK(Run(Blocks(0)));
  EXPECT_THAT(taken_, SizeIs(0));
}

TEST_P(BlockPipelineTest, TheFirstErrorInOrderDecides) {
  for (int round = 0; round < 50; ++round) {
    taken_.clear();
    EXPECT_THAT(Run(Blocks(100), {3, 4, 5, 60}), StatusIs(absl::StatusCode::kDataLoss, "work 3"));
    EXPECT_THAT(taken_, ElementsAre(0, 1, 2));
    EXPECT_THAT(Run(Blocks(100), {4, 7}, {2}), StatusIs(absl::StatusCode::kDataLoss, "take 2"));
    const absl::Status source = absl::NotFoundError("source");
    EXPECT_THAT(Run(Blocks(5, source), {4}), StatusIs(absl::StatusCode::kDataLoss, "work 4"));
    EXPECT_THAT(Run(Blocks(5, source)), StatusIs(absl::StatusCode::kNotFound, "source"));
  }
}

TEST_P(BlockPipelineTest, TheCheckEndsTheWorkThoughABlockIsAtWorkAndTheSourceGoesOn) {
  std::atomic<bool> at_work = false;
  options_.check = [&at_work] {
    return at_work ? absl::CancelledError("enough") : absl::OkStatus();
  };
  const BlockSource endless = [](const std::function<absl::Status(const Block&)>& visit) {
    absl::Status status;
    while (status.ok()) status = visit({});
    return status;
  };
  EXPECT_THAT(WorkOnBlocks(options_, endless,
                           [&](int, const Block&) -> absl::StatusOr<TakeResult> {
                             at_work = true;
                             return [] { return absl::OkStatus(); };
                           }),
              StatusIs(absl::StatusCode::kCancelled, "enough"));
}

TEST_P(BlockPipelineTest, BlocksAreAtWorkSideBySide) {
  if (options_.threads == 1) return;
  Mutex mu;
  CondVar met;
  int at_work = 0;
  EXPECT_OK(WorkOnBlocks(options_, Blocks(2), [&](int, const Block&) -> absl::StatusOr<TakeResult> {
    const absl::Time deadline = clock_.Now() + absl::Minutes(1);
    MutexLock lock(&mu);
    ++at_work;
    met.NotifyAll();
    while (at_work < 2) {
      if (!clock_.WaitUntil(&met, &mu, deadline)) return absl::DeadlineExceededError("alone");
    }
    return [] { return absl::OkStatus(); };
  }));
}

TEST_P(BlockPipelineTest, OnlyAFewBlocksAreUnderWay) {
  std::atomic<int> under_way = 0;
  std::atomic<int> most = 0;
  const BlockSource source = [&](const std::function<absl::Status(const Block&)>& visit) {
    absl::Status status;
    for (int i = 0; i < 500 && status.ok(); ++i) {
      status = visit({});
      most = std::max<int>(most, ++under_way);
    }
    return status;
  };
  EXPECT_OK(WorkOnBlocks(options_, source, [&](int, const Block&) -> absl::StatusOr<TakeResult> {
    return [&] {
      --under_way;
      return absl::OkStatus();
    };
  }));
  EXPECT_LE(most, 4 * options_.threads + 1);
}

INSTANTIATE_TEST_SUITE_P(Threads, BlockPipelineTest, ::testing::Values(1, 2, 5));

}  // namespace
}  // namespace seraph
