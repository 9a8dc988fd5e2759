// SPDX-License-Identifier: Apache-2.0
#include "client/client.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "client/call_cancellation.h"
#include "client/fan_out.h"
#include "client/packing.h"
#include "client/router.h"
#include "client/table_state.h"
#include "common/hash.h"
#include "common/status_macros.h"
#include "scheduler/agent/agent.h"
#include "transport/table_spec_codec.h"

namespace seraph {
namespace {

// Payload of one frame: large enough to amortise its cost, far below what a channel carries.
constexpr uint64_t kFrameBytes = 1 << 20;

// A server answers a parked request that ran out of time itself, naming whom it waited for; the
// channel's own limit only guards against a server that does not answer at all.
constexpr absl::Duration kAnswerSlack = absl::Seconds(2);

absl::Status BadReply(const Channel& channel) {
  return absl::InternalError(
      absl::StrCat("server ", channel.address(), " answered with a reply of another kind"));
}

}  // namespace

const TableSpec& Table::spec() const { return state_->spec; }
uint32_t Table::id() const { return state_->info.id(); }

class Client::Impl {
 public:
  Impl(const Options& options, std::unique_ptr<SchedulerAgent> agent)
      : options_(options), agent_(std::move(agent)) {}

  absl::StatusOr<std::shared_ptr<const TableState>> Open(const TableSpec& spec);
  absl::Status Pull(absl::Span<const PullSlice> slices, bool read_only);
  absl::Status Push(PushKind kind, absl::Span<const PushSlice> slices);
  absl::Status Commit(uint64_t rows, bool idle);
  absl::Status ResumeAt(int64_t clock);
  // Sends one payload-free request to every server of `table` (all servers when null).
  absl::Status Broadcast(
      const TableState* table, const v1::DataRequest& request,
      const std::function<absl::Status(const Channel&, const v1::DataReply&)>& on_reply);
  void Cancel(const absl::Status& reason) { cancellation_.Cancel(reason); }
  absl::Status Drop(const std::string& reason, absl::Duration deadline);

  v1::DataRequest NewRequest() const;
  int64_t clock() const {
    MutexLock lock(&mu_);
    return clock_;
  }

 private:
  absl::StatusOr<uint32_t> ServerNumber(const std::string& address);
  std::vector<std::shared_ptr<Channel>> Channels() const {
    MutexLock lock(&mu_);
    return servers_;
  }
  FanOut Calls() {
    return {.clock = options_.clock,
            .deadline = options_.deadline,
            .answer_slack = kAnswerSlack,
            .jitter_seed = Mix64(options_.incarnation, options_.rank),
            .cancellation = &cancellation_};
  }
  using OnRows = std::function<absl::Status(const Channel&, const RouteFrame&, const Frame& reply)>;
  // requests[i] goes with the payload of the plan's frame i; its timeout is set when it is sent.
  absl::Status CallServers(const RoutePlan& plan, absl::Span<const RequestSlice> slices,
                           std::vector<v1::DataRequest> requests, const FanOut& calls,
                           const OnRows& on_reply);

