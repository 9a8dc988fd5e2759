// SPDX-License-Identifier: Apache-2.0
// The initial value of a row: a pure function of (seed, key), the same on every machine, so that a
// pull of an unseen key computes what a push would create.
#ifndef SERAPH_SERVER_TABLE_INITIALIZER_H_
#define SERAPH_SERVER_TABLE_INITIALIZER_H_

#include <cstdint>

#include "absl/types/span.h"
#include "common/table_spec.h"

namespace seraph {

// Fills one row's weights. kNormal sums twelve uniform 16-bit integers (Irwin-Hall, variance one
// after scaling): only integer sums and one multiplication, hence the same bits whatever the maths
// library.
void InitialValue(const InitializerSpec& spec, uint64_t seed, uint64_t key,
                  absl::Span<float> weights);

}  // namespace seraph

#endif  // SERAPH_SERVER_TABLE_INITIALIZER_H_
