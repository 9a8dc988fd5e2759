// SPDX-License-Identifier: Apache-2.0
#ifndef SERAPH_COMMON_PROCESS_SIGNAL_TEXT_H_
#define SERAPH_COMMON_PROCESS_SIGNAL_TEXT_H_

#include <csignal>

namespace seraph {

// Why a command ended early. `signal_number` is SIGINT or SIGTERM.
inline const char* SignalText(int signal_number) {
  return signal_number == SIGINT ? "interrupted by SIGINT" : "terminated by SIGTERM";
}

}  // namespace seraph

#endif  // SERAPH_COMMON_PROCESS_SIGNAL_TEXT_H_
