// SPDX-License-Identifier: Apache-2.0
// `seraph predict`: one line a row, in input order.
#ifndef SERAPH_CLIENT_CLI_PREDICT_COMMAND_H_
#define SERAPH_CLIENT_CLI_PREDICT_COMMAND_H_

#include <string>

#include "client/cli/command_context.h"
#include "client/cli/score_flags.h"

namespace seraph {

// Labels of the rows are read and ignored. A bad row is always an error here: lines must match
// rows. `output` is replaced when all is done; "-" is standard output. Returns the exit code.
int RunPredict(const ScoreFlags& flags, const std::string& output, const CommandContext& context);

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_PREDICT_COMMAND_H_
