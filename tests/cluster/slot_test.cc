// SPDX-License-Identifier: Apache-2.0
#include "worker/train/slot.h"

#include <filesystem>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "server/server_app.h"
#include "tests/cluster/test_scheduler.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::HasSubstr;

// A scheduler, a server and a slot of "worker 0".
class SlotTest : public ::testing::Test {
 protected:
  void StartServer() {
    ServerApp::Options options;
    options.network = scheduler_.network();
    options.clock = scheduler_.clock();
    options.file_system = files_.get();
    options.scheduler = scheduler_.address();
    options.name = "server 0";
    server_ = ServerApp::Start(options).value();
  }
  void StartSlot() {
    const uint64_t node = scheduler_.Register(v1::WORKER, "worker 0");
    slot_ =
        std::make_unique<Slot>(Slot::Options{scheduler_.network(), scheduler_.clock(), files_.get(),
                                             scheduler_.agent(), scheduler_.address(), "", node});
  }

  TestScheduler scheduler_;
  std::unique_ptr<FileSystem> files_ = NewPosixFileSystem();
  std::unique_ptr<ServerApp> server_;
  std::unique_ptr<Slot> slot_;
};

TEST_F(SlotTest, RunsJobAfterJob) {
  StartServer();
  StartSlot();
  const v1::JobSpec job = SmallJob(WriteRows("slot_runs.dummy", 100), 1);
  for (int i = 0; i < 2; ++i) {
    const v1::JobDone done = scheduler_.Wait(scheduler_.Submit(job));
    EXPECT_EQ(done.status(), v1::JobDone::SUCCEEDED) << done.error();
    EXPECT_EQ(done.rows_read(), 100 * job.train().epochs());
  }
}

TEST_F(SlotTest, ATaskThatFailsFailsItsJobAlone) {
  StartServer();
  StartSlot();
  EXPECT_THAT(scheduler_.Wait(scheduler_.Submit(SmallJob("/nowhere/a", 1))).error(),
              HasSubstr("/nowhere/a"));
  const v1::JobSpec good = SmallJob(WriteRows("slot_good.dummy", 10), 1);
  EXPECT_EQ(scheduler_.Wait(scheduler_.Submit(good)).status(), v1::JobDone::SUCCEEDED);
}

// An index names its files; a hundred files of long names, listed a hundred times, are more than a
// message holds.
TEST_F(SlotTest, AResultThatIsLargerThanAMessageFailsTheJob) {
  scheduler_.Register(v1::SERVER, "server 0");
  std::string folder = absl::StrCat(::testing::TempDir(), "/large_index");
  while (folder.size() < 3700) absl::StrAppend(&folder, "/", std::string(200, 'd'));
  std::filesystem::create_directories(folder);
  for (int i = 0; i < 100; ++i) std::ofstream(absl::StrCat(folder, "/", i)) << "1 2\n";
  v1::JobSpec job = SmallJob(folder, 1);
  const v1::DataPath entry = job.data().train(0);
  for (int i = 1; i < 100; ++i) *job.mutable_data()->add_train() = entry;
  StartSlot();
  const v1::JobDone done = scheduler_.Wait(scheduler_.Submit(job));
  EXPECT_EQ(done.status(), v1::JobDone::FAILED);
  EXPECT_THAT(done.error(), HasSubstr("over the limit"));
  EXPECT_THAT(done.error(), HasSubstr("task 1 of rank 0"));
}

// The new scheduler gives nodes and jobs numbers of its own: what the slot has of the old one is
// refused, result and failure.
TEST_F(SlotTest, ASlotIsFreeAgainWhenTheSchedulerHasForgottenItsJob) {
  StartServer();
  StartSlot();
  scheduler_.Register(v1::WORKER, "worker 1");  // Is given rank 1, and never asks.
  const uint64_t job = scheduler_.Submit(SmallJob(WriteRows("slot_forgotten.dummy", 10), 2));
  scheduler_.WaitForStart(job);
  scheduler_.Restart();
  scheduler_.Register(v1::SERVER, "server 0");
  scheduler_.Register(v1::WORKER, "worker 0");
  // Of the slot's result, of its failure, and of its job's watcher.
  scheduler_.WaitForAnswers(absl::StatusCode::kNotFound, 3);
  EXPECT_THAT(scheduler_.Wait(scheduler_.Submit(SmallJob("/nowhere/b", 1))).error(),
              HasSubstr("/nowhere/b"));
}

TEST_F(SlotTest, StopEndsATaskThatWaitsForAServerThatHangs) {
  // Answers nothing, as a process that is stopped.
  class HangingServer : public FrameHandler {
   public:
    ~HangingServer() override {
      for (Respond& respond : held_) respond(absl::UnavailableError("the test ends"));
    }
    void Handle(Frame, absl::string_view, Respond respond) override {
      MutexLock lock(&mu_);
      held_.push_back(std::move(respond));
      arrived_.NotifyAll();
    }
    void WaitForRequest() {
      MutexLock lock(&mu_);
      while (held_.empty()) arrived_.Wait(&mu_);
    }

   private:
    Mutex mu_;
    CondVar arrived_;
    std::vector<Respond> held_ ABSL_GUARDED_BY(mu_);
  };
  HangingServer server;
  const auto listener = scheduler_.network()->Listen("server 0", &server).value();
  scheduler_.Register(v1::SERVER, "server 0");
  StartSlot();
  v1::JobSpec job = SmallJob(WriteRows("slot_hangs.dummy", 10), 1);
  job.mutable_sync()->set_deadline_s(3600);
  scheduler_.Submit(job);
  server.WaitForRequest();
  const absl::Time before = scheduler_.clock()->Now();
  slot_->Stop(absl::CancelledError("the worker shuts down"));
  slot_.reset();
  EXPECT_LT(scheduler_.clock()->Now() - before, absl::Seconds(30));
}

}  // namespace
}  // namespace seraph
