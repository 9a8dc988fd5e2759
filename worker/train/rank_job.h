// SPDX-License-Identifier: Apache-2.0
// One rank of one job: what it holds from task to task, and the tasks it can be given
// (proto/control.proto, "tasks").
#ifndef SERAPH_WORKER_TRAIN_RANK_JOB_H_
#define SERAPH_WORKER_TRAIN_RANK_JOB_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/client.h"
#include "common/clock.h"
#include "common/file_system.h"
#include "common/mutex.h"
#include "common/table_spec.h"
#include "proto/control.pb.h"
#include "proto/model.pb.h"
#include "scheduler/agent/agent.h"
#include "transport/channel.h"
#include "worker/compute/backend.h"
#include "worker/data/data_set.h"
#include "worker/data/hold_out.h"
#include "worker/model/model.h"
#include "worker/train/cancellation.h"
#include "worker/train/model_saver.h"
#include "worker/train/seat.h"
#include "worker/train/stepper.h"

namespace seraph {

// Tasks run one at a time on the owner's thread; Abort may come from any thread.
class RankJob {
 public:
  struct Options {
    Network* network;  // All outlive it.
    Clock* clock;
    FileSystem* file_system;
    SchedulerAgent* agent;
    std::string scheduler;
    std::string spill_folder;
    Seat seat;
    std::string group;
    v1::JobSpec spec;
  };
  // INVALID_ARGUMENT for a model, label rule or consistency mode that this worker does not know.
  static absl::StatusOr<std::unique_ptr<RankJob>> Create(Options options);

  // Each runs one task to its end; an error fails the job.
  absl::StatusOr<v1::IndexResult> Index(const v1::IndexTask& task);
  absl::StatusOr<v1::PrepareResult> Prepare(const v1::PrepareTask& task);
  absl::StatusOr<v1::TrainResult> Train(const v1::TrainTask& task);
  absl::StatusOr<v1::EvaluateResult> Evaluate(const v1::EvaluateTask& task, uint64_t task_number);
  absl::StatusOr<v1::SaveResult> Save(const v1::SaveTask& task);
  // Rank 0 drops the group's tables.
  void Finish(const v1::FinishTask& task);

  // Ends the running task, also one that waits for other workers or for a server that hangs, and
  // drops the group on the servers, which takes two seconds at most.
  void Abort(const absl::Status& reason);

  const Options& options() const { return options_; }

 private:
  RankJob(Options options, const SyncSpec& sync, std::unique_ptr<Model> model, LabelMap labels);

  uint32_t workers() const { return options_.spec.cluster().workers(); }
  absl::Duration deadline() const { return absl::Seconds(options_.spec.sync().deadline_s()); }
  absl::StatusOr<std::unique_ptr<DataSet>> OpenData(const std::vector<DataFile>& files) const;
  // Of the training data, where the job has a validation share.
  std::optional<HoldOut> HoldOutOf(const DataIndex& index) const;
  absl::Status Fit(const DataIndex& index);
  absl::Status OpenTables();
  absl::Status LoadStart();
  const HoldOut* hold_out() const { return hold_out_.has_value() ? &*hold_out_ : nullptr; }
  absl::Status SaveAs(v1::SaveTask::Mode mode, v1::ModelManifest manifest);
  std::shared_ptr<Client> client() const {
    MutexLock lock(&mu_);
    return client_;
  }

  const Options options_;
  const SyncSpec sync_;
  const std::unique_ptr<Model> model_;
  const LabelMap labels_;
  const std::unique_ptr<Backend> backend_;
  Cancellation cancellation_;

  mutable Mutex mu_;
  std::shared_ptr<Client> client_ ABSL_GUARDED_BY(mu_);  // From Prepare on.

  std::vector<Table> tables_;  // Those of model_->tables(), in that order.
  std::unique_ptr<Stepper> stepper_;
  DataIndex train_index_, test_index_;
  std::unique_ptr<DataSet> train_, test_;
  v1::DataFit fit_;  // Of the training data; empty before it is known, and where none is.
  std::optional<HoldOut> hold_out_;
  std::unique_ptr<KeptModel> kept_;  // Rank 0: of the best epoch so far.
  v1::ModelManifest start_;          // Of train.start_from; empty without.
};

}  // namespace seraph

#endif  // SERAPH_WORKER_TRAIN_RANK_JOB_H_
