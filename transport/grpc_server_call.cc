// SPDX-License-Identifier: Apache-2.0
#include "transport/grpc_server_call.h"

#include <grpcpp/support/byte_buffer.h>

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "transport/grpc_frame.h"
#include "transport/grpc_status.h"
#include "transport/reply_codec.h"

namespace seraph {

// One call. At any time at most one operation is under way, so that the call itself is the tag of
// all of them.
class GrpcServerCall : public GrpcEvent, public std::enable_shared_from_this<GrpcServerCall> {
 public:
  GrpcServerCall(GrpcServerCalls* all, grpc::ServerCompletionQueue* queue)
      : all_(all), queue_(queue), stream_(&context_) {}

  void Await() { all_->service_->RequestCall(&context_, &stream_, queue_, queue_, AsTag()); }

  void Happened(bool ok) override {
    const std::shared_ptr<GrpcServerCall> self = shared_from_this();
    switch (Current()) {
      case State::kWaiting:
        return ok ? Arrived() : all_->Remove(self, admitted_);
      case State::kReading:
        return Read(ok);
      case State::kHandling:
      case State::kFinishing:
        return all_->Remove(self, admitted_);
    }
  }

  // Ends the call with `reply`, unless it is not the handler's turn or it was answered before.
  void Answer(absl::StatusOr<Frame> reply) {
    MutexLock lock(&mu_);
    if (state_ != State::kHandling) return;
    state_ = State::kFinishing;
    Frame frame = EncodeReply(std::move(reply));
    grpc::ByteBuffer message;
    if (absl::Status fits = ToByteBuffer(&frame, &message); !fits.ok()) {
      frame = EncodeReply(std::move(fits));
      (void)ToByteBuffer(&frame, &message);  // Small: it fits.
    }
    stream_.WriteAndFinish(message, grpc::WriteOptions(), grpc::Status::OK, AsTag());
  }

 private:
  enum class State {
    kWaiting,    // For a client.
    kReading,    // The request's bytes.
    kHandling,   // The handler owes an answer; no operation is under way.
    kFinishing,  // The answer is on its way.
  };

  State Current() {
    MutexLock lock(&mu_);
    return state_;
  }

  void Arrived() {
    all_->AwaitCall(queue_);
    if (context_.method() != kFrameMethod) {
      return Refuse(absl::UnimplementedError(
          absl::StrCat("there is no method ", context_.method(), ", only ", kFrameMethod)));
    }
    MutexLock lock(&mu_);
    state_ = State::kReading;
    stream_.Read(&request_, AsTag());
  }

  void Read(bool ok) {
    if (!ok) return Refuse(absl::InvalidArgumentError("the call carries no frame"));
    absl::StatusOr<Frame> frame = FromByteBuffer(request_);
    request_.Clear();
    if (!frame.ok()) return Refuse(absl::InvalidArgumentError(frame.status().message()));
    admitted_ = all_->Admit();
    if (!admitted_) return Refuse(all_->ClosedError());
    {
      MutexLock lock(&mu_);
      state_ = State::kHandling;
    }
    all_->handler_->Handle(*std::move(frame), context_.peer(), Responder(shared_from_this()));
    all_->LeaveHandler();
  }

  // Ends the call by the transport's own word.
  void Refuse(const absl::Status& status) {
    MutexLock lock(&mu_);
    state_ = State::kFinishing;
    stream_.Finish(ToGrpc(status), AsTag());
  }

  // What the handler holds. Answers with an error when it is dropped without a word.
  class Responder {
   public:
    explicit Responder(std::shared_ptr<GrpcServerCall> call) : call_(std::move(call)) {}
    Responder(Responder&&) = default;
    ~Responder() {
      if (call_ == nullptr) return;
      call_->Answer(
          absl::InternalError(absl::StrCat(call_->all_->address_, ": the request was dropped")));
    }
    void operator()(absl::StatusOr<Frame> reply) {
      if (call_ != nullptr) std::exchange(call_, nullptr)->Answer(std::move(reply));
    }

   private:
    std::shared_ptr<GrpcServerCall> call_;
  };

  GrpcServerCalls* const all_;
  grpc::ServerCompletionQueue* const queue_;
  grpc::GenericServerContext context_;
  grpc::GenericServerAsyncReaderWriter stream_;
  grpc::ByteBuffer request_;
  bool admitted_ = false;  // On the poller's thread alone.
  Mutex mu_;
  State state_ ABSL_GUARDED_BY(mu_) = State::kWaiting;
};

GrpcServerCalls::~GrpcServerCalls() = default;

absl::Status GrpcServerCalls::ClosedError() const {
  return absl::UnavailableError("the listener was shut down");
}

void GrpcServerCalls::AwaitCall(grpc::ServerCompletionQueue* queue) {
  auto call = std::make_shared<GrpcServerCall>(this, queue);
  {
    MutexLock lock(&mu_);
    if (closed_) return;
    calls_.insert(call);  // From here on AwaitNone, and with it the end of the queue, waits for it.
  }
  call->Await();
}

bool GrpcServerCalls::Admit() {
  MutexLock lock(&mu_);
  if (closed_) return false;
  ++admitted_;
  inside_handler_.Enter();
  return true;
}

void GrpcServerCalls::Remove(const std::shared_ptr<GrpcServerCall>& call, bool was_admitted) {
  MutexLock lock(&mu_);
  if (was_admitted) --admitted_;
  calls_.erase(call);
  removed_.NotifyAll();
}

void GrpcServerCalls::CloseAndWait(absl::Duration grace) {
  const absl::Time deadline = clock_->Now() + grace;
  std::vector<std::shared_ptr<GrpcServerCall>> rest;
  {
    MutexLock lock(&mu_);
    closed_ = true;
    while (admitted_ > 0 && clock_->WaitUntil(&removed_, &mu_, deadline)) {
    }
    rest.assign(calls_.begin(), calls_.end());
  }
  // A call that was admitted is with the handler by now, or its thread is about to say so: the
  // fence waits for that thread, and then it is answered too.
  inside_handler_.AwaitOthers();
  for (const auto& call : rest) {
    call->Answer(absl::UnavailableError(absl::StrCat(address_, ": the listener was shut down")));
  }
}

void GrpcServerCalls::AwaitNone() {
  MutexLock lock(&mu_);
  while (!calls_.empty()) removed_.Wait(&mu_);
}

}  // namespace seraph
