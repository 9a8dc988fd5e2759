// SPDX-License-Identifier: Apache-2.0
#include "server/service/data_service.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "common/clock.h"
#include "common/file_system.h"
#include "common/partitioning.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/status_matchers.h"
#include "transport/in_process_network.h"
#include "transport/table_spec_codec.h"

namespace seraph {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr uint64_t kNode = 7;

TableSpec Spec() {
  TableSpec spec;
  spec.name = "weights";
  spec.dim = 2;
  spec.partitions = 4;
  spec.optimizer.type = "adagrad";
  return spec;
}

// One server behind an in-process channel.
class DataServiceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Start();
    folder_ = ::testing::TempDir() + "/model";
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override {
    core_->Shutdown(absl::UnavailableError("the test is over"));
    files_.reset();
  }
  void Start() {
    core_ = std::make_unique<ServerCore>(ServerCore::Options{.clock = &clock_, .executors = 2});
    files_ = std::make_unique<TableFiles>(core_.get(), file_system_.get());
    service_ = std::make_unique<DataService>(core_.get(), files_.get());
    service_->set_node(kNode);
    listener_ = network_->Listen("", service_.get()).value();
    channel_ = network_->Connect(listener_->address()).value();
  }
  // A fresh server in the place of the first.
  void Restart() {
    core_->Shutdown(absl::UnavailableError("restart"));
    listener_.reset();
    service_.reset();
    files_.reset();
    Start();
  }

  absl::StatusOr<Frame> Call(Frame request) {
    return CallAndWait(channel_.get(), std::move(request), absl::Seconds(30));
  }
  static v1::DataRequest* RequestOf(Frame* frame, uint32_t rank = 0, int64_t clock = 0) {
    v1::DataRequest* request = frame->header.mutable_data_request();
    request->set_group("g");
    request->set_rank(rank);
    request->set_clock(clock);
    request->set_timeout_s(20);
    return request;
  }
  absl::Status Open(const TableSpec& spec, uint32_t workers = 1) {
    Frame frame;
    v1::TableInfo* info = RequestOf(&frame)->mutable_open_table()->mutable_table();
    info->set_id(1);
    info->set_group("g");
    info->set_workers(workers);
    info->set_map_epoch(1);
    *info->mutable_spec() = ToProto(spec);
    info->add_servers()->set_node(kNode);
    for (uint32_t p = 0; p < spec.partitions; ++p) info->add_owner(0);
    return Call(std::move(frame)).status();
  }

  // Keys sorted by partition and described in `slice`.
  static std::vector<uint64_t> Describe(std::vector<uint64_t> keys, v1::TableSlice* slice) {
    const TableSpec spec = Spec();
    std::stable_sort(keys.begin(), keys.end(), [&](uint64_t a, uint64_t b) {
      return PartitionOf(spec, a) < PartitionOf(spec, b);
    });
    slice->set_table(1);
    slice->set_map_epoch(1);
    for (const uint64_t key : keys) {
      const uint32_t partition = PartitionOf(spec, key);
      const int last = slice->partition_size() - 1;
      if (last < 0 || slice->partition(last) != partition) {
        slice->add_partition(partition);
        slice->add_keys(1);
      } else {
        slice->set_keys(last, slice->keys(last) + 1);
      }
    }
    return keys;
  }
  // Pushes the row (key, 1) for every key.
  absl::Status Push(const std::vector<uint64_t>& keys, uint32_t rank = 0, int64_t clock = 0) {
    return PushRows(v1::Push::ASSIGN, keys, 1, rank, clock);
  }
  // Pushes the row (key, second) for every key.
  absl::Status PushRows(v1::Push::Kind kind, const std::vector<uint64_t>& keys, float second,
                        uint32_t rank, int64_t clock) {
    Frame frame;
    v1::Push* push = RequestOf(&frame, rank, clock)->mutable_push();
    push->set_kind(kind);
    const std::vector<uint64_t> sorted = Describe(keys, push->add_slices());
    frame.payload = Payload::Uninitialized(sorted.size() * 16);
    std::memcpy(frame.payload.data(), sorted.data(), sorted.size() * 8);
    float* row = frame.payload.MutableView<float>(sorted.size() * 8, sorted.size() * 2).data();
    for (const uint64_t key : sorted) {
      *row++ = static_cast<float>(key);
      *row++ = second;
    }
    return Call(std::move(frame)).status();
  }
  // First weights by key.
  absl::StatusOr<std::map<uint64_t, float>> Pull(const std::vector<uint64_t>& keys,
                                                 uint32_t rank = 0, int64_t clock = 0) {
    Frame frame;
    const std::vector<uint64_t> sorted =
        Describe(keys, RequestOf(&frame, rank, clock)->mutable_pull()->add_slices());
    frame.payload = Payload::Uninitialized(sorted.size() * 8);
    std::memcpy(frame.payload.data(), sorted.data(), sorted.size() * 8);
    absl::StatusOr<Frame> reply = Call(std::move(frame));
    if (!reply.ok()) return reply.status();
    std::map<uint64_t, float> rows;
    const auto values = reply->payload.View<float>(0, sorted.size() * 2);
    for (size_t i = 0; i < sorted.size(); ++i) rows[sorted[i]] = values[2 * i];
    return rows;
  }
  absl::Status Commit(uint32_t rank, int64_t clock) {
    Frame frame;
    RequestOf(&frame, rank, clock)->mutable_commit()->set_rows(1);
    return Call(std::move(frame)).status();
  }
  v1::StatsReply Stats() {
    Frame frame;
    RequestOf(&frame)->mutable_stats();
    return Call(std::move(frame)).value().header.data_reply().stats();
  }
  absl::StatusOr<v1::SaveTableReply> Save() {
    Frame frame;
    v1::SaveTable* save = RequestOf(&frame)->mutable_save_table();
    save->set_table(1);
    save->set_folder(folder_);
    absl::StatusOr<Frame> reply = Call(std::move(frame));
    if (!reply.ok()) return reply.status();
    return reply->header.data_reply().save_table();
  }
  absl::StatusOr<uint64_t> Load(const v1::SaveTableReply& saved) {
    Frame frame;
    v1::LoadTable* load = RequestOf(&frame)->mutable_load_table();
    load->set_table(1);
    load->set_folder(folder_);
    *load->mutable_partitions() = saved.partitions();
    absl::StatusOr<Frame> reply = Call(std::move(frame));
    if (!reply.ok()) return reply.status();
    return reply->header.data_reply().load_table().rows();
  }

