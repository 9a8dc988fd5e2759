// SPDX-License-Identifier: Apache-2.0
// The dummy format (Angel's name): `label index index ... # comment`, each index with the value 1.
// Indices in any order; one that stands n times has the value n.
#ifndef SERAPH_WORKER_DATA_DUMMY_H_
#define SERAPH_WORKER_DATA_DUMMY_H_

#include <cstdint>
#include <memory>

#include "worker/data/row_format.h"

namespace seraph {

std::unique_ptr<RowFormat> NewDummyFormat(uint64_t index_base);

}  // namespace seraph

#endif  // SERAPH_WORKER_DATA_DUMMY_H_
