// SPDX-License-Identifier: Apache-2.0
#include "transport/in_process_network.h"

#include <atomic>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "common/mutex.h"
#include "common/status_macros.h"
#include "transport/call_timer.h"
#include "transport/frame_codec.h"
#include "transport/in_process_endpoint.h"
#include "transport/pending_calls.h"

namespace seraph {
namespace {

// What the network, its listeners and its channels share. Thread-safe.
class Hub {
 public:
  explicit Hub(Clock* clock) : clock_(clock), timer_(clock) {}

  Clock* clock() const { return clock_; }
  CallTimer& timer() { return timer_; }
  uint64_t NextNumber() { return next_number_.fetch_add(1, std::memory_order_relaxed); }

  absl::StatusOr<std::shared_ptr<InProcessEndpoint>> Bind(const std::string& address,
                                                          FrameHandler* handler) {
    const std::string name = address.empty() ? absl::StrCat("in-process-", NextNumber()) : address;
    auto endpoint = std::make_shared<InProcessEndpoint>(name, handler, clock_);
    MutexLock lock(&mu_);
    if (!endpoints_.emplace(name, endpoint).second) {
      return absl::UnavailableError(absl::StrCat(name, ": the address is already in use"));
    }
    return endpoint;
  }

  std::shared_ptr<InProcessEndpoint> Find(const std::string& address) {
    MutexLock lock(&mu_);
    auto it = endpoints_.find(address);
    return it == endpoints_.end() ? nullptr : it->second;
  }

  // Unless the name has gone to another endpoint since.
  void Unbind(const std::shared_ptr<InProcessEndpoint>& endpoint) {
    MutexLock lock(&mu_);
    auto it = endpoints_.find(endpoint->address());
    if (it != endpoints_.end() && it->second == endpoint) endpoints_.erase(it);
  }

 private:
  Clock* const clock_;
  std::atomic<uint64_t> next_number_{1};
  Mutex mu_;
  absl::flat_hash_map<std::string, std::shared_ptr<InProcessEndpoint>> endpoints_
      ABSL_GUARDED_BY(mu_);
  CallTimer timer_;
};

// The handler's side of a call. Answers with an error when it is dropped without a word.
class Responder {
 public:
  Responder(std::shared_ptr<PendingCalls> pending, uint64_t number, std::string address)
      : pending_(std::move(pending)), number_(number), address_(std::move(address)) {}
  Responder(Responder&&) = default;
  ~Responder() {
    if (pending_ == nullptr) return;
    pending_->Answer(number_,
                     absl::InternalError(absl::StrCat(address_, ": the request was dropped")));
  }

  void operator()(absl::StatusOr<Frame> result) {
    // A second call finds nothing to answer.
    if (pending_ == nullptr) return;
    if (result.ok()) {
      if (absl::Status fits = CheckFrameSize(*result); !fits.ok()) result = std::move(fits);
    }
    std::exchange(pending_, nullptr)->Answer(number_, std::move(result));
  }

 private:
  std::shared_ptr<PendingCalls> pending_;
  uint64_t number_;
  std::string address_;
};

class InProcessChannel : public Channel {
 public:
  InProcessChannel(std::shared_ptr<Hub> hub, std::string address)
      : hub_(std::move(hub)), address_(std::move(address)) {}
  ~InProcessChannel() override {
    pending_->Close(absl::CancelledError(absl::StrCat(address_, ": the channel was closed")));
  }

  const std::string& address() const override { return address_; }

  void Call(Frame request, absl::Duration timeout, Respond done) override {
    if (absl::Status fits = CheckFrameSize(request); !fits.ok()) {
      done(Annotate(fits, address_));
      return;
    }
    const std::shared_ptr<InProcessEndpoint> endpoint = hub_->Find(address_);
    if (endpoint == nullptr) {
      done(absl::UnavailableError(absl::StrCat(address_, ": nobody listens there")));
      return;
    }
    // `done` may destroy this channel: from here on only locals are used.
    const std::shared_ptr<PendingCalls> pending = pending_;
    const uint64_t number = hub_->NextNumber();
    const absl::Time deadline = hub_->clock()->Now() + timeout;
    pending->Add(number, [hub = hub_, endpoint, deadline, number,
                          done = std::move(done)](absl::StatusOr<Frame> result) mutable {
      hub->timer().Remove(deadline, number);
      endpoint->Answered(number);
      done(std::move(result));
    });
    hub_->timer().Add(deadline, number, [pending, number, timeout, address = address_] {
      pending->Answer(number, absl::DeadlineExceededError(absl::StrCat(
                                  address, ": no answer within ", absl::FormatDuration(timeout))));
    });
    endpoint->Handle(
        number, std::move(request),
        [pending, number](absl::Status status) { pending->Answer(number, std::move(status)); },
        Responder(pending, number, address_));
  }

 private:
  const std::shared_ptr<Hub> hub_;
  const std::string address_;
  const std::shared_ptr<PendingCalls> pending_ = std::make_shared<PendingCalls>();
};

class InProcessListener : public Listener {
 public:
  InProcessListener(std::shared_ptr<Hub> hub, std::shared_ptr<InProcessEndpoint> endpoint)
      : hub_(std::move(hub)), endpoint_(std::move(endpoint)) {}
  ~InProcessListener() override { Shutdown(absl::ZeroDuration()); }

  const std::string& address() const override { return endpoint_->address(); }

  void Shutdown(absl::Duration grace) override {
    endpoint_->Close(grace);
    hub_->Unbind(endpoint_);
  }

 private:
  const std::shared_ptr<Hub> hub_;
  const std::shared_ptr<InProcessEndpoint> endpoint_;
};

class InProcessNetwork : public Network {
 public:
  explicit InProcessNetwork(Clock* clock) : hub_(std::make_shared<Hub>(clock)) {}

  absl::StatusOr<std::unique_ptr<Listener>> Listen(const std::string& address,
                                                   FrameHandler* handler) override {
    ASSIGN_OR_RETURN(std::shared_ptr<InProcessEndpoint> endpoint, hub_->Bind(address, handler));
    return std::make_unique<InProcessListener>(hub_, std::move(endpoint));
  }

  absl::StatusOr<std::shared_ptr<Channel>> Connect(const std::string& address) override {
    if (address.empty()) return absl::InvalidArgumentError("cannot connect to an empty address");
    return std::make_shared<InProcessChannel>(hub_, address);
  }

 private:
  const std::shared_ptr<Hub> hub_;
};

}  // namespace

std::unique_ptr<Network> NewInProcessNetwork(Clock* clock) {
  return std::make_unique<InProcessNetwork>(clock);
}

}  // namespace seraph