  const Options options_;
  const std::unique_ptr<SchedulerAgent> agent_;
  CallCancellation cancellation_;
  mutable Mutex mu_;
  std::vector<std::shared_ptr<Channel>> servers_ ABSL_GUARDED_BY(mu_);
  int64_t clock_ ABSL_GUARDED_BY(mu_) = 0;
};

v1::DataRequest Client::Impl::NewRequest() const {
  v1::DataRequest request;
  request.set_group(options_.group);
  request.set_rank(options_.rank);
  request.set_incarnation(options_.incarnation);
  request.set_clock(clock());
  request.set_timeout_s(absl::ToDoubleSeconds(options_.deadline));
  return request;
}

absl::StatusOr<uint32_t> Client::Impl::ServerNumber(const std::string& address) {
  MutexLock lock(&mu_);
  for (uint32_t i = 0; i < servers_.size(); ++i) {
    if (servers_[i]->address() == address) return i;
  }
  ASSIGN_OR_RETURN(std::shared_ptr<Channel> channel, options_.network->Connect(address));
  servers_.push_back(std::move(channel));
  return static_cast<uint32_t>(servers_.size() - 1);
}

absl::StatusOr<std::shared_ptr<const TableState>> Client::Impl::Open(const TableSpec& spec) {
  RETURN_IF_ERROR(ValidateTableSpec(spec));
  v1::CreateTable create;
  create.set_group(options_.group);
  create.set_workers(options_.workers);
  *create.mutable_spec() = ToProto(spec);
  auto state = std::make_shared<TableState>();
  ASSIGN_OR_RETURN(state->info, agent_->CreateTable(create, options_.deadline));
  state->spec = spec;
  std::vector<uint32_t> numbers;
  for (const v1::ServerAddress& server : state->info.servers()) {
    ASSIGN_OR_RETURN(const uint32_t number, ServerNumber(server.address()));
    numbers.push_back(number);
  }
  for (const uint32_t owner : state->info.owner()) {
    if (owner >= numbers.size())
      return absl::InternalError("the scheduler names an owner that it does not list");
    state->owner.push_back(numbers[owner]);
  }
  if (state->owner.size() != spec.partitions) {
    return absl::InternalError(absl::StrCat("the scheduler placed ", state->owner.size(), " of ",
                                            spec.partitions, " partitions of table ", spec.name));
  }
  {
    MutexLock lock(&state->mu);
    state->sequence.assign(spec.partitions, 0);
  }
  v1::DataRequest request = NewRequest();
  *request.mutable_open_table()->mutable_table() = state->info;
  RETURN_IF_ERROR(Broadcast(state.get(), request, nullptr));
  return state;
}

absl::Status Client::Impl::Broadcast(
    const TableState* table, const v1::DataRequest& request,
    const std::function<absl::Status(const Channel&, const v1::DataReply&)>& on_reply) {
  const std::vector<std::shared_ptr<Channel>> servers = Channels();
  std::vector<Channel*> channels;
  for (uint32_t i = 0; i < servers.size(); ++i) {
    if (table == nullptr || absl::c_linear_search(table->owner, i)) {
      channels.push_back(servers[i].get());
    }
  }
  const auto frame = [&](size_t, absl::Duration) {
    Frame copy;
    *copy.header.mutable_data_request() = request;
    return copy;
  };
  return CallAll(channels, Calls(), frame, [&](size_t i, const Frame& reply) {
    return on_reply == nullptr ? absl::OkStatus()
                               : on_reply(*channels[i], reply.header.data_reply());
  });
}

absl::Status Client::Impl::Drop(const std::string& reason, absl::Duration deadline) {
  v1::DataRequest request = NewRequest();
  request.set_timeout_s(absl::ToDoubleSeconds(deadline));
  request.mutable_drop_group()->set_reason(reason);
  const std::vector<std::shared_ptr<Channel>> servers = Channels();
  std::vector<Channel*> channels;
  for (const std::shared_ptr<Channel>& server : servers) channels.push_back(server.get());
  FanOut calls = Calls();
  calls.deadline = deadline;
  calls.answer_slack = absl::ZeroDuration();
  calls.cancellation = nullptr;  // A client that was cancelled has its group dropped as well.
  const auto frame = [&request](size_t, absl::Duration) {
    Frame copy;
    *copy.header.mutable_data_request() = request;
    return copy;
  };
  return CallAll(channels, calls, frame, [](size_t, const Frame&) { return absl::OkStatus(); });
}

namespace {

absl::Status CheckSize(const TableSpec& spec, size_t keys, size_t values) {
  const size_t expected = keys * spec.dim;
  if (values == expected) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("table ", spec.name, ": ", values, " values for ",
                                                 keys, " keys of dim ", spec.dim, ", expected ",
                                                 expected));
}

absl::StatusOr<RoutePlan> Route(absl::Span<const RequestSlice> slices) {
  std::vector<RouteSlice> routes;
  for (const RequestSlice& slice : slices) {
    routes.push_back({{&slice.table->spec, slice.table->owner}, slice.keys});
  }
  RoutePlan plan;
  RETURN_IF_ERROR(RouteKeys(routes, kFrameBytes, &plan));
  return plan;
}

v1::Push::Kind ToProto(PushKind kind) {
  switch (kind) {
    case PushKind::kGradient:
      return v1::Push::GRADIENT;
    case PushKind::kAdd:
      return v1::Push::ADD;
    case PushKind::kAssign:
      return v1::Push::ASSIGN;
  }
  return v1::Push::GRADIENT;
}

}  // namespace

