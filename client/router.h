// SPDX-License-Identifier: Apache-2.0
// Which server gets which keys: cuts slices of keys into frames, one server each, so that keys of a
// partition stand together, and says where each key came from. Pure: no channels, no tables'
// contents.
#ifndef SERAPH_CLIENT_ROUTER_H_
#define SERAPH_CLIENT_ROUTER_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "common/table_spec.h"

namespace seraph {

// Where the partitions of one table live.
struct TableRoute {
  const TableSpec* spec = nullptr;
  absl::Span<const uint32_t> owner;  // [spec->partitions]: a server's number.
};

// A run of keys of one slice and one partition: keys order[begin..end) of that slice.
struct RouteSegment {
  uint32_t slice;
  uint32_t partition;
  uint32_t begin;
  uint32_t end;
};

// What a frame holds of one slice: segments[begin..end) of the frame.
struct RouteRange {
  uint32_t slice;
  size_t begin;
  size_t end;
  uint64_t keys;
};

struct RouteFrame {
  uint32_t server;
  std::vector<RouteSegment> segments;  // Ascending by slice, then partition.
  std::vector<RouteRange> ranges;      // By slice; those of which the frame holds keys.
};

struct RoutePlan {
  std::vector<std::vector<uint32_t>>
      order;  // By slice: the keys' places, grouped by partition, else as asked.
  std::vector<RouteFrame> frames;  // Several for one server where one would be too large.
};

struct RouteSlice {
  TableRoute table;
  absl::Span<const uint64_t> keys;
};

// Frames hold at most `frame_bytes` of keys and rows each (at least one key). A partition's keys
// may be cut over frames; keys of one frame keep the order in which they were asked.
// INVALID_ARGUMENT names table and key where a dense key is outside the table, or a slice has 2^32
// keys or more.
absl::Status RouteKeys(absl::Span<const RouteSlice> slices, uint64_t frame_bytes, RoutePlan* plan);

// What a key that stands several times in one push stands for.
enum class Repeats { kSum, kLast };

// Repeated keys of one push become one key: with the sum of their values, added in the order asked,
// or with the last. False, and nothing is filled, when no key repeats.
bool MergeRepeats(Repeats repeats, absl::Span<const uint64_t> keys, absl::Span<const float> values,
                  uint32_t dim, std::vector<uint64_t>* unique, std::vector<float>* merged);

}  // namespace seraph

#endif  // SERAPH_CLIENT_ROUTER_H_
