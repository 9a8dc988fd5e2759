// SPDX-License-Identifier: Apache-2.0
// Blocks of rows that several threads work on, whose results are taken one after another in the
// order of the blocks.
#ifndef SERAPH_CLIENT_CLI_BLOCK_PIPELINE_H_
#define SERAPH_CLIENT_CLI_BLOCK_PIPELINE_H_

#include <functional>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/clock.h"
#include "worker/data/data_index.h"

namespace seraph {

struct BlockPipelineOptions {
  int threads = 1;         // That work on blocks, at least 1.
  Clock* clock = nullptr;  // Required.
  // Its error ends the work. Asked by the caller's thread before each block and while it waits.
  std::function<absl::Status()> check = [] { return absl::OkStatus(); };
};

// Calls `visit` with each block; runs on a thread of its own. `visit` waits while too many blocks
// are under way; its error, which says that the work is over, is to be returned.
using BlockSource =
    std::function<absl::Status(const std::function<absl::Status(const Block&)>& visit)>;

// What is to be done with a block's result: runs on the caller's thread.
using TakeResult = absl::AnyInvocable<absl::Status()>;

// Works on a block, as thread 0..threads-1, beside the other threads.
using WorkOnBlock = std::function<absl::StatusOr<TakeResult>(int thread, const Block& block)>;

// Memory: a few blocks and results for each thread, however many there are in all.
//
// Returns when all is taken and no thread is at work any more. The first error in the order of the
// blocks is returned, whichever thread met one first: of working on a block, then of taking its
// result; of the source behind all blocks that came from it. No result behind it is taken.
absl::Status WorkOnBlocks(const BlockPipelineOptions& options, const BlockSource& source,
                          const WorkOnBlock& work);

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_BLOCK_PIPELINE_H_