absl::Status Client::Impl::CallServers(const RoutePlan& plan, absl::Span<const RequestSlice> slices,
                                       std::vector<v1::DataRequest> requests, const FanOut& calls,
                                       const OnRows& on_reply) {
  const std::vector<std::shared_ptr<Channel>> servers = Channels();
  std::vector<Channel*> channels;
  for (const RouteFrame& frame : plan.frames) channels.push_back(servers[frame.server].get());
  const auto frame = [&](size_t i, absl::Duration left) {
    Frame packed;
    requests[i].set_timeout_s(absl::ToDoubleSeconds(left));
    *packed.header.mutable_data_request() = requests[i];
    packed.payload = PackFrame(plan.frames[i], plan, slices);
    return packed;
  };
  return CallAll(channels, calls, frame, [&](size_t i, const Frame& reply) {
    return on_reply(*channels[i], plan.frames[i], reply);
  });
}

absl::Status Client::Impl::Pull(absl::Span<const PullSlice> asked, bool read_only) {
  std::vector<RequestSlice> slices;
  for (const PullSlice& slice : asked) {
    RETURN_IF_ERROR(CheckSize(slice.table->spec(), slice.keys.size(), slice.out.size()));
    slices.push_back({slice.table->state_, slice.keys, {}, slice.out});
  }
  ASSIGN_OR_RETURN(const RoutePlan plan, Route(slices));
  std::vector<v1::DataRequest> requests(plan.frames.size(), NewRequest());
  for (size_t i = 0; i < requests.size(); ++i) {
    v1::Pull* const pull = requests[i].mutable_pull();
    pull->set_read_only(read_only);
    DescribeSlices(plan.frames[i], slices, false, pull->mutable_slices());
  }
  return CallServers(plan, slices, std::move(requests), Calls(),
                     [&](const Channel& server, const RouteFrame& frame, const Frame& reply) {
                       if (!reply.header.data_reply().has_pull()) return BadReply(server);
                       const uint64_t expected = ReplyBytes(frame, slices);
                       if (reply.payload.size() != expected) {
                         return absl::InternalError(
                             absl::StrCat("server ", server.address(), " answered a pull with ",
                                          reply.payload.size(), " bytes, expected ", expected));
                       }
                       UnpackRows(frame, plan, slices, reply.payload.data());
                       return absl::OkStatus();
                     });
}

absl::Status Client::Impl::Push(PushKind kind, absl::Span<const PushSlice> asked) {
  // Where keys repeat, the caller's slice is replaced by one that has each key once: frames may be
  // cut anywhere then, and may arrive in any order.
  std::vector<std::vector<uint64_t>> unique(asked.size());
  std::vector<std::vector<float>> merged(asked.size());
  const Repeats repeats = kind == PushKind::kAssign ? Repeats::kLast : Repeats::kSum;
  std::vector<RequestSlice> slices;
  for (size_t s = 0; s < asked.size(); ++s) {
    const TableSpec& spec = asked[s].table->spec();
    RETURN_IF_ERROR(CheckSize(spec, asked[s].keys.size(), asked[s].values.size()));
    slices.push_back({asked[s].table->state_, asked[s].keys, asked[s].values, {}});
    RequestSlice& slice = slices.back();
    if (MergeRepeats(repeats, slice.keys, slice.values, spec.dim, &unique[s], &merged[s])) {
      slice.keys = unique[s];
      slice.values = merged[s];
    }
  }
  ASSIGN_OR_RETURN(const RoutePlan plan, Route(slices));
  std::vector<v1::DataRequest> requests(plan.frames.size(), NewRequest());
  for (size_t i = 0; i < requests.size(); ++i) {
    v1::Push* const push = requests[i].mutable_push();
    push->set_kind(ToProto(kind));
    DescribeSlices(plan.frames[i], slices, true, push->mutable_slices());
  }
  FanOut calls = Calls();
  calls.repeat_refused = true;  // A push that is refused for memory has changed nothing.
  return CallServers(plan, slices, std::move(requests), calls,
                     [](const Channel& server, const RouteFrame&, const Frame& reply) {
                       return reply.header.data_reply().has_push() ? absl::OkStatus()
                                                                   : BadReply(server);
                     });
}

absl::Status Client::Impl::Commit(uint64_t rows, bool idle) {
  v1::DataRequest request = NewRequest();
  request.mutable_commit()->set_rows(rows);
  request.mutable_commit()->set_idle(idle);
  RETURN_IF_ERROR(Broadcast(nullptr, request, nullptr));
  MutexLock lock(&mu_);
  ++clock_;
  return absl::OkStatus();
}

absl::Status Client::Impl::ResumeAt(int64_t clock) {
  MutexLock lock(&mu_);
  if (clock < clock_) {
    return absl::FailedPreconditionError(absl::StrCat("resume at clock ", clock, ": rank ",
                                                      options_.rank, " has committed ", clock_,
                                                      " steps already"));
  }
  clock_ = clock;
  return absl::OkStatus();
}

