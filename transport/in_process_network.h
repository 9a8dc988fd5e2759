// SPDX-License-Identifier: Apache-2.0
// Channels within one process: frames change hands without being serialised or copied. Handlers run
// on the caller's thread.
#ifndef SERAPH_TRANSPORT_IN_PROCESS_NETWORK_H_
#define SERAPH_TRANSPORT_IN_PROCESS_NETWORK_H_

#include <memory>

#include "common/clock.h"
#include "transport/channel.h"

namespace seraph {

// Two networks do not see each other. Listeners and channels may outlive the network. `clock` times
// calls out and outlives all of them.
std::unique_ptr<Network> NewInProcessNetwork(Clock* clock);

}  // namespace seraph

#endif  // SERAPH_TRANSPORT_IN_PROCESS_NETWORK_H_
