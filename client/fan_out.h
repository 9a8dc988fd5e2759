// SPDX-License-Identifier: Apache-2.0
// Sends frames to many channels and waits for all answers.
#ifndef SERAPH_CLIENT_FAN_OUT_H_
#define SERAPH_CLIENT_FAN_OUT_H_

#include <cstddef>
#include <cstdint>
#include <functional>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "client/call_cancellation.h"
#include "common/clock.h"
#include "transport/channel.h"

namespace seraph {

// Frames that one channel has under way at a time: enough to keep a server busy while the next
// ones are packed, and little memory however large the request is.
inline constexpr size_t kFramesInFlight = 4;

struct FanOut {
  Clock* clock = nullptr;  // Required.
  // Of the whole call: nothing is sent or repeated past it.
  absl::Duration deadline;
  // How much longer a channel waits for an answer that the server owes at the deadline.
  absl::Duration answer_slack;
  // Frames answered with RESOURCE_EXHAUSTED are sent again, with jittered backoff for each channel
  // (10 ms doubling to 500 ms, one frame at a time until one is taken). For requests of which a
  // refused one has changed nothing.
  bool repeat_refused = false;
  uint64_t jitter_seed = 0;
  CallCancellation* cancellation = nullptr;  // None when null; outlives the call.
};

// Makes frame `i`, just before it is sent and again before it is repeated; `left` is the time until
// the deadline.
using MakeFrame = std::function<Frame(size_t i, absl::Duration left)>;

// Frame i goes to channels[i]; frames of one channel are sent in number order, kFramesInFlight at a
// time, apart from those that are repeated. Returns when all that were sent are answered (channels
// bound that by the deadline and the slack).
// `on_reply` gets each good reply with its number, on this thread, in number order.
//
// The first error in number order is returned: of a channel or of `on_reply`. After an error of a
// channel what was not sent yet is not sent. DEADLINE_EXCEEDED names the server that had no memory
// until the deadline, and its words. A call that is cancelled returns the reason at once, without a
// reply; what has been sent may be handled all the same.
absl::Status CallAll(absl::Span<Channel* const> channels, const FanOut& fan_out,
                     const MakeFrame& make_frame,
                     const std::function<absl::Status(size_t, Frame)>& on_reply);

}  // namespace seraph

#endif  // SERAPH_CLIENT_FAN_OUT_H_
