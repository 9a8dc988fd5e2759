// SPDX-License-Identifier: Apache-2.0
// `seraph model inspect|export|verify DIR`.
#ifndef SERAPH_CLIENT_CLI_MODEL_COMMAND_H_
#define SERAPH_CLIENT_CLI_MODEL_COMMAND_H_

#include <string>

#include "client/cli/command_context.h"

namespace seraph {

// Each returns the exit code. A damaged model is named by its file, exit 2.

// Tables, rows, bytes, optimizer, epochs and job, from the manifest alone.
int RunModelInspect(const std::string& folder, bool json, const CommandContext& context);
// Reads every byte and compares checksums.
int RunModelVerify(const std::string& folder, bool json, const CommandContext& context);
// Writes the weights (client/cli/table_export.h) to `output`; "-" is standard output.
int RunModelExport(const std::string& folder, const std::string& format, const std::string& output,
                   const CommandContext& context);

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_MODEL_COMMAND_H_
