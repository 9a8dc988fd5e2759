// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/compressed_fuzz.h"
#include "worker/data/zstd.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  seraph::FuzzInflate(seraph::InflateZstd, data, size);
  return 0;
}
