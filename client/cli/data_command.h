// SPDX-License-Identifier: Apache-2.0
// `seraph data inspect PATH`: what data files hold, and the `data:` section that reads them.
#ifndef SERAPH_CLIENT_CLI_DATA_COMMAND_H_
#define SERAPH_CLIENT_CLI_DATA_COMMAND_H_

#include <cstdint>
#include <optional>
#include <string>

#include "client/cli/command_context.h"

namespace seraph {

struct DataInspectFlags {
  std::string path;    // A file, a folder or a glob.
  std::string format;  // Empty: guessed.
  std::optional<uint64_t> index_base;
};

// Returns the exit code; bad rows among good ones are no failure.
int RunDataInspect(const DataInspectFlags& flags, bool json, const CommandContext& context);

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_DATA_COMMAND_H_
