// SPDX-License-Identifier: Apache-2.0
#include "transport/grpc_listener.h"

#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server_builder.h>

#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "transport/grpc_limits.h"
#include "transport/listen_probe.h"

namespace seraph {
namespace {

constexpr int kQueues = 2;
// How many arriving calls a queue can take before its thread has to act.
constexpr int kAwaitedCallsPerQueue = 16;
// For answers that are on their way when the grace is over, before connections are cut.
constexpr std::chrono::milliseconds kFlush(200);
// For a stranger who connects and says nothing.
constexpr int kHandshakeTimeoutMs = 10000;

}  // namespace

absl::StatusOr<std::unique_ptr<GrpcListener>> GrpcListener::Start(const HostPort& address,
                                                                  FrameHandler* handler) {
  // gRPC says no more than "failed", and much on the standard error: ask the system first.
  RETURN_IF_ERROR(CheckCanListen(address));
  std::unique_ptr<GrpcListener> listener(new GrpcListener(handler));
  RETURN_IF_ERROR(listener->Bind(address));
  return listener;
}

absl::Status GrpcListener::Bind(HostPort address) {
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort(address.ToString(), grpc::InsecureServerCredentials(), &port);
  builder.RegisterAsyncGenericService(&service_);
  builder.SetMaxReceiveMessageSize(kMaxMessageBytes);
  builder.SetMaxSendMessageSize(kMaxMessageBytes);
  SetThroughputArguments(
      [&builder](const char* name, int value) { builder.AddChannelArgument(name, value); });
  // One listener a port: a second one must be told that it is taken.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, kHandshakeTimeoutMs);
  std::vector<std::unique_ptr<grpc::ServerCompletionQueue>> queues;
  for (int i = 0; i < kQueues; ++i) queues.push_back(builder.AddCompletionQueue());
  server_ = builder.BuildAndStart();
  if (server_ == nullptr || port == 0) {
    server_ = nullptr;
    for (auto& queue : queues) pollers_.push_back(std::make_unique<GrpcPoller>(std::move(queue)));
    return absl::UnavailableError(
        absl::StrCat("cannot listen on ", address.ToString(), ": gRPC could not bind it"));
  }
  address.port = static_cast<uint16_t>(port);
  address_ = address.ToString();
  calls_.set_address(address_);
  for (auto& queue : queues) {
    grpc::ServerCompletionQueue* const awaited = queue.get();
    pollers_.push_back(std::make_unique<GrpcPoller>(std::move(queue)));
    for (int i = 0; i < kAwaitedCallsPerQueue; ++i) calls_.AwaitCall(awaited);
  }
  return absl::OkStatus();
}

GrpcListener::~GrpcListener() { Shutdown(absl::ZeroDuration()); }

void GrpcListener::Shutdown(absl::Duration grace) {
  MutexLock lock(&mu_);
  if (std::exchange(shut_down_, true) || server_ == nullptr) return;
  calls_.CloseAndWait(grace);
  server_->Shutdown(std::chrono::system_clock::now() + kFlush);
  calls_.AwaitNone();
  server_ = nullptr;  // Before its queues.
  pollers_.clear();   // Ends the queues and joins their threads.
}

}  // namespace seraph
