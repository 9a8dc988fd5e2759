// SPDX-License-Identifier: Apache-2.0
#include "server/service/data_service.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

namespace seraph {
namespace {

v1::DataReply* ReplyOf(Frame* frame) { return frame->header.mutable_data_reply(); }

// A reply that says no more than that its kind of request is done.
template <typename Fill>
CoreDone Acknowledge(Respond respond, Fill fill) {
  return [respond = std::move(respond), fill](absl::Status status) mutable {
    if (!status.ok()) return respond(std::move(status));
    Frame reply;
    fill(ReplyOf(&reply));
    respond(std::move(reply));
  };
}

}  // namespace

void DataService::Handle(Frame request, absl::string_view peer, Respond respond) {
  if (!request.header.has_data_request()) {
    return respond(absl::InvalidArgumentError(
        absl::StrCat("server: a frame from ", peer, " is no data request")));
  }
  Dispatch(std::make_shared<RequestMemory>(RequestMemory{std::move(request), {}}),
           std::move(respond));
}

void DataService::Dispatch(const Memory& memory, Respond respond) {
  switch (memory->request().op_case()) {
    case v1::DataRequest::kPull:
      return Pull(memory, std::move(respond));
    case v1::DataRequest::kPush:
      return Push(memory, std::move(respond));
    case v1::DataRequest::kCommit:
      return Commit(memory, std::move(respond));
    case v1::DataRequest::kOpenTable:
      return OpenTable(memory, std::move(respond));
    case v1::DataRequest::kDropGroup:
      return DropGroup(memory, std::move(respond));
    case v1::DataRequest::kSaveTable:
      return SaveTable(memory, std::move(respond));
    case v1::DataRequest::kLoadTable:
      return LoadTable(memory, std::move(respond));
    case v1::DataRequest::kStats:
      return Stats(std::move(respond));
    default:
      return respond(absl::UnimplementedError(
          "server: a data request of a kind that this version does not know"));
  }
}

FindServedTable DataService::Finder(const Memory& memory) const {
  return [this, &group = memory->request().group()](uint32_t id, uint64_t map_epoch) {
    return core_->FindTable(group, id, map_epoch);
  };
}

void DataService::Pull(const Memory& memory, Respond respond) {
  ++requests_;
  received_bytes_ += memory->frame.payload.size();
  absl::StatusOr<DecodedPull> decoded = DecodePull(memory.get(), Finder(memory));
  if (!decoded.ok()) return respond(decoded.status());
  core_->Pull(std::move(decoded->pull),
              [this, memory, rows = std::move(decoded->reply),
               respond = std::move(respond)](absl::StatusOr<CorePulled> pulled) mutable {
                if (!pulled.ok()) return respond(pulled.status());
                Frame reply;
                ReplyOf(&reply)->mutable_pull()->set_version(pulled->version);
                sent_bytes_ += rows.size();
                reply.payload = std::move(rows);
                respond(std::move(reply));
              });
}

void DataService::Push(const Memory& memory, Respond respond) {
  ++requests_;
  received_bytes_ += memory->frame.payload.size();
  absl::StatusOr<CorePush> push = DecodePush(memory, Finder(memory));
  if (!push.ok()) return respond(push.status());
  // The core holds the memory: its partition lists point into the header.
  core_->Push(*std::move(push),
              Acknowledge(std::move(respond), [](v1::DataReply* r) { r->mutable_push(); }));
}

void DataService::Commit(const Memory& memory, Respond respond) {
  ++requests_;
  absl::StatusOr<CoreSession> session = DecodeSession(memory->request());
  if (!session.ok()) return respond(session.status());
  const v1::Commit& wire = memory->request().commit();
  core_->Commit({.session = *std::move(session), .rows = wire.rows(), .idle = wire.idle()},
                Acknowledge(std::move(respond), [](v1::DataReply* r) { r->mutable_commit(); }));
}

void DataService::OpenTable(const Memory& memory, Respond respond) {
  const uint64_t node = node_.load();
  if (node == 0) {
    return respond(absl::UnavailableError("server: not registered with the scheduler yet"));
  }
  absl::StatusOr<CoreTableRequest> table = DecodeOpenTable(memory->request(), node);
  if (!table.ok()) return respond(table.status());
  core_->OpenTable(
      *table, Acknowledge(std::move(respond), [](v1::DataReply* r) { r->mutable_open_table(); }));
}

void DataService::DropGroup(const Memory& memory, Respond respond) {
  core_->DropGroup(
      memory->request().group(), memory->request().drop_group().reason(),
      Acknowledge(std::move(respond), [](v1::DataReply* r) { r->mutable_drop_group(); }));
}

void DataService::SaveTable(const Memory& memory, Respond respond) {
  const v1::SaveTable& wire = memory->request().save_table();
  auto table = core_->FindTable(memory->request().group(), wire.table());
  if (!table.ok()) return respond(table.status());
  files_->Save(*std::move(table), wire.folder(),
               [respond = std::move(respond)](absl::StatusOr<SavedTableFiles> saved) mutable {
                 if (!saved.ok()) return respond(saved.status());
                 Frame reply;
                 v1::SaveTableReply* out = ReplyOf(&reply)->mutable_save_table();
                 out->set_state_width(saved->state_width);
                 for (const SavedPartitionFile& file : saved->files) {
                   v1::SavedPartition* partition = out->add_partitions();
                   partition->set_partition(file.partition);
                   partition->set_file(file.file);
                   partition->set_rows(file.rows);
                   partition->set_bytes(file.bytes);
                   partition->set_checksum(file.checksum);
                 }
                 respond(std::move(reply));
               });
}

void DataService::LoadTable(const Memory& memory, Respond respond) {
  const v1::LoadTable& wire = memory->request().load_table();
  auto table = core_->FindTable(memory->request().group(), wire.table());
  if (!table.ok()) return respond(table.status());
  std::vector<SavedPartitionFile> files;
  for (const v1::SavedPartition& partition : wire.partitions()) {
    files.push_back({partition.partition(), partition.file(), partition.rows(), partition.bytes(),
                     partition.checksum()});
  }
  files_->Load(*std::move(table), wire.folder(), std::move(files),
               [respond = std::move(respond)](absl::StatusOr<uint64_t> rows) mutable {
                 if (!rows.ok()) return respond(rows.status());
                 Frame reply;
                 ReplyOf(&reply)->mutable_load_table()->set_rows(*rows);
                 respond(std::move(reply));
               });
}

void DataService::Stats(Respond respond) {
  core_->Stats([this, respond = std::move(respond)](absl::StatusOr<CoreStats> stats) mutable {
    if (!stats.ok()) return respond(stats.status());
    Frame reply;
    v1::StatsReply* out = ReplyOf(&reply)->mutable_stats();
    out->set_requests(requests_.load());
    out->set_received_bytes(received_bytes_.load());
    out->set_sent_bytes(sent_bytes_.load());
    out->set_rows(stats->rows);
    out->set_resident_bytes(stats->resident_bytes);
    out->set_max_staleness(stats->max_staleness);
    out->set_parked_peak(stats->parked_peak);
    out->set_parked_s(stats->parked_s);
    respond(std::move(reply));
  });
}

}  // namespace seraph
