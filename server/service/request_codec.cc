// SPDX-License-Identifier: Apache-2.0
#include "server/service/request_codec.h"

#include <cmath>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/partitioning.h"
#include "common/status_macros.h"
#include "common/table_spec.h"
#include "transport/channel.h"
#include "transport/table_spec_codec.h"

namespace seraph {
namespace {

using Slices = google::protobuf::RepeatedPtrField<v1::TableSlice>;

// Wide enough for any sum of what a header can announce.
using Bytes = unsigned __int128;

// What a slice announces, checked against its table.
struct SliceShape {
  std::shared_ptr<const ServedTable> table;
  uint64_t keys = 0;

  Bytes key_bytes() const { return static_cast<Bytes>(keys) * sizeof(uint64_t); }
  Bytes row_bytes() const { return static_cast<Bytes>(keys) * table->spec.dim * sizeof(float); }
};

absl::Status WrongSlice(const TableSpec& spec, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("table ", spec.name, ": ", what));
}

// For messages: what lies beyond u64 is said as its largest value.
uint64_t Shown(Bytes bytes) {
  return bytes > UINT64_MAX ? UINT64_MAX : static_cast<uint64_t>(bytes);
}

absl::StatusOr<SliceShape> ShapeOf(const v1::TableSlice& slice, const FindServedTable& find) {
  SliceShape shape;
  ASSIGN_OR_RETURN(shape.table, find(slice.table(), slice.map_epoch()));
  const TableSpec& spec = shape.table->spec;
  if (slice.partition_size() != slice.keys_size()) {
    return WrongSlice(spec, absl::StrCat(slice.partition_size(), " partitions with ",
                                         slice.keys_size(), " numbers of keys"));
  }
  if (slice.sequence_size() != 0 && slice.sequence_size() != slice.partition_size()) {
    return WrongSlice(spec, absl::StrCat(slice.partition_size(), " partitions with ",
                                         slice.sequence_size(), " sequence numbers"));
  }
  for (int i = 0; i < slice.partition_size(); ++i) {
    if (slice.partition(i) >= spec.partitions ||
        (i > 0 && slice.partition(i) <= slice.partition(i - 1))) {
      return WrongSlice(spec, absl::StrCat("partition ", slice.partition(i),
                                           " is out of order or not below ", spec.partitions));
    }
    shape.keys += slice.keys(i);
  }
  return shape;
}

absl::StatusOr<std::vector<SliceShape>> ShapesOf(const Slices& slices,
                                                 const FindServedTable& find) {
  std::vector<SliceShape> shapes;
  for (const v1::TableSlice& slice : slices) {
    ASSIGN_OR_RETURN(SliceShape shape, ShapeOf(slice, find));
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

absl::Status CheckPayload(const char* what, const Payload& payload, Bytes announced) {
  if (announced == payload.size()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(what, ": the payload has ", payload.size(),
                                                 " bytes, its slices announce ", Shown(announced)));
}

absl::Status CheckKey(const TableSpec& spec, uint64_t key, uint32_t partition) {
  if (spec.kind == TableKind::kDense && key >= spec.rows) {
    return WrongSlice(spec, absl::StrCat("row ", key, " does not exist, rows are ", spec.rows));
  }
  const uint32_t own = PartitionOf(spec, key);
  if (own == partition) return absl::OkStatus();
  return WrongSlice(
      spec, absl::StrCat("key ", key, " is of partition ", own, ", sent as of ", partition));
}

// The slice's keys from byte `offset` of the payload, which are there.
absl::StatusOr<CoreKeys> KeysOf(const v1::TableSlice& slice, SliceShape shape, size_t offset,
                                RequestMemory* memory) {
  CoreKeys keys;
  keys.partitions = slice.partition();
  keys.counts = slice.keys();
  if (offset % alignof(uint64_t) == 0) {
    keys.keys = memory->frame.payload.View<uint64_t>(offset, shape.keys);
  } else {
    memory->aligned_keys.emplace_back(new uint64_t[shape.keys]);
    std::memcpy(memory->aligned_keys.back().get(), memory->frame.payload.data() + offset,
                shape.keys * sizeof(uint64_t));
    keys.keys = {memory->aligned_keys.back().get(), shape.keys};
  }
  size_t next = 0;
  for (size_t i = 0; i < keys.partitions.size(); ++i) {
    for (uint32_t k = 0; k < keys.counts[i]; ++k, ++next) {
      RETURN_IF_ERROR(CheckKey(shape.table->spec, keys.keys[next], keys.partitions[i]));
    }
  }
  keys.table = std::move(shape.table);
  return keys;
}

absl::StatusOr<CorePushKind> DecodeKind(v1::Push::Kind kind) {
  switch (kind) {
    case v1::Push::GRADIENT:
      return CorePushKind::kGradient;
    case v1::Push::ADD:
      return CorePushKind::kAdd;
    case v1::Push::ASSIGN:
      return CorePushKind::kAssign;
    default:
      return absl::InvalidArgumentError(
          absl::StrCat("push: kind ", static_cast<int>(kind), " is not known"));
  }
}

}  // namespace

absl::StatusOr<CoreSession> DecodeSession(const v1::DataRequest& request) {
  if (request.group().empty()) return absl::InvalidArgumentError("the request names no group");
  if (!std::isfinite(request.timeout_s()) || request.timeout_s() < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("timeout_s ", request.timeout_s(), " is not a time of 0 s or more"));
  }
  const auto at_zero = [](absl::string_view what, uint64_t value) {
    if (value == 0) return absl::OkStatus();
    return absl::FailedPreconditionError(
        absl::StrCat(what, " ", value, " of the request is not the server's, which is at 0"));
  };
  RETURN_IF_ERROR(at_zero("group_epoch", request.group_epoch()));
  RETURN_IF_ERROR(at_zero("generation", request.generation()));
  RETURN_IF_ERROR(at_zero("colour", request.colour()));
  return CoreSession{.group = request.group(),
                     .rank = request.rank(),
                     .clock = request.clock(),
                     .timeout = absl::Seconds(request.timeout_s())};
}

absl::StatusOr<DecodedPull> DecodePull(RequestMemory* memory, const FindServedTable& find) {
  const v1::Pull& wire = memory->request().pull();
  DecodedPull decoded;
  ASSIGN_OR_RETURN(decoded.pull.session, DecodeSession(memory->request()));
  decoded.pull.read_only = wire.read_only();
  ASSIGN_OR_RETURN(std::vector<SliceShape> shapes, ShapesOf(wire.slices(), find));
  Bytes announced = 0, reply = 0;
  for (const SliceShape& shape : shapes) {
    announced += shape.key_bytes();
    reply += shape.row_bytes();
  }
  RETURN_IF_ERROR(CheckPayload("pull", memory->frame.payload, announced));
  if (reply > kMaxPayloadBytes) {
    return absl::InvalidArgumentError(absl::StrCat("pull: the reply would have ", Shown(reply),
                                                   " bytes, a frame carries at most ",
                                                   kMaxPayloadBytes));
  }
  decoded.reply = Payload::Uninitialized(static_cast<size_t>(reply));
  size_t in = 0, out = 0;
  for (int s = 0; s < wire.slices_size(); ++s) {
    const size_t values = shapes[s].keys * shapes[s].table->spec.dim;
    const size_t bytes = shapes[s].keys * sizeof(uint64_t);
    ASSIGN_OR_RETURN(CoreKeys keys, KeysOf(wire.slices(s), std::move(shapes[s]), in, memory));
    decoded.pull.slices.push_back({std::move(keys), decoded.reply.MutableView<float>(out, values)});
    in += bytes;
    out += values * sizeof(float);
  }
  return decoded;
}

absl::StatusOr<CorePush> DecodePush(const std::shared_ptr<RequestMemory>& memory,
                                    const FindServedTable& find) {
  const v1::Push& wire = memory->request().push();
  CorePush push;
  ASSIGN_OR_RETURN(push.session, DecodeSession(memory->request()));
  ASSIGN_OR_RETURN(push.kind, DecodeKind(wire.kind()));
  ASSIGN_OR_RETURN(std::vector<SliceShape> shapes, ShapesOf(wire.slices(), find));
  Bytes announced = 0;
  for (const SliceShape& shape : shapes) announced += shape.key_bytes() + shape.row_bytes();
  RETURN_IF_ERROR(CheckPayload("push", memory->frame.payload, announced));
  size_t in = 0;
  for (int s = 0; s < wire.slices_size(); ++s) {
    const size_t values = shapes[s].keys * shapes[s].table->spec.dim;
    const size_t key_bytes = shapes[s].keys * sizeof(uint64_t);
    ASSIGN_OR_RETURN(CoreKeys keys, KeysOf(wire.slices(s), std::move(shapes[s]), in, memory.get()));
    in += key_bytes;
    push.slices.push_back({std::move(keys), memory->frame.payload.View<float>(in, values),
                           wire.slices(s).sequence()});
    in += values * sizeof(float);
  }
  push.memory = memory;
  return push;
}

absl::StatusOr<CoreTableRequest> DecodeOpenTable(const v1::DataRequest& request, uint64_t node) {
  const v1::TableInfo& info = request.open_table().table();
  CoreTableRequest table;
  table.id = info.id();
  table.group = info.group();
  table.workers = info.workers();
  table.map_epoch = info.map_epoch();
  ASSIGN_OR_RETURN(table.spec, FromProto(info.spec()));
  if (table.group != request.group()) {
    return WrongSlice(table.spec, absl::StrCat("is of group ", table.group, ", opened by group ",
                                               request.group()));
  }
  if (table.workers < 1 || table.workers > kMaxGroupWorkers) {
    return WrongSlice(table.spec,
                      absl::StrCat(table.workers, " workers are not in 1..", kMaxGroupWorkers));
  }
  if (static_cast<uint32_t>(info.owner_size()) != table.spec.partitions) {
    return WrongSlice(table.spec, absl::StrCat(info.owner_size(), " owners for ",
                                               table.spec.partitions, " partitions"));
  }
  table.owned.resize(table.spec.partitions);
  for (int p = 0; p < info.owner_size(); ++p) {
    if (info.owner(p) >= static_cast<uint32_t>(info.servers_size())) {
      return WrongSlice(table.spec, absl::StrCat("partition ", p, " is owned by server ",
                                                 info.owner(p), " of ", info.servers_size()));
    }
    table.owned[p] = info.servers(static_cast<int>(info.owner(p))).node() == node;
  }
  return table;
}

}  // namespace seraph
