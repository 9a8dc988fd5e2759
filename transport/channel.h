// SPDX-License-Identifier: Apache-2.0
// The one way in which parts of Seraph talk: a channel carries request frames to the handler behind
// an address and brings one reply each. Two implementations, in-process and gRPC, pass one contract
// suite (tests/contract).
#ifndef SERAPH_TRANSPORT_CHANNEL_H_
#define SERAPH_TRANSPORT_CHANNEL_H_

#include <memory>
#include <string>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "transport/frame.h"

namespace seraph {

// Called exactly once with the reply or the error.
using Respond = absl::AnyInvocable<void(absl::StatusOr<Frame>)>;

// The far side. Thread-safe: called from many threads at one time, also while earlier requests are
// unanswered.
class FrameHandler {
 public:
  virtual ~FrameHandler() = default;

  // Must not block: hand long work over and answer later, from any thread. `peer` names the caller
  // for messages. Must outlive its Listener; every Respond is called before the handler is
  // destroyed.
  virtual void Handle(Frame request, absl::string_view peer, Respond respond) = 0;
};

// The near side. Thread-safe. Requests of one channel may be handled and answered in any order.
//
// Errors beside those that the handler answers with: UNAVAILABLE the peer cannot be reached or went
// away, with the address named (whether the request was handled is unknown); DEADLINE_EXCEEDED no
// answer in time; CANCELLED the channel was closed here; INVALID_ARGUMENT the frame is too large
// (header or payload, both sizes named).
class Channel {
 public:
  virtual ~Channel() = default;  // Answers what is in flight with CANCELLED, then returns.

  // `done` runs on a thread of the transport or on the caller's; it must not block. `timeout` > 0
  // bounds the wait.
  virtual void Call(Frame request, absl::Duration timeout, Respond done) = 0;

  virtual const std::string& address() const = 0;
};

// Calls and waits. Not from within a `done` or a handler.
absl::StatusOr<Frame> CallAndWait(Channel* channel, Frame request, absl::Duration timeout);

// Where a handler can be reached until Shutdown or destruction.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual const std::string& address()
      const = 0;  // As others connect to it: the port really bound.
  // Takes no new requests (they fail as UNAVAILABLE) and waits up to `grace` for answers in flight.
  // Idempotent.
  virtual void Shutdown(absl::Duration grace) = 0;
};

// A way of joining addresses. Thread-safe.
class Network {
 public:
  virtual ~Network() = default;

  // `address`: HOST:PORT, port 0 lets the system pick; in-process: any name, "" lets the network
  // pick. UNAVAILABLE when the address is taken or cannot be bound, with the reason. `handler`
  // outlives the listener.
  virtual absl::StatusOr<std::unique_ptr<Listener>> Listen(const std::string& address,
                                                           FrameHandler* handler) = 0;

  // Does not touch the peer: an address where nobody listens shows at the first Call, as
  // UNAVAILABLE. INVALID_ARGUMENT for an address that cannot be read.
  virtual absl::StatusOr<std::shared_ptr<Channel>> Connect(const std::string& address) = 0;
};

// Largest payload that any channel carries.
inline constexpr size_t kMaxPayloadBytes = size_t{64} << 20;
// Largest serialised header.
inline constexpr size_t kMaxHeaderBytes = size_t{32} << 20;

}  // namespace seraph

#endif  // SERAPH_TRANSPORT_CHANNEL_H_
