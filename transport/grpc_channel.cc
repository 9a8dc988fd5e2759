// SPDX-License-Identifier: Apache-2.0
#include "transport/grpc_channel.h"

#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "transport/grpc_frame.h"
#include "transport/grpc_limits.h"
#include "transport/grpc_status.h"
#include "transport/reply_codec.h"

namespace seraph {
namespace {

constexpr int kFirstBackoffMs = 20;
constexpr int kLongestBackoffMs = 500;
// gRPC's "min reconnect backoff" is how long one try to connect may take.
constexpr int kConnectTimeoutMs = 2000;

grpc::ChannelArguments ArgumentsOf() {
  grpc::ChannelArguments arguments;
  SetThroughputArguments(
      [&arguments](const char* name, int value) { arguments.SetInt(name, value); });
  arguments.SetMaxReceiveMessageSize(kMaxMessageBytes);
  arguments.SetMaxSendMessageSize(kMaxMessageBytes);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, kFirstBackoffMs);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, kConnectTimeoutMs);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, kLongestBackoffMs);
  arguments.SetInt(GRPC_ARG_DNS_MIN_TIME_BETWEEN_RESOLUTIONS_MS, kLongestBackoffMs);
  // Channels do not share connections, nor is a call ever sent twice without the caller's knowing.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  // The address is the peer's own: no proxy of the environment, no settings from DNS.
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetInt(GRPC_ARG_SERVICE_CONFIG_DISABLE_RESOLUTION, 1);
  return arguments;
}

gpr_timespec DeadlineAfter(absl::Duration timeout) {
  const gpr_timespec span = gpr_time_from_nanos(absl::ToInt64Nanoseconds(timeout), GPR_TIMESPAN);
  return gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), span);
}

// One call on its way. Lives until its event has happened.
class ClientCall : public GrpcEvent {
 public:
  ClientCall(std::string address, absl::Duration timeout, uint64_t number,
             std::shared_ptr<PendingCalls> pending)
      : address_(std::move(address)),
        timeout_(timeout),
        number_(number),
        pending_(std::move(pending)) {
    context_.set_deadline(DeadlineAfter(timeout));
  }

  void Start(std::shared_ptr<ClientCall> self, grpc::GenericStub* stub,
             const grpc::ByteBuffer& request, grpc::CompletionQueue* queue) {
    self_ = std::move(self);
    reader_ = stub->PrepareUnaryCall(&context_, kFrameMethod, request, queue);
    reader_->StartCall();
    reader_->Finish(&reply_, &status_, AsTag());
  }

  // Any time after Start.
  void Cancel() { context_.TryCancel(); }

  void Happened(bool) override {
    const std::shared_ptr<ClientCall> self = std::move(self_);
    pending_->Answer(number_, Result());
  }

 private:
  absl::StatusOr<Frame> Result() {
    if (!status_.ok()) return FromGrpc(status_, address_, timeout_);
    absl::StatusOr<Frame> frame = FromByteBuffer(reply_);
    if (!frame.ok()) return Annotate(frame.status(), absl::StrCat(address_, ": bad reply"));
    return DecodeReply(*std::move(frame));
  }

  const std::string address_;
  const absl::Duration timeout_;
  const uint64_t number_;
  const std::shared_ptr<PendingCalls> pending_;
  grpc::ClientContext context_;
  grpc::ByteBuffer reply_;
  grpc::Status status_;
  std::unique_ptr<grpc::ClientAsyncResponseReader<grpc::ByteBuffer>> reader_;
  std::shared_ptr<ClientCall> self_;
};

}  // namespace

GrpcChannel::GrpcChannel(const HostPort& address, std::shared_ptr<GrpcPoller> poller)
    : address_(address.ToString()),
      poller_(std::move(poller)),
      // The scheme is spelt out: a host may be called as one of gRPC's schemes is.
      stub_(grpc::CreateCustomChannel(absl::StrCat("dns:///", address_),
                                      grpc::InsecureChannelCredentials(), ArgumentsOf())),
      pending_(std::make_shared<PendingCalls>()) {}

GrpcChannel::~GrpcChannel() {
  pending_->Close(absl::CancelledError(absl::StrCat(address_, ": the channel was closed")));
}

void GrpcChannel::Call(Frame request, absl::Duration timeout, Respond done) {
  grpc::ByteBuffer message;
  if (absl::Status fits = ToByteBuffer(&request, &message); !fits.ok()) {
    done(Annotate(fits, address_));
    return;
  }
  const uint64_t number = next_number_.fetch_add(1, std::memory_order_relaxed);
  auto call = std::make_shared<ClientCall>(address_, timeout, number, pending_);
  pending_->Add(number, [call, done = std::move(done)](absl::StatusOr<Frame> result) mutable {
    // Answered from here, by the destructor: the peer need not go on.
    if (absl::IsCancelled(result.status())) call->Cancel();
    done(std::move(result));
  });
  // `done` may destroy this channel while the call starts: the stub is the last member used.
  call->Start(call, &stub_, message, poller_->queue());
}

}  // namespace seraph
