// SPDX-License-Identifier: Apache-2.0
#include "scheduler/natural_order.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace seraph {
namespace {

TEST(NaturalOrderTest, CountsAsPeopleDo) {
  std::vector<std::string> names = {"worker 10", "worker 2", "a", "worker 02", "worker",
                                    "worker 1",  "",         "9", "10",        "worker 1b"};
  std::sort(names.begin(), names.end(), NaturallyBefore);
  EXPECT_THAT(names, ::testing::ElementsAre("", "9", "10", "a", "worker", "worker 1", "worker 1b",
                                            "worker 02", "worker 2", "worker 10"));
}

TEST(NaturalOrderTest, NumbersMayBeLong) {
  EXPECT_TRUE(NaturallyBefore("n99999999999999999999", "n100000000000000000000"));
  EXPECT_FALSE(NaturallyBefore("n100000000000000000000", "n99999999999999999999"));
  EXPECT_FALSE(NaturallyBefore("same 1", "same 1"));
}

}  // namespace
}  // namespace seraph
