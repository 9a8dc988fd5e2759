// SPDX-License-Identifier: Apache-2.0
// The main of a fuzz target where no fuzzer is linked: feeds it the empty input, every file named
// on the command line, that file cut at every length of a short list, and seeded random changes of
// it. A crash or a sanitizer report fails the test.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "common/random.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

void Feed(const std::string& bytes, size_t size) {
  // A copy of its own, so that the address sanitizer sees a read past the end.
  const std::string input(bytes, 0, size);
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
}

// The same changes in every run: a few bytes replaced, removed or repeated.
void FeedChanges(const std::string& bytes) {
  constexpr int kChanges = 300;
  seraph::SplitMix64 random(bytes.size());
  for (int i = 0; i < kChanges; ++i) {
    std::string changed = bytes;
    for (uint64_t n = 1 + random.NextBelow(3); n > 0 && !changed.empty(); --n) {
      const size_t at = random.NextBelow(changed.size());
      const uint64_t change = random.NextBelow(4);
      if (change == 0) changed[at] = static_cast<char>(random.Next());
      if (change == 1) changed[at] ^= static_cast<char>(1 << random.NextBelow(8));
      if (change == 2) changed.erase(at, 1 + random.NextBelow(8));
      if (change == 3) changed.insert(at, changed.substr(at, 1 + random.NextBelow(8)));
    }
    Feed(changed, changed.size());
  }
}

}  // namespace

int main(int argc, char** argv) {
  Feed("", 0);
  for (int i = 1; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    if (!file) {
      std::fprintf(stderr, "error: replay %s: cannot be read\n", argv[i]);
      return 2;
    }
    const std::string bytes((std::istreambuf_iterator<char>(file)),
                            std::istreambuf_iterator<char>());
    Feed(bytes, bytes.size());
    for (size_t size = 1; size < bytes.size(); size += 1 + size / 8) Feed(bytes, size);
    FeedChanges(bytes);
  }
  std::printf("replayed %d files\n", argc - 1);
  return 0;
}
