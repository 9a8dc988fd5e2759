// SPDX-License-Identifier: Apache-2.0
#include "client/cli/block_pipeline.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "common/mutex.h"
#include "common/status_macros.h"

namespace seraph {
namespace {

// Blocks under way for each thread: one at work, others done or waiting, so that a slow one holds
// up nobody for a while.
constexpr size_t kBlocksPerThread = 4;
// How long a signal may go unseen while a block is slow.
constexpr absl::Duration kCheckPeriod = absl::Milliseconds(50);

// A block under way.
struct Piece {
  Block block;
  std::optional<absl::StatusOr<TakeResult>> result;
};

class BlockPipeline {
 public:
  BlockPipeline(const BlockPipelineOptions& options, const BlockSource& source,
                const WorkOnBlock& work)
      : options_(options),
        source_(source),
        work_(work),
        most_pieces_(kBlocksPerThread * static_cast<size_t>(options.threads)) {}

  absl::Status Run() {
    std::vector<std::thread> threads;
    threads.emplace_back([this] { Deal(); });
    for (int i = 0; i < options_.threads; ++i) threads.emplace_back([this, i] { Work(i); });
    const absl::Status status = TakeAll();
    Stop();
    for (std::thread& thread : threads) thread.join();
    return status;
  }

 private:
  void Deal() {
    const absl::Status status = source_([this](const Block& block) { return Add(block); });
    MutexLock lock(&mu_);
    source_status_ = status;
    dealt_.NotifyAll();
    done_.NotifyOne();
  }

  absl::Status Add(const Block& block) {
    MutexLock lock(&mu_);
    while (!stopped_ && pieces_.size() >= most_pieces_) taken_.Wait(&mu_);
    if (stopped_) return absl::CancelledError("the work on blocks is over");
    pieces_.push_back({block, std::nullopt});
    dealt_.NotifyOne();
    return absl::OkStatus();
  }

  void Work(int thread) {
    while (Piece* const piece = NextPiece()) {
      absl::StatusOr<TakeResult> result = work_(thread, piece->block);
      MutexLock lock(&mu_);
      piece->result.emplace(std::move(result));
      if (piece == &pieces_.front()) done_.NotifyOne();
    }
  }

  // Null: there are no more. The piece stays in its place until its result is there.
  Piece* NextPiece() {
    MutexLock lock(&mu_);
    while (!stopped_ && begun_ == pieces_.size()) {
      if (source_status_.has_value()) return nullptr;
      dealt_.Wait(&mu_);
    }
    return stopped_ ? nullptr : &pieces_[begun_++];
  }

  absl::Status TakeAll() {
    while (true) {
      RETURN_IF_ERROR(options_.check());
      std::optional<absl::StatusOr<TakeResult>> result;
      {
        MutexLock lock(&mu_);
        if (pieces_.empty() && source_status_.has_value()) return *source_status_;
        if (pieces_.empty() || !pieces_.front().result.has_value()) {
          options_.clock->WaitUntil(&done_, &mu_, options_.clock->Now() + kCheckPeriod);
          continue;
        }
        result = std::move(pieces_.front().result);
        pieces_.pop_front();
        --begun_;
        taken_.NotifyOne();
      }
      RETURN_IF_ERROR(result->status());
      RETURN_IF_ERROR((**result)());
    }
  }

  void Stop() {
    MutexLock lock(&mu_);
    stopped_ = true;
    taken_.NotifyAll();
    dealt_.NotifyAll();
  }

  const BlockPipelineOptions& options_;
  const BlockSource& source_;
  const WorkOnBlock& work_;
  const size_t most_pieces_;
  Mutex mu_;
  CondVar dealt_;  // Another block for the threads, or the source has ended.
  CondVar done_;   // The front block's result, or the source has ended.
  CondVar taken_;  // Room for another block.
  // In the order of the blocks: `begun_` of them, at the front, are at work or done. A deque, so
  // that a piece at work stays where it is while others come and go.
  std::deque<Piece> pieces_ ABSL_GUARDED_BY(mu_);
  size_t begun_ ABSL_GUARDED_BY(mu_) = 0;
  std::optional<absl::Status> source_status_ ABSL_GUARDED_BY(mu_);  // Once it has ended.
  bool stopped_ ABSL_GUARDED_BY(mu_) = false;
};

}  // namespace

absl::Status WorkOnBlocks(const BlockPipelineOptions& options, const BlockSource& source,
                          const WorkOnBlock& work) {
  return BlockPipeline(options, source, work).Run();
}

}  // namespace seraph
