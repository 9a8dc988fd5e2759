// SPDX-License-Identifier: Apache-2.0
#include "common/nearest_name.h"

#include "gtest/gtest.h"

namespace seraph {
namespace {

const std::vector<std::string>& Keys() {
  static const auto* const keys = new std::vector<std::string>{
      "name", "model", "data", "optimizer", "sync", "train", "tables", "cluster", "output"};
  return *keys;
}

TEST(NearestNameTest, FindsInsertedLostReplacedAndSwappedLetters) {
  EXPECT_EQ(NearestName("optimiser", Keys()), "optimizer");
  EXPECT_EQ(NearestName("modle", Keys()), "model");
  EXPECT_EQ(NearestName("outputs", Keys()), "output");
  EXPECT_EQ(NearestName("trin", Keys()), "train");
  EXPECT_EQ(NearestName("snyc", Keys()), "sync");
}

TEST(NearestNameTest, ExactNameIsItsOwnNearest) {
  for (const std::string& key : Keys()) EXPECT_EQ(NearestName(key, Keys()), key);
}

TEST(NearestNameTest, NothingIsNearToAStrangeName) {
  EXPECT_EQ(NearestName("qqqqqqqqqq", Keys()), "");
  EXPECT_EQ(NearestName("", Keys()), "");
  EXPECT_EQ(NearestName("x", {}), "");
}

TEST(NearestNameTest, LimitIsHalfOfTheLongerName) {
  EXPECT_EQ(NearestName("abxx", {"abcd"}), "abcd");
  EXPECT_EQ(NearestName("axxx", {"abcd"}), "");
}

TEST(NearestNameTest, FirstOfEqualsWins) {
  EXPECT_EQ(NearestName("l0", {"l1", "l2"}), "l1");
  EXPECT_EQ(NearestName("l0", {"l2", "l1"}), "l2");
}

}  // namespace
}  // namespace seraph