  SystemClock clock_;
  const std::unique_ptr<FileSystem> file_system_ = NewPosixFileSystem();
  const std::unique_ptr<Network> network_ = NewInProcessNetwork(&clock_);
  std::string folder_;
  std::unique_ptr<ServerCore> core_;
  std::unique_ptr<TableFiles> files_;
  std::unique_ptr<DataService> service_;
  std::unique_ptr<Listener> listener_;
  std::shared_ptr<Channel> channel_;
};

const std::vector<uint64_t> kKeys = {3, 1, 500, 77, 12345678901, 2, 9};

TEST_F(DataServiceTest, WhatIsPushedIsPulled) {
  ASSERT_OK(Open(Spec()));
  ASSERT_OK(Push(kKeys));
  const std::map<uint64_t, float> rows = Pull(kKeys).value();
  for (const uint64_t key : kKeys) EXPECT_EQ(rows.at(key), static_cast<float>(key));
}

TEST_F(DataServiceTest, StatsCountRequestsAndPayloadBytes) {
  ASSERT_OK(Open(Spec()));
  ASSERT_OK(Push(kKeys));
  ASSERT_OK(Pull(kKeys).status());
  ASSERT_OK(Commit(0, 0));
  const v1::StatsReply stats = Stats();
  EXPECT_EQ(stats.requests(), 3u);
  EXPECT_EQ(stats.received_bytes(), kKeys.size() * (16 + 8));
  EXPECT_EQ(stats.sent_bytes(), kKeys.size() * 8);
  EXPECT_EQ(stats.rows(), kKeys.size());
  EXPECT_GT(stats.resident_bytes(), 0u);
}

TEST_F(DataServiceTest, AParkedPullIsAnsweredByTheCommitItWaitsFor) {
  TableSpec spec = Spec();
  spec.sync.mode = SyncSpec::Mode::kBsp;
  ASSERT_OK(Open(spec, 2));
  ASSERT_OK(Push({5}, 0, 0));
  ASSERT_OK(Commit(0, 0));
  std::thread other([&] {
    EXPECT_OK(Push({6}, 1, 0));
    EXPECT_OK(Commit(1, 0));
  });
  const std::map<uint64_t, float> rows = Pull({5, 6}, 0, 1).value();
  EXPECT_EQ(rows.at(5), 5);
  EXPECT_EQ(rows.at(6), 6);
  other.join();
}