Client::Client(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Client::~Client() = default;

absl::StatusOr<std::unique_ptr<Client>> Client::Connect(const Options& options) {
  if (options.network == nullptr || options.clock == nullptr) {
    return absl::InvalidArgumentError("connect a client: network and clock are required");
  }
  if (options.group.empty()) return absl::InvalidArgumentError("connect a client: group is empty");
  if (options.rank >= options.workers) {
    return absl::InvalidArgumentError(absl::StrCat("connect a client: rank ", options.rank,
                                                   " is not below workers ", options.workers));
  }
  if (options.deadline <= absl::ZeroDuration()) {
    return absl::InvalidArgumentError("connect a client: deadline must be above zero");
  }
  ASSIGN_OR_RETURN(std::unique_ptr<SchedulerAgent> agent,
                   SchedulerAgent::Connect(options.network, options.clock, options.scheduler));
  return std::unique_ptr<Client>(new Client(std::make_unique<Impl>(options, std::move(agent))));
}

absl::StatusOr<Table> Client::OpenOrCreateTable(const TableSpec& spec) {
  ASSIGN_OR_RETURN(std::shared_ptr<const TableState> state, impl_->Open(spec));
  return Table(std::move(state));
}

absl::Status Client::Pull(absl::Span<const PullSlice> slices) { return impl_->Pull(slices, false); }
absl::Status Client::PullReadOnly(absl::Span<const PullSlice> slices) {
  return impl_->Pull(slices, true);
}
absl::Status Client::Push(PushKind kind, absl::Span<const PushSlice> slices) {
  return impl_->Push(kind, slices);
}
absl::Status Client::Step(uint64_t rows) { return impl_->Commit(rows, false); }
absl::Status Client::StepThenIdle() { return impl_->Commit(0, true); }
int64_t Client::clock() const { return impl_->clock(); }

absl::Status Client::ResumeAt(int64_t clock) { return impl_->ResumeAt(clock); }

absl::StatusOr<v1::SaveTableReply> Client::SaveTable(const Table& table,
                                                     const std::string& folder) {
  v1::DataRequest request = impl_->NewRequest();
  request.mutable_save_table()->set_table(table.id());
  request.mutable_save_table()->set_folder(folder);
  v1::SaveTableReply saved;
  RETURN_IF_ERROR(impl_->Broadcast(table.state_.get(), request,
                                   [&](const Channel&, const v1::DataReply& reply) {
                                     saved.MergeFrom(reply.save_table());
                                     return absl::OkStatus();
                                   }));
  std::sort(saved.mutable_partitions()->begin(), saved.mutable_partitions()->end(),
            [](const auto& a, const auto& b) { return a.partition() < b.partition(); });
  return saved;
}

absl::Status Client::LoadTable(const Table& table, const std::string& folder,
                               absl::Span<const v1::SavedPartition> partitions) {
  v1::DataRequest request = impl_->NewRequest();
  request.mutable_load_table()->set_table(table.id());
  request.mutable_load_table()->set_folder(folder);
  uint64_t expected = 0, loaded = 0;
  for (const v1::SavedPartition& partition : partitions) {
    *request.mutable_load_table()->add_partitions() = partition;
    expected += partition.rows();
  }
  RETURN_IF_ERROR(impl_->Broadcast(table.state_.get(), request,
                                   [&](const Channel&, const v1::DataReply& reply) {
                                     loaded += reply.load_table().rows();
                                     return absl::OkStatus();
                                   }));
  if (loaded == expected) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat("load table ", table.spec().name, " from ", folder, ": ",
                                          loaded, " rows came, ", expected,
                                          " are in the manifest"));
}

absl::StatusOr<std::vector<Client::ServerUse>> Client::ServerStats() {
  v1::DataRequest request = impl_->NewRequest();
  request.mutable_stats();
  std::vector<ServerUse> use;
  RETURN_IF_ERROR(
      impl_->Broadcast(nullptr, request, [&](const Channel& channel, const v1::DataReply& reply) {
        use.push_back({channel.address(), reply.stats()});
        return absl::OkStatus();
      }));
  return use;
}

void Client::Cancel(const absl::Status& reason) { impl_->Cancel(reason); }

absl::Status Client::DropGroup(const std::string& reason, absl::Duration deadline) {
  return impl_->Drop(reason, deadline);
}

}  // namespace seraph
