// SPDX-License-Identifier: Apache-2.0
// `seraph evaluate`: metrics of a saved model on labelled rows.
#ifndef SERAPH_CLIENT_CLI_EVALUATE_COMMAND_H_
#define SERAPH_CLIENT_CLI_EVALUATE_COMMAND_H_

#include "client/cli/command_context.h"
#include "client/cli/score_flags.h"

namespace seraph {

// Sums blocks in their order, as training does, so that both give the same bits for the same rows.
// Returns the exit code.
int RunEvaluate(const ScoreFlags& flags, bool json, const CommandContext& context);

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_EVALUATE_COMMAND_H_
