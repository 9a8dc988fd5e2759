// SPDX-License-Identifier: Apache-2.0
// Sends frames to many channels and waits for all answers.
#ifndef SERAPH_CLIENT_FAN_OUT_H_
#define SERAPH_CLIENT_FAN_OUT_H_

#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "transport/channel.h"

namespace seraph {

struct Outgoing {
  Channel* channel;
  Frame frame;
};

// Calls all at one time; returns when every one is answered (channels bound that by `timeout`).
// `on_reply` gets each good reply with its number, on this thread, in number order. The first error
// in number order is returned, after all have been answered; replies of the others have been seen.
absl::Status CallAll(std::vector<Outgoing> calls, absl::Duration timeout,
                     const std::function<absl::Status(size_t, Frame)>& on_reply);

}  // namespace seraph

#endif  // SERAPH_CLIENT_FAN_OUT_H_
