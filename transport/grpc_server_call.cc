// SPDX-License-Identifier: Apache-2.0
#include "transport/grpc_server_call.h"

#include <grpcpp/support/byte_buffer.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "transport/grpc_frame.h"
#include "transport/grpc_status.h"
#include "transport/reply_codec.h"

namespace seraph {

// The one way from the handler to a call. Whoever holds a Respond holds the gate, for as long as he
// likes; the call behind it is gone soon after the first answer.
class ReplyGate {
 public:
  // The handler's answer. Only the first counts, and none before the request is with the handler.
  void Answer(absl::StatusOr<Frame> reply);
  // The handler will not answer.
  void Drop();

 private:
  friend class GrpcServerCall;

  Mutex mu_;
  GrpcServerCall* unanswered_ ABSL_GUARDED_BY(mu_) = nullptr;
};

// What the handler holds. Answers with an error when it is dropped without a word.
class Responder {
 public:
  explicit Responder(std::shared_ptr<ReplyGate> gate) : gate_(std::move(gate)) {}
  Responder(Responder&&) = default;
  ~Responder() {
    if (gate_ != nullptr) gate_->Drop();
  }
  void operator()(absl::StatusOr<Frame> reply) {
    if (gate_ != nullptr) std::exchange(gate_, nullptr)->Answer(std::move(reply));
  }

 private:
  std::shared_ptr<ReplyGate> gate_;
};

// One call. At any time at most one operation is under way, so that the call itself is the tag of
// all of them.
class GrpcServerCall : public GrpcEvent {
 public:
  GrpcServerCall(GrpcServerCalls* all, grpc::ServerCompletionQueue* queue)
      : all_(all), queue_(queue), stream_(&context_), gate_(std::make_shared<ReplyGate>()) {}

  const std::shared_ptr<ReplyGate>& gate() const { return gate_; }
  const std::string& address() const { return all_->address_; }

  void Await() { all_->service_->RequestCall(&context_, &stream_, queue_, queue_, AsTag()); }

  void Happened(bool ok) override {
    switch (state_) {
      case State::kWaiting:
        return ok ? Arrived() : all_->Remove(this, admitted_);
      case State::kReading:
        return Read(ok);
      case State::kAnswering:
        return Answered();
    }
  }

  // Ends the call by the handler's word. REQUIRES: the gate is locked and the call unanswered.
  void Finish(absl::StatusOr<Frame> reply) {
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
    kAnswering,  // The handler owes an answer, or the answer is on its way.
  };

  void Arrived() {
    all_->AwaitCall(queue_);
    if (context_.method() != kFrameMethod) {
      return Refuse(absl::UnimplementedError(
          absl::StrCat("there is no method ", context_.method(), ", only ", kFrameMethod)));
    }
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
    state_ = State::kAnswering;
    {
      MutexLock lock(&gate_->mu_);
      gate_->unanswered_ = this;
    }
    all_->handler_->Handle(*std::move(frame), context_.peer(), Responder(gate_));
    all_->LeaveHandler();
  }

  // Ends the call by the transport's own word.
  void Refuse(const absl::Status& status) {
    state_ = State::kAnswering;
    stream_.Finish(ToGrpc(status), AsTag());
  }

  void Answered() {
    // Whoever answered may still be on his way out of Finish.
    { MutexLock lock(&gate_->mu_); }
    all_->Remove(this, admitted_);
  }

  GrpcServerCalls* const all_;
  grpc::ServerCompletionQueue* const queue_;
  grpc::GenericServerContext context_;
  grpc::GenericServerAsyncReaderWriter stream_;
  grpc::ByteBuffer request_;
  // On the poller's thread alone.
  State state_ = State::kWaiting;
  bool admitted_ = false;
  const std::shared_ptr<ReplyGate> gate_;
};

void ReplyGate::Answer(absl::StatusOr<Frame> reply) {
  MutexLock lock(&mu_);
  if (unanswered_ != nullptr) std::exchange(unanswered_, nullptr)->Finish(std::move(reply));
}

void ReplyGate::Drop() {
  MutexLock lock(&mu_);
  if (unanswered_ == nullptr) return;
  GrpcServerCall* const call = std::exchange(unanswered_, nullptr);
  call->Finish(absl::InternalError(absl::StrCat(call->address(), ": the request was dropped")));
}

GrpcServerCalls::GrpcServerCalls(grpc::AsyncGenericService* service, FrameHandler* handler,
                                 Clock* clock)
    : service_(service), handler_(handler), clock_(clock) {}

GrpcServerCalls::~GrpcServerCalls() = default;

absl::Status GrpcServerCalls::ClosedError() const {
  return absl::UnavailableError("the listener was shut down");
}

void GrpcServerCalls::AwaitCall(grpc::ServerCompletionQueue* queue) {
  auto owned = std::make_unique<GrpcServerCall>(this, queue);
  GrpcServerCall* const call = owned.get();
  {
    MutexLock lock(&mu_);
    if (closed_) return;
    calls_.insert(std::move(
        owned));  // From here on AwaitNone, and with it the end of the queue, waits for it.
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

void GrpcServerCalls::Remove(GrpcServerCall* call, bool was_admitted) {
  MutexLock lock(&mu_);
  if (was_admitted) --admitted_;
  calls_.erase(calls_.find(call));
  removed_.NotifyAll();
}

void GrpcServerCalls::CloseAndWait(absl::Duration grace) {
  const absl::Time deadline = clock_->Now() + grace;
  std::vector<std::shared_ptr<ReplyGate>> rest;
  {
    MutexLock lock(&mu_);
    closed_ = true;
    while (admitted_ > 0 && clock_->WaitUntil(&removed_, &mu_, deadline)) {
    }
    for (const auto& call : calls_) rest.push_back(call->gate());
  }
  // A call that was admitted is with the handler by now, or its thread is about to say so: the
  // fence waits for that thread, and then it is answered too.
  inside_handler_.AwaitOthers();
  for (const auto& gate : rest) {
    gate->Answer(absl::UnavailableError(absl::StrCat(address_, ": the listener was shut down")));
  }
}

void GrpcServerCalls::AwaitNone() {
  MutexLock lock(&mu_);
  while (!calls_.empty()) removed_.Wait(&mu_);
}

}  // namespace seraph
