// SPDX-License-Identifier: Apache-2.0
#include "server/table/batch_checks.h"

#include "absl/strings/str_cat.h"
#include "common/partitioning.h"

namespace seraph {

absl::Status CheckFloats(const TableSpec& spec, size_t keys, size_t width, size_t floats) {
  if (floats == keys * width) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("table ", spec.name, ": ", keys, " keys of ",
                                                 width, " floats need ", keys * width,
                                                 " floats, but there are ", floats));
}

absl::Status CheckImportedKeys(const TableSpec& spec, uint32_t partition,
                               absl::Span<const uint64_t> keys) {
  for (size_t i = 0; i < keys.size(); ++i) {
    if (i > 0 && keys[i] <= keys[i - 1]) {
      return absl::InvalidArgumentError(absl::StrCat("table ", spec.name, " partition ", partition,
                                                     ": key ", keys[i], " follows ", keys[i - 1],
                                                     ", but keys must ascend"));
    }
    if (spec.kind == TableKind::kDense && keys[i] >= spec.rows) {
      return absl::InvalidArgumentError(absl::StrCat("table ", spec.name, ": key ", keys[i],
                                                     " is not below the table's ", spec.rows,
                                                     " rows"));
    }
    if (PartitionOf(spec, keys[i]) != partition) {
      return absl::InvalidArgumentError(
          absl::StrCat("table ", spec.name, ": key ", keys[i], " belongs to partition ",
                       PartitionOf(spec, keys[i]), ", not to ", partition));
    }
  }
  return absl::OkStatus();
}

absl::Status TakeMemory(const TableSpec& spec, uint32_t partition, uint64_t new_rows,
                        uint64_t bytes, RowMemory* memory) {
  if (memory == nullptr || bytes == 0 || memory->Take(bytes)) return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat(
      "table ", spec.name, " partition ", partition, ": ", new_rows, " new rows take ", bytes,
      " bytes, but ", memory->used(), " of ", memory->limit(), " bytes are in use"));
}

}  // namespace seraph
