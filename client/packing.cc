// SPDX-License-Identifier: Apache-2.0
#include "client/packing.h"

#include <cstring>

namespace seraph {

void DescribeSlices(const RouteFrame& frame,
                    absl::Span<const std::shared_ptr<const TableState>> tables, bool number_pushes,
                    google::protobuf::RepeatedPtrField<v1::TableSlice>* slices) {
  v1::TableSlice* current = nullptr;
  uint32_t slice = 0;
  for (const RouteSegment& segment : frame.segments) {
    const TableState& table = *tables[segment.slice];
    if (current == nullptr || slice != segment.slice) {
      slice = segment.slice;
      current = slices->Add();
      current->set_table(table.info.id());
      current->set_map_epoch(table.info.map_epoch());
    }
    current->add_partition(segment.partition);
    current->add_keys(segment.end - segment.begin);
    if (number_pushes) current->add_sequence(table.NextSequence(segment.partition));
  }
}

uint64_t KeysOf(const RouteFrame& frame, uint32_t slice) {
  uint64_t count = 0;
  for (const RouteSegment& segment : frame.segments) {
    if (segment.slice == slice) count += segment.end - segment.begin;
  }
  return count;
}

// Copies keys in the frame's order; returns the next free byte.
uint8_t* PackKeys(const RouteFrame& frame, uint32_t slice, absl::Span<const uint32_t> order,
                  absl::Span<const uint64_t> keys, uint8_t* out) {
  for (const RouteSegment& segment : frame.segments) {
    if (segment.slice != slice) continue;
    for (uint32_t i = segment.begin; i < segment.end; ++i, out += sizeof(uint64_t)) {
      std::memcpy(out, &keys[order[i]], sizeof(uint64_t));
    }
  }
  return out;
}

uint8_t* PackRows(const RouteFrame& frame, uint32_t slice, absl::Span<const uint32_t> order,
                  uint32_t dim, absl::Span<const float> values, uint8_t* out) {
  const size_t row_bytes = size_t{dim} * sizeof(float);
  for (const RouteSegment& segment : frame.segments) {
    if (segment.slice != slice) continue;
    for (uint32_t i = segment.begin; i < segment.end; ++i, out += row_bytes) {
      std::memcpy(out, &values[size_t{order[i]} * dim], row_bytes);
    }
  }
  return out;
}

const uint8_t* UnpackRows(const RouteFrame& frame, uint32_t slice, absl::Span<const uint32_t> order,
                          uint32_t dim, const uint8_t* in, absl::Span<float> out) {
  const size_t row_bytes = size_t{dim} * sizeof(float);
  for (const RouteSegment& segment : frame.segments) {
    if (segment.slice != slice) continue;
    for (uint32_t i = segment.begin; i < segment.end; ++i, in += row_bytes) {
      std::memcpy(&out[size_t{order[i]} * dim], in, row_bytes);
    }
  }
  return in;
}

}  // namespace seraph
