// SPDX-License-Identifier: Apache-2.0
// The libffm format: `label field:index:value field:index:value ... # comment`. Features in any
// order; the values of a field and index that stand twice are summed; a zero is an absent feature.
#ifndef SERAPH_WORKER_DATA_LIBFFM_H_
#define SERAPH_WORKER_DATA_LIBFFM_H_

#include <cstdint>
#include <memory>

#include "worker/data/row_format.h"

namespace seraph {

std::unique_ptr<RowFormat> NewLibffmFormat(uint64_t index_base);

}  // namespace seraph

#endif  // SERAPH_WORKER_DATA_LIBFFM_H_
