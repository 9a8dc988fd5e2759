// SPDX-License-Identifier: Apache-2.0
#include "client/packing.h"

#include <cstring>

namespace seraph {
namespace {

uint64_t RowBytes(const RequestSlice& slice) {
  return uint64_t{slice.table->spec.dim} * sizeof(float);
}

absl::Span<const RouteSegment> SegmentsOf(const RouteFrame& frame, const RouteRange& range) {
  return absl::MakeConstSpan(frame.segments).subspan(range.begin, range.end - range.begin);
}

// Calls `visit` with the place of each of the range's keys in the caller's slice, in frame order.
template <typename Visit>
void ForEachPlace(const RouteFrame& frame, const RouteRange& range, const RoutePlan& plan,
                  const Visit& visit) {
  const std::vector<uint32_t>& order = plan.order[range.slice];
  for (const RouteSegment& segment : SegmentsOf(frame, range)) {
    for (uint32_t i = segment.begin; i < segment.end; ++i) visit(size_t{order[i]});
  }
}

}  // namespace

void DescribeSlices(const RouteFrame& frame, absl::Span<const RequestSlice> slices,
                    bool number_pushes,
                    google::protobuf::RepeatedPtrField<v1::TableSlice>* descriptions) {
  for (const RouteRange& range : frame.ranges) {
    const TableState& table = *slices[range.slice].table;
    v1::TableSlice* const description = descriptions->Add();
    description->set_table(table.info.id());
    description->set_map_epoch(table.info.map_epoch());
    for (const RouteSegment& segment : SegmentsOf(frame, range)) {
      description->add_partition(segment.partition);
      description->add_keys(segment.end - segment.begin);
      if (number_pushes) description->add_sequence(table.NextSequence(segment.partition));
    }
  }
}

Payload PackFrame(const RouteFrame& frame, const RoutePlan& plan,
                  absl::Span<const RequestSlice> slices) {
  uint64_t bytes = 0;
  for (const RouteRange& range : frame.ranges) {
    const RequestSlice& slice = slices[range.slice];
    bytes += range.keys * (sizeof(uint64_t) + (slice.values.empty() ? 0 : RowBytes(slice)));
  }
  Payload payload = Payload::Uninitialized(bytes);
  uint8_t* out = payload.data();
  for (const RouteRange& range : frame.ranges) {
    const RequestSlice& slice = slices[range.slice];
    ForEachPlace(frame, range, plan, [&](size_t place) {
      std::memcpy(out, &slice.keys[place], sizeof(uint64_t));
      out += sizeof(uint64_t);
    });
    if (slice.values.empty()) continue;
    const uint64_t row_bytes = RowBytes(slice);
    ForEachPlace(frame, range, plan, [&](size_t place) {
      std::memcpy(out, &slice.values[place * slice.table->spec.dim], row_bytes);
      out += row_bytes;
    });
  }
  return payload;
}

uint64_t ReplyBytes(const RouteFrame& frame, absl::Span<const RequestSlice> slices) {
  uint64_t bytes = 0;
  for (const RouteRange& range : frame.ranges) bytes += range.keys * RowBytes(slices[range.slice]);
  return bytes;
}

void UnpackRows(const RouteFrame& frame, const RoutePlan& plan,
                absl::Span<const RequestSlice> slices, const uint8_t* in) {
  for (const RouteRange& range : frame.ranges) {
    const RequestSlice& slice = slices[range.slice];
    const uint64_t row_bytes = RowBytes(slice);
    ForEachPlace(frame, range, plan, [&](size_t place) {
      std::memcpy(&slice.out[place * slice.table->spec.dim], in, row_bytes);
      in += row_bytes;
    });
  }
}

}  // namespace seraph
