// SPDX-License-Identifier: Apache-2.0
// Between callers' arrays and the payload layout of proto/data.proto, frame by frame. Internal to
// client/.
#ifndef SERAPH_CLIENT_PACKING_H_
#define SERAPH_CLIENT_PACKING_H_

#include <cstdint>
#include <memory>

#include "absl/types/span.h"
#include "client/router.h"
#include "client/table_state.h"
#include "proto/data.pb.h"
#include "transport/frame.h"

namespace seraph {

// One slice of a request, over its caller's arrays.
struct RequestSlice {
  std::shared_ptr<const TableState> table;
  absl::Span<const uint64_t> keys;
  absl::Span<const float> values;  // [keys, dim] of a push; empty for a pull.
  absl::Span<float> out;           // [keys, dim] of a pull; empty for a push.
};

// All functions: `plan` is of these `slices`, `frame` one of its frames.

// Describes the frame's keys, slice by slice; `number_pushes` draws each partition's next sequence
// number.
void DescribeSlices(const RouteFrame& frame, absl::Span<const RequestSlice> slices,
                    bool number_pushes,
                    google::protobuf::RepeatedPtrField<v1::TableSlice>* descriptions);

// The frame's payload: of each slice its keys, then its values (pushes), in the plan's order.
Payload PackFrame(const RouteFrame& frame, const RoutePlan& plan,
                  absl::Span<const RequestSlice> slices);

// The way back: bytes of the rows that answer a pull of the frame, and those rows to their places
// in the callers' arrays. REQUIRES of UnpackRows: so many bytes at `in`.
uint64_t ReplyBytes(const RouteFrame& frame, absl::Span<const RequestSlice> slices);
void UnpackRows(const RouteFrame& frame, const RoutePlan& plan,
                absl::Span<const RequestSlice> slices, const uint8_t* in);

}  // namespace seraph

#endif  // SERAPH_CLIENT_PACKING_H_
