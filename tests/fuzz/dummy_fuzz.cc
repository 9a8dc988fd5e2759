// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/row_format_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  seraph::FuzzIndexedFormat("dummy", data, size);
  return 0;
}
