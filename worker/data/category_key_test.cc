// SPDX-License-Identifier: Apache-2.0
#include "worker/data/category_key.h"

#include <string>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace seraph {
namespace {

// Models on disk hold these keys.
TEST(CategoryKeyTest, KeysStayWhatTheyAre) {
  EXPECT_EQ(CategoryKey(0, ""), 10663877334184677313u);
  EXPECT_EQ(CategoryKey(3, "State-gov"), 9426393965440347449u);
  EXPECT_EQ(HashedKey(0, 64), 12412128327822105243u);
  EXPECT_EQ(HashedKey(12345, 20), 467311u);
}

TEST(CategoryKeyTest, NoCategoryHasTheKeyOfANumericColumn) {
  for (int i = 0; i < 1000; ++i) EXPECT_GE(CategoryKey(i, absl::StrCat(i)), uint64_t{1} << 63);
}

TEST(CategoryKeyTest, TheSameValueOfTwoColumnsHasTwoKeys) {
  absl::flat_hash_set<uint64_t> keys;
  for (uint64_t column = 0; column < 50; ++column) {
    for (int value = 0; value < 1000; ++value) {
      EXPECT_TRUE(keys.insert(CategoryKey(column, absl::StrCat(value))).second);
    }
  }
}

TEST(CategoryKeyTest, HashedKeysSpreadOverAllTheirBits) {
  constexpr uint32_t kBits = 6;
  int count[1 << kBits] = {};
  for (uint64_t key = 0; key < 64000; ++key) {
    const uint64_t hashed = HashedKey(key, kBits);
    ASSERT_LT(hashed, uint64_t{1} << kBits);
    ++count[hashed];
  }
  for (const int n : count) EXPECT_NEAR(n, 1000, 150);
}

TEST(CategoryKeyTest, SixtyFourBitsLoseNoKey) {
  absl::flat_hash_set<uint64_t> keys;
  for (uint64_t key = 0; key < 100000; ++key) EXPECT_TRUE(keys.insert(HashedKey(key, 64)).second);
}

}  // namespace
}  // namespace seraph
