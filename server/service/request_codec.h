// SPDX-License-Identifier: Apache-2.0
// Data requests of the wire (proto/data.proto) as requests of the core. Trusts nothing that it
// reads: every size, partition and key is checked before anything is allocated or used.
#ifndef SERAPH_SERVER_SERVICE_REQUEST_CODEC_H_
#define SERAPH_SERVER_SERVICE_REQUEST_CODEC_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/data.pb.h"
#include "server/core/requests.h"
#include "transport/frame.h"

namespace seraph {

// What a decoded request points into: the frame, and keys that did not stand aligned in it.
struct RequestMemory {
  Frame frame;
  std::vector<std::unique_ptr<uint64_t[]>> aligned_keys;

  const v1::DataRequest& request() const { return frame.header.data_request(); }
};

// A table by id, as it is served under a map epoch; its errors are passed on.
using FindServedTable = std::function<absl::StatusOr<std::shared_ptr<const ServedTable>>(
    uint32_t id, uint64_t map_epoch)>;

// INVALID_ARGUMENT: no group, a timeout that is no time. FAILED_PRECONDITION: an epoch, generation
// or colour that this server is not at, named with its own.
absl::StatusOr<CoreSession> DecodeSession(const v1::DataRequest& request);

// A pull and the payload that will hold its rows: the slices write into it.
struct DecodedPull {
  CorePull pull;
  Payload reply;
};

// The results point into `memory`, which keeps them valid. REQUIRES: its request is a pull, a push.
//
// INVALID_ARGUMENT names the table where one is concerned, and: both sizes, when the payload does
// not hold what the slices announce; partitions out of order or range; a key of another partition
// or beyond a dense table's rows; a reply larger than a frame carries.
absl::StatusOr<DecodedPull> DecodePull(RequestMemory* memory, const FindServedTable& find);
absl::StatusOr<CorePush> DecodePush(const std::shared_ptr<RequestMemory>& memory,
                                    const FindServedTable& find);

// `node` is this server's: partitions that the request gives to it are owned.
// INVALID_ARGUMENT: a wrong spec, owners that do not fit it, a table of another group.
absl::StatusOr<CoreTableRequest> DecodeOpenTable(const v1::DataRequest& request, uint64_t node);

}  // namespace seraph

#endif  // SERAPH_SERVER_SERVICE_REQUEST_CODEC_H_
