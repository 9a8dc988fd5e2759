// SPDX-License-Identifier: Apache-2.0
#include "client/router.h"

#include <algorithm>
#include <limits>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "common/partitioning.h"
#include "common/status_macros.h"

namespace seraph {
namespace {

// Groups a slice's keys by partition, keeping their order within each (a counting sort).
absl::Status GroupByPartition(const RouteSlice& slice, std::vector<uint32_t>* order,
                              std::vector<uint32_t>* begin) {
  const TableSpec& spec = *slice.table.spec;
  if (slice.keys.size() >= std::numeric_limits<uint32_t>::max()) {
    return absl::InvalidArgumentError(absl::StrCat("table ", spec.name, ": ", slice.keys.size(),
                                                   " keys in one call, at most 2^32 - 2"));
  }
  std::vector<uint32_t> partition(slice.keys.size());
  begin->assign(spec.partitions + 1, 0);
  for (size_t i = 0; i < slice.keys.size(); ++i) {
    const uint64_t key = slice.keys[i];
    if (spec.kind == TableKind::kDense && key >= spec.rows) {
      return absl::InvalidArgumentError(
          absl::StrCat("table ", spec.name, ": key ", key, " is outside its ", spec.rows, " rows"));
    }
    partition[i] = PartitionOf(spec, key);
    ++(*begin)[partition[i] + 1];
  }
  for (uint32_t p = 0; p < spec.partitions; ++p) (*begin)[p + 1] += (*begin)[p];
  std::vector<uint32_t> next(begin->begin(), begin->end() - 1);
  order->resize(slice.keys.size());
  for (size_t i = 0; i < slice.keys.size(); ++i)
    (*order)[next[partition[i]]++] = static_cast<uint32_t>(i);
  return absl::OkStatus();
}

// The frame under construction of each server.
class FrameCutter {
 public:
  FrameCutter(uint64_t frame_bytes, RoutePlan* plan) : frame_bytes_(frame_bytes), plan_(plan) {}

  void Add(uint32_t server, RouteSegment segment, uint64_t key_bytes) {
    while (segment.begin < segment.end) {
      Open& open = open_.try_emplace(server).first->second;
      if (open.frame == kNone || open.bytes + key_bytes > frame_bytes_) {
        open = {plan_->frames.size(), 0};
        plan_->frames.push_back({server, {}, {}});
      }
      const uint64_t room = std::max<uint64_t>(1, (frame_bytes_ - open.bytes) / key_bytes);
      RouteSegment piece = segment;
      piece.end = static_cast<uint32_t>(std::min<uint64_t>(segment.end, segment.begin + room));
      Append(piece, &plan_->frames[open.frame]);
      open.bytes += (piece.end - piece.begin) * key_bytes;
      segment.begin = piece.end;
    }
  }

 private:
  static constexpr size_t kNone = static_cast<size_t>(-1);
  struct Open {
    size_t frame = kNone;
    uint64_t bytes = 0;
  };

  static void Append(const RouteSegment& piece, RouteFrame* frame) {
    if (frame->ranges.empty() || frame->ranges.back().slice != piece.slice) {
      const size_t at = frame->segments.size();
      frame->ranges.push_back({piece.slice, at, at, 0});
    }
    frame->segments.push_back(piece);
    ++frame->ranges.back().end;
    frame->ranges.back().keys += piece.end - piece.begin;
  }

  const uint64_t frame_bytes_;
  RoutePlan* const plan_;
  absl::flat_hash_map<uint32_t, Open> open_;
};

}  // namespace

absl::Status RouteKeys(absl::Span<const RouteSlice> slices, uint64_t frame_bytes, RoutePlan* plan) {
  plan->frames.clear();
  plan->order.resize(slices.size());
  FrameCutter cutter(frame_bytes, plan);
  std::vector<uint32_t> begin;
  for (uint32_t s = 0; s < slices.size(); ++s) {
    const TableSpec& spec = *slices[s].table.spec;
    RETURN_IF_ERROR(GroupByPartition(slices[s], &plan->order[s], &begin));
    const uint64_t key_bytes = sizeof(uint64_t) + uint64_t{spec.dim} * sizeof(float);
    for (uint32_t p = 0; p < spec.partitions; ++p) {
      if (begin[p] == begin[p + 1]) continue;
      cutter.Add(slices[s].table.owner[p], {s, p, begin[p], begin[p + 1]}, key_bytes);
    }
  }
  return absl::OkStatus();
}

bool MergeRepeats(Repeats repeats, absl::Span<const uint64_t> keys, absl::Span<const float> values,
                  uint32_t dim, std::vector<uint64_t>* unique, std::vector<float>* merged) {
  absl::flat_hash_map<uint64_t, uint32_t> place;
  place.reserve(keys.size());
  for (const uint64_t key : keys) place.try_emplace(key, static_cast<uint32_t>(place.size()));
  if (place.size() == keys.size()) return false;
  unique->assign(place.size(), 0);
  merged->assign(place.size() * dim, 0.0f);
  for (size_t i = 0; i < keys.size(); ++i) {
    const uint32_t at = place.find(keys[i])->second;
    (*unique)[at] = keys[i];
    float* const to = &(*merged)[at * size_t{dim}];
    const float* const from = &values[i * dim];
    for (uint32_t d = 0; d < dim; ++d) {
      to[d] = repeats == Repeats::kSum ? to[d] + from[d] : from[d];
    }
  }
  return true;
}

}  // namespace seraph
