// SPDX-License-Identifier: Apache-2.0
#include "transport/grpc_poller.h"

#include <utility>

#include "transport/sanitizers.h"

namespace seraph {
namespace {

void PollUntilShutdown(const std::shared_ptr<grpc::CompletionQueue>& queue) {
  void* tag = nullptr;
  bool ok = false;
  while (queue->Next(&tag, &ok)) {
    TakeOver(tag);
    static_cast<GrpcEvent*>(tag)->Happened(ok);
  }
}

}  // namespace

void* GrpcEvent::AsTag() {
  HandOver(this);
  return this;
}

GrpcPoller::GrpcPoller(std::unique_ptr<grpc::CompletionQueue> queue)
    : queue_(std::move(queue)), thread_(&PollUntilShutdown, queue_) {}

GrpcPoller::~GrpcPoller() {
  queue_->Shutdown();
  if (thread_.get_id() == std::this_thread::get_id()) {
    thread_.detach();
  } else {
    thread_.join();
  }
}

}  // namespace seraph
