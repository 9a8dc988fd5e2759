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

namespace seraph {

// Describes the frame's keys, slice by slice; `number_pushes` draws each partition's next sequence
// number.
void DescribeSlices(const RouteFrame& frame,
                    absl::Span<const std::shared_ptr<const TableState>> tables, bool number_pushes,
                    google::protobuf::RepeatedPtrField<v1::TableSlice>* slices);

// Keys of one slice that travel in the frame.
uint64_t KeysOf(const RouteFrame& frame, uint32_t slice);

// Copy a slice's keys, or rows [keys, dim], into the payload in the frame's order (`order` is
// RoutePlan's); return the next free byte. REQUIRES: room for them.
uint8_t* PackKeys(const RouteFrame& frame, uint32_t slice, absl::Span<const uint32_t> order,
                  absl::Span<const uint64_t> keys, uint8_t* out);
uint8_t* PackRows(const RouteFrame& frame, uint32_t slice, absl::Span<const uint32_t> order,
                  uint32_t dim, absl::Span<const float> values, uint8_t* out);
// The way back: rows in the frame's order to the caller's places; returns the next unread byte.
const uint8_t* UnpackRows(const RouteFrame& frame, uint32_t slice, absl::Span<const uint32_t> order,
                          uint32_t dim, const uint8_t* in, absl::Span<float> out);

}  // namespace seraph

#endif  // SERAPH_CLIENT_PACKING_H_
