// SPDX-License-Identifier: Apache-2.0
#include "common/checksum.h"

#include <string>

#include "gtest/gtest.h"

namespace seraph {
namespace {

// Values of XXH3-64 with seed 0: files written by any version must read back in every other.
TEST(ChecksumTest, IsXxh3) {
  EXPECT_EQ(Checksum(""), 0x2d06800538d394c2u);
  EXPECT_EQ(Checksum("abc"), 0x78af5f94892f3950u);
}

TEST(ChecksumTest, EveryBitCounts) {
  std::string bytes(300, 'x');
  const uint64_t whole = Checksum(bytes);
  for (char& byte : bytes) {
    for (int bit = 0; bit < 8; ++bit) {
      byte ^= static_cast<char>(1 << bit);
      EXPECT_NE(Checksum(bytes), whole);
      byte ^= static_cast<char>(1 << bit);
    }
  }
  EXPECT_EQ(Checksum(bytes), whole);
  EXPECT_NE(Checksum(bytes + std::string(1, '\0')), whole);
}

TEST(ChecksumTest, HexHasSixteenLowerCaseDigits) {
  EXPECT_EQ(ChecksumHex(""), "2d06800538d394c2");
  for (int i = 0; i < 100; ++i) {
    const std::string hex = ChecksumHex(std::to_string(i));
    EXPECT_EQ(hex.size(), 16u);
    EXPECT_EQ(hex.find_first_not_of("0123456789abcdef"), std::string::npos) << hex;
  }
}

}  // namespace
}  // namespace seraph
