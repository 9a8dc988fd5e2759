// SPDX-License-Identifier: Apache-2.0
#include "server/table/partition_store.h"

#include "server/table/dense_store.h"
#include "server/table/sparse_store.h"

namespace seraph {

std::unique_ptr<PartitionStore> NewPartitionStore(const PartitionStoreOptions& options) {
  if (options.spec.kind == TableKind::kDense) return std::make_unique<DenseStore>(options);
  return std::make_unique<SparseStore>(options);
}

}  // namespace seraph