TEST_F(DataServiceTest, WhatIsNoDataRequestIsRefusedAndTheServerLivesOn) {
  Frame control;
  control.header.mutable_control_request();
  EXPECT_THAT(Call(std::move(control)),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("no data request")));
  Frame none;
  RequestOf(&none);
  EXPECT_THAT(Call(std::move(none)), StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("kind")));
  EXPECT_THAT(Push({1}), StatusIs(absl::StatusCode::kNotFound, HasSubstr("table 1")));
  EXPECT_OK(Open(Spec()));
}

TEST_F(DataServiceTest, NoTableOpensBeforeTheServerKnowsItsNumber) {
  service_->set_node(0);
  EXPECT_THAT(Open(Spec()), StatusIs(absl::StatusCode::kUnavailable, HasSubstr("not registered")));
}

TEST_F(DataServiceTest, ADroppedGroupIsGone) {
  ASSERT_OK(Open(Spec()));
  Frame drop;
  RequestOf(&drop)->mutable_drop_group()->set_reason("the job is done");
  ASSERT_OK(Call(std::move(drop)).status());
  EXPECT_THAT(Pull(kKeys), StatusIs(absl::StatusCode::kAborted, HasSubstr("the job is done")));
}

TEST_F(DataServiceTest, ASavedTableLoadsIntoAnotherServerAndSavesToTheSameFiles) {
  ASSERT_OK(Open(Spec()));
  ASSERT_OK(Push(kKeys));
  const v1::SaveTableReply saved = Save().value();
  EXPECT_EQ(saved.state_width(), 2u);
  ASSERT_GE(saved.partitions_size(), 1);
  EXPECT_THAT(saved.partitions(0).file(), HasSubstr("weights/part-0000"));
  Restart();
  ASSERT_OK(Open(Spec()));
  for (int i = 0; i < 2; ++i) EXPECT_EQ(Load(saved).value(), kKeys.size());
  EXPECT_EQ(Stats().rows(), kKeys.size());
  EXPECT_EQ(Pull(kKeys).value().at(500), 500);
  EXPECT_EQ(Save().value().SerializeAsString(), saved.SerializeAsString());
}

TEST_F(DataServiceTest, ATableThatDivergedIsNotSaved) {
  ASSERT_OK(Open(Spec()));
  ASSERT_OK(Push({4, 6}));
  const float largest = std::numeric_limits<float>::max();
  for (int i = 0; i < 2; ++i) ASSERT_OK(PushRows(v1::Push::ADD, {6}, largest, 0, 0));
  EXPECT_THAT(Save(), StatusIs(absl::StatusCode::kAborted,
                               AllOf(HasSubstr("table weights"), HasSubstr("key 6"))));
}

TEST_F(DataServiceTest, DamagedMissingAndForeignFilesAreNamed) {
  ASSERT_OK(Open(Spec()));
  ASSERT_OK(Push(kKeys));
  const v1::SaveTableReply saved = Save().value();
  const std::string path = folder_ + "/" + saved.partitions(0).file();
  const std::string whole = file_system_->Read(path, 1 << 20).value();
  const auto write = [&](std::string bytes) {
    auto file = file_system_->Create(path).value();
    ASSERT_OK(file->Append(bytes));
    ASSERT_OK(file->Close());
  };
  std::string flipped = whole;
  flipped[flipped.size() / 2] ^= 1;
  write(flipped);
  EXPECT_THAT(Load(saved), StatusIs(absl::StatusCode::kDataLoss, HasSubstr(path)));
  write(whole.substr(0, whole.size() - 1));
  EXPECT_THAT(Load(saved), StatusIs(absl::StatusCode::kDataLoss, HasSubstr(path)));
  ASSERT_OK(file_system_->RemoveTree(path));
  EXPECT_THAT(Load(saved), StatusIs(absl::StatusCode::kDataLoss, HasSubstr(path)));
  v1::SaveTableReply outside = saved;
  outside.mutable_partitions(0)->set_file("../" + saved.partitions(0).file());
  EXPECT_THAT(Load(outside), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("..")));
}

TEST_F(DataServiceTest, ATableOfAnotherShapeDoesNotLoad) {
  ASSERT_OK(Open(Spec()));
  ASSERT_OK(Push(kKeys));
  const v1::SaveTableReply saved = Save().value();
  Restart();
  TableSpec spec = Spec();
  spec.optimizer.type = "ftrl";
  ASSERT_OK(Open(spec));
  EXPECT_THAT(Load(saved), StatusIs(absl::StatusCode::kFailedPrecondition,
                                    AllOf(HasSubstr("2 floats"), HasSubstr("ftrl"))));
}

}  // namespace
}  // namespace seraph
