// SPDX-License-Identifier: Apache-2.0
// Checks of the batches that a partition is asked for, and the words of their errors, the same for
// both kinds of store.
#ifndef SERAPH_SERVER_TABLE_BATCH_CHECKS_H_
#define SERAPH_SERVER_TABLE_BATCH_CHECKS_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "common/table_spec.h"
#include "server/table/row_memory.h"

namespace seraph {

// INVALID_ARGUMENT unless `floats` is keys * width; names table and both sizes.
absl::Status CheckFloats(const TableSpec& spec, size_t keys, size_t width, size_t floats);

// INVALID_ARGUMENT unless the keys ascend, each once, and belong to `partition`; names the first
// key that breaks it.
absl::Status CheckImportedKeys(const TableSpec& spec, uint32_t partition,
                               absl::Span<const uint64_t> keys);

// Takes the `bytes` of `new_rows` from `memory` (all there is when null); RESOURCE_EXHAUSTED names
// table, partition, rows, bytes and limit.
absl::Status TakeMemory(const TableSpec& spec, uint32_t partition, uint64_t new_rows,
                        uint64_t bytes, RowMemory* memory);

}  // namespace seraph

#endif  // SERAPH_SERVER_TABLE_BATCH_CHECKS_H_
