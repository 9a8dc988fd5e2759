// SPDX-License-Identifier: Apache-2.0
#include "common/backoff.h"

#include "gtest/gtest.h"

namespace seraph {
namespace {

constexpr absl::Duration kFirst = absl::Milliseconds(10);
constexpr absl::Duration kLongest = absl::Milliseconds(500);

TEST(BackoffTest, WaitsDoubleUpToTheLongestAndKeepWithinTheUpperHalf) {
  Backoff backoff(kFirst, kLongest, 1);
  absl::Duration length = kFirst;
  for (int i = 0; i < 20; ++i) {
    const absl::Duration wait = backoff.Next();
    EXPECT_GE(wait, length / 2) << i;
    EXPECT_LE(wait, length) << i;
    length = std::min(2 * length, kLongest);
  }
  backoff.Reset();
  EXPECT_LE(backoff.Next(), kFirst);
}

TEST(BackoffTest, SeedsGiveDifferentWaits) {
  EXPECT_EQ(Backoff(kFirst, kLongest, 1).Next(), Backoff(kFirst, kLongest, 1).Next());
  EXPECT_NE(Backoff(kFirst, kLongest, 1).Next(), Backoff(kFirst, kLongest, 2).Next());
}

}  // namespace
}  // namespace seraph
