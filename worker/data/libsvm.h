// SPDX-License-Identifier: Apache-2.0
// The libsvm format (also svmlight, SVMrank): `label [qid:N] index:value index:value ... #
// comment`. Indices in any order; the values of an index that stands twice are summed; a zero is an
// absent feature; qid is read and left aside.
#ifndef SERAPH_WORKER_DATA_LIBSVM_H_
#define SERAPH_WORKER_DATA_LIBSVM_H_

#include <cstdint>
#include <memory>

#include "worker/data/row_format.h"

namespace seraph {

std::unique_ptr<RowFormat> NewLibsvmFormat(uint64_t index_base);

}  // namespace seraph

#endif  // SERAPH_WORKER_DATA_LIBSVM_H_
