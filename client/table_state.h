// SPDX-License-Identifier: Apache-2.0
// What a client knows of an open table. Internal to client/.
#ifndef SERAPH_CLIENT_TABLE_STATE_H_
#define SERAPH_CLIENT_TABLE_STATE_H_

#include <cstdint>
#include <vector>

#include "common/mutex.h"
#include "common/table_spec.h"
#include "proto/table.pb.h"

namespace seraph {

struct TableState {
  TableSpec spec;
  v1::TableInfo info;
  std::vector<uint32_t> owner;  // [spec.partitions]: a number into Client's servers.

  // Numbers of this session's pushes, per partition, from 1 without gaps (docs/CONSISTENCY.md).
  uint64_t NextSequence(uint32_t partition) const {
    MutexLock lock(&mu);
    return ++sequence[partition];
  }
  mutable Mutex mu;
  mutable std::vector<uint64_t> sequence ABSL_GUARDED_BY(mu);
};

}  // namespace seraph

#endif  // SERAPH_CLIENT_TABLE_STATE_H_
