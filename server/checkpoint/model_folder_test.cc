// SPDX-License-Identifier: Apache-2.0
#include "server/checkpoint/model_folder.h"

#include <unistd.h>

#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/hint.h"
#include "tests/faults/failing_file_system.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::_;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Lets nobody publish a folder whose files may still be lost.
class SyncWatchingFileSystem : public ForwardingFileSystem {
 public:
  using ForwardingFileSystem::ForwardingFileSystem;

  absl::StatusOr<std::unique_ptr<WritableFile>> Create(const std::string& path) override {
    unsynced_.insert(path);
    return ForwardingFileSystem::Create(path);
  }
  absl::Status SyncTree(const std::string& folder) override {
    std::erase_if(unsynced_,
                  [&](const auto& path) { return absl::StartsWith(path, folder + "/"); });
    return ForwardingFileSystem::SyncTree(folder);
  }
  absl::Status Publish(const std::string& from, const std::string& to) override {
    unsynced_at_publish_ = unsynced_;
    return ForwardingFileSystem::Publish(from, to);
  }
  const std::set<std::string>& unsynced_at_publish() const { return unsynced_at_publish_; }

 private:
  std::set<std::string> unsynced_;
  std::set<std::string> unsynced_at_publish_ = {"nothing was published"};
};

class ModelFolderTest : public ::testing::Test {
 protected:
  ModelFolderTest()
      : root_(absl::StrCat(::testing::TempDir(), "/model_folder_test-", ::getpid(), "-",
                           ::testing::UnitTest::GetInstance()->current_test_info()->name())),
        model_(root_ + "/out/model") {
    EXPECT_OK(fs_->RemoveTree(root_));
    EXPECT_OK(fs_->CreateFolders(root_));
  }
  ~ModelFolderTest() override { EXPECT_OK(fs_->RemoveTree(root_)); }

  static constexpr uint32_t kPartitions = 4;

  // The tables of a model whose every weight is `value`: "weights" (three partitions with rows) and
  // "layer/a" (one).
  static absl::StatusOr<v1::ModelManifest> WriteTables(FileSystem* fs, const std::string& staging,
                                                       float value) {
    v1::ModelManifest manifest;
    manifest.set_format_version(1);
    manifest.set_written_by("model_folder_test");
    for (const auto& [name, partitions] :
         std::map<std::string, std::vector<uint32_t>>{{"weights", {0, 2, 3}}, {"layer/a", {1}}}) {
      v1::SavedTable* table = manifest.add_tables();
      table->mutable_spec()->set_name(name);
      table->mutable_spec()->set_dim(2);
      table->mutable_spec()->set_partitions(kPartitions);
      table->mutable_spec()->set_seed(7);
      table->set_state_width(1);
      for (const uint32_t partition : partitions) {
        const PartitionHeader header = {
            .table = name, .partition = partition, .dim = 2, .state_width = 1, .seed = 7};
        const std::string file = PartitionFileName(name, partition, kPartitions);
        const std::vector<uint64_t> keys = {partition, partition + 100};
        ASSIGN_OR_RETURN(const WrittenFile written,
                         WritePartitionFile(fs, absl::StrCat(staging, "/", file), header, keys,
                                            std::vector<float>(6, value)));
        v1::SavedPartition* saved = table->add_partitions();
        saved->set_partition(partition);
        saved->set_file(file);
        saved->set_rows(2);
        saved->set_bytes(written.bytes);
        saved->set_checksum(written.checksum);
      }
    }
    return manifest;
  }

  // What saving a model is: check, stage, write, publish.
  static absl::Status Save(FileSystem* fs, const std::string& folder, float value) {
    RETURN_IF_ERROR(CheckModelTarget(fs, folder));
    ASSIGN_OR_RETURN(const std::string staging, CreateStaging(fs, folder));
    ASSIGN_OR_RETURN(const v1::ModelManifest manifest, WriteTables(fs, staging, value));
    return PublishModel(fs, staging, folder, manifest);
  }

  // The weight that all of the model has; fails the test where they differ.
  absl::StatusOr<float> Load(const std::string& folder) {
    ASSIGN_OR_RETURN(const v1::ModelManifest manifest, ReadManifest(*fs_, folder));
    std::set<float> values;
    size_t partitions = 0;
    RETURN_IF_ERROR(VisitPartitions(*fs_, folder, manifest,
                                    [&](const v1::SavedTable&, PartitionContents contents) {
                                      values.insert(contents.rows.begin(), contents.rows.end());
                                      ++partitions;
                                      return absl::OkStatus();
                                    }));
    EXPECT_EQ(values.size(), 1u);
    EXPECT_EQ(partitions, 4u);
    return *values.begin();
  }

  // Staging folders beside the model, as a killed process leaves them.
  void RemoveLeftOvers() {
    if (!fs_->Exists(root_ + "/out")) return;
    for (const std::string& name : Names(root_ + "/out")) {
      if (absl::StrContains(name, ".staging-")) {
        ASSERT_OK(fs_->RemoveTree(absl::StrCat(root_, "/out/", name)));
      }
    }
  }
  void WriteFile(const std::string& path, const std::string& bytes) {
    auto file = fs_->Create(path);
    ASSERT_OK(file);
    ASSERT_OK((*file)->Append(bytes));
    ASSERT_OK((*file)->Close());
  }
  std::vector<std::string> Names(const std::string& folder) { return fs_->List(folder).value(); }

  const std::unique_ptr<FileSystem> fs_ = NewPosixFileSystem();
  const std::string root_;
  const std::string model_;
};

TEST_F(ModelFolderTest, SavedModelLoads) {
  ASSERT_OK(Save(fs_.get(), model_, 1.5f));
  EXPECT_EQ(Load(model_).value(), 1.5f);
  EXPECT_THAT(Names(model_), ElementsAre("MANIFEST", "layer+a", "weights"));
  EXPECT_THAT(Names(root_ + "/out"), ElementsAre("model"));
}

TEST_F(ModelFolderTest, TablesWhoseNamesDifferByASlashHaveFilesOfTheirOwn) {
  EXPECT_EQ(PartitionFileName("a/b-c", 7, 256), "a+b-c/part-00007-of-00256");
  EXPECT_NE(PartitionFileName("a/b", 0, 1), PartitionFileName("a-b", 0, 1));
  EXPECT_NE(PartitionFileName("a/b", 0, 1), PartitionFileName("a_b", 0, 1));
}

TEST_F(ModelFolderTest, PartitionsAreVisitedInTableAndPartitionOrder) {
  ASSERT_OK(Save(fs_.get(), model_, 1));
  std::vector<std::string> seen;
  ASSERT_OK(VisitPartitions(*fs_, model_, ReadManifest(*fs_, model_).value(),
                            [&](const v1::SavedTable& table, PartitionContents contents) {
                              seen.push_back(absl::StrCat(table.spec().name(), " ",
                                                          contents.header.partition));
                              return absl::OkStatus();
                            }));
  EXPECT_THAT(seen, ElementsAre("layer/a 1", "weights 0", "weights 2", "weights 3"));
}

TEST_F(ModelFolderTest, ErrorOfAVisitorEndsTheWalk) {
  ASSERT_OK(Save(fs_.get(), model_, 1));
  int calls = 0;
  const absl::Status status = VisitPartitions(*fs_, model_, ReadManifest(*fs_, model_).value(),
                                              [&](const v1::SavedTable&, PartitionContents) {
                                                ++calls;
                                                return absl::AbortedError("enough");
                                              });
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kAborted, "enough"));
  EXPECT_EQ(calls, 1);
}

TEST_F(ModelFolderTest, NewModelReplacesTheOldOneWhole) {
  ASSERT_OK(Save(fs_.get(), model_, 1));
  ASSERT_OK(Save(fs_.get(), model_ + "//", 2));
  EXPECT_EQ(Load(model_).value(), 2);
  EXPECT_THAT(Names(model_), ElementsAre("MANIFEST", "layer+a", "weights"));
  EXPECT_THAT(Names(root_ + "/out"), ElementsAre("model"));
}

TEST_F(ModelFolderTest, EverythingIsOnDiskBeforeItIsPublished) {
  SyncWatchingFileSystem watching(fs_.get());
  ASSERT_OK(Save(&watching, model_, 1));
  std::set<std::string> lost;
  for (const std::string& path : watching.unsynced_at_publish()) {
    if (!absl::StrContains(path, ".staging-probe-")) lost.insert(path);
  }
  EXPECT_THAT(lost, IsEmpty());
}

// Whatever goes wrong wherever, the folder holds the old model or, at the very end, the new one.
TEST_F(ModelFolderTest, OldModelStaysReadableWhicheverOperationFails) {
  for (const auto mode : {FailingFileSystem::Mode::kOnce, FailingFileSystem::Mode::kCrash}) {
    ASSERT_OK(Save(fs_.get(), model_, 1));
    FailingFileSystem counting(fs_.get(), FailingFileSystem::kNever, mode);
    ASSERT_OK(Save(&counting, model_, 1));
    ASSERT_GT(counting.operations(), 10);
    for (int64_t k = 0; k < counting.operations(); ++k) {
      FailingFileSystem failing(fs_.get(), k, mode);
      EXPECT_THAT(Save(&failing, model_, 2),
                  StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("by plan")));
      const auto loaded = Load(model_);
      ASSERT_OK(loaded) << "operation " << k;
      EXPECT_EQ(*loaded, 1) << "operation " << k;
      RemoveLeftOvers();  // So that the next k meets the same operations.
    }
  }
}

TEST_F(ModelFolderTest, FirstModelAppearsWholeOrNotAtAll) {
  for (int64_t k = 0;; ++k) {
    FailingFileSystem failing(fs_.get(), k, FailingFileSystem::Mode::kCrash);
    if (Save(&failing, model_, 3).ok()) break;
    ASSERT_FALSE(fs_->Exists(model_)) << "operation " << k;
    ASSERT_THAT(ReadManifest(*fs_, model_).status(),
                StatusIs(absl::StatusCode::kNotFound, HasSubstr(model_)));
    RemoveLeftOvers();
  }
  EXPECT_EQ(Load(model_).value(), 3);
}

TEST_F(ModelFolderTest, FilesOfAKilledRunDoNotGetIntoALaterModel) {
  const auto left = CreateStaging(fs_.get(), model_);
  ASSERT_OK(left);
  WriteFile(*left + "/left-over", "of a process with this very id");
  const auto staging = CreateStaging(fs_.get(), model_);
  ASSERT_OK(staging);
  EXPECT_NE(*staging, *left);
  EXPECT_THAT(Names(*staging), IsEmpty());
  ASSERT_OK(Save(fs_.get(), model_, 1));
  EXPECT_THAT(Names(model_), ElementsAre("MANIFEST", "layer+a", "weights"));
}

TEST_F(ModelFolderTest, TargetMayBeAbsentEmptyOrAModel) {
  EXPECT_OK(CheckModelTarget(fs_.get(), model_));
  EXPECT_FALSE(fs_->Exists(root_ + "/out"));  // Checking leaves nothing behind.
  ASSERT_OK(fs_->CreateFolders(model_));
  EXPECT_OK(CheckModelTarget(fs_.get(), model_));
  EXPECT_THAT(Names(root_ + "/out"), ElementsAre("model"));
  ASSERT_OK(Save(fs_.get(), model_, 1));
  EXPECT_OK(CheckModelTarget(fs_.get(), model_ + "/"));
}

TEST_F(ModelFolderTest, FolderOfOtherThingsIsNotReplaced) {
  ASSERT_OK(fs_->CreateFolders(model_));
  WriteFile(model_ + "/thesis.tex", "...");
  const absl::Status refused = CheckModelTarget(fs_.get(), model_);
  EXPECT_THAT(refused, StatusIs(absl::StatusCode::kFailedPrecondition,
                                AllOf(HasSubstr(model_), HasSubstr("thesis.tex"))));
  EXPECT_THAT(HintOf(refused), HasSubstr("another folder"));

  // The check stands before publishing too: hours may lie between.
  const std::string staging = CreateStaging(fs_.get(), model_).value();
  const auto manifest = WriteTables(fs_.get(), staging, 1);
  ASSERT_OK(manifest);
  EXPECT_THAT(PublishModel(fs_.get(), staging, model_, *manifest),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("thesis.tex")));
  EXPECT_THAT(Names(model_), ElementsAre("thesis.tex"));
}

TEST_F(ModelFolderTest, AnotherProgramsManifestDoesNotMakeAModel) {
  ASSERT_OK(fs_->CreateFolders(model_));
  WriteFile(model_ + "/MANIFEST", "Manifest-Version: 1.0\n");
  WriteFile(model_ + "/Main.class", "...");
  EXPECT_THAT(CheckModelTarget(fs_.get(), model_),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr(model_), HasSubstr("seraph-model"))));
}

TEST_F(ModelFolderTest, SomebodysFileInsideAModelIsNotLost) {
  for (const char* file : {"/notes.txt", "/weights/notes.txt"}) {
    ASSERT_OK(Save(fs_.get(), model_, 1));
    WriteFile(model_ + file, "...");
    EXPECT_THAT(CheckModelTarget(fs_.get(), model_),
                StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("notes.txt")));
    ASSERT_OK(fs_->RemoveTree(model_ + file));
  }
  EXPECT_OK(CheckModelTarget(fs_.get(), model_));
}

TEST_F(ModelFolderTest, ALinkStandsForWhereItLeads) {
  ASSERT_OK(fs_->CreateFolders(root_ + "/disk/model"));
  ASSERT_OK(fs_->CreateFolders(root_ + "/out"));
  ASSERT_EQ(::symlink((root_ + "/disk/model").c_str(), model_.c_str()), 0);
  ASSERT_OK(Save(fs_.get(), model_, 3));
  EXPECT_EQ(Load(root_ + "/disk/model").value(), 3);
  EXPECT_EQ(Load(model_).value(), 3);
  EXPECT_THAT(Names(root_ + "/disk"), ElementsAre("model"));
}

TEST_F(ModelFolderTest, ANameThatLeavesNoRoomForStagingIsRefusedBeforehand) {
  EXPECT_THAT(CheckModelTarget(fs_.get(), root_ + "/" + std::string(240, 'n')),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("name too long")));
}

TEST_F(ModelFolderTest, StagingsOfAnEndedProcessCanBeRemoved) {
  ASSERT_OK(CreateStaging(fs_.get(), model_));
  ASSERT_OK(CreateStaging(fs_.get(), model_));
  const std::string other = absl::StrCat(model_, ".staging-", ::getpid(), "1-0");
  ASSERT_OK(fs_->CreateFolders(other));
  RemoveStagings(fs_.get(), model_, ::getpid());
  EXPECT_THAT(Names(root_ + "/out"),
              ElementsAre(absl::StrCat("model.staging-", ::getpid(), "1-0")));
}

TEST_F(ModelFolderTest, AReaderStartsAgainWhenTheModelIsReplaced) {
  ASSERT_OK(Save(fs_.get(), model_, 1));
  int reads = 0;
  EXPECT_OK(RetryIfReplaced(*fs_, model_, [&]() -> absl::Status {
    ++reads;
    if (reads == 3) return absl::OkStatus();
    EXPECT_OK(Save(fs_.get(), model_, static_cast<float>(1 + reads)));
    return absl::DataLossError("files of two models");
  }));
  EXPECT_EQ(reads, 3);
  EXPECT_THAT(RetryIfReplaced(*fs_, model_, [] { return absl::DataLossError("damaged"); }),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("damaged")));
}

TEST_F(ModelFolderTest, TargetThatCannotBeAFolderIsRefused) {
  WriteFile(root_ + "/file", "");
  for (const std::string& target : {root_ + "/file", root_ + "/file/model", std::string("."),
                                    std::string("/"), root_ + "/..", std::string()}) {
    EXPECT_THAT(CheckModelTarget(fs_.get(), target),
                StatusIs(absl::StatusCode::kFailedPrecondition, _))
        << target;
  }
}

TEST_F(ModelFolderTest, TargetThatCannotBeWrittenIsRefusedWithItsPath) {
  FailingFileSystem full(fs_.get(), 0, FailingFileSystem::Mode::kCrash);
  EXPECT_THAT(CheckModelTarget(&full, model_),
              StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr(model_)));
}

TEST_F(ModelFolderTest, DamagedManifestIsNamed) {
  ASSERT_OK(Save(fs_.get(), model_, 1));
  const std::string path = model_ + "/MANIFEST";
  std::string bytes = fs_->Read(path, 1 << 20).value();
  bytes[bytes.size() / 2] ^= 4;
  WriteFile(path, bytes);
  EXPECT_THAT(ReadManifest(*fs_, model_).status(),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr(path)));
  WriteFile(path, "seraph-model 9 0000000000000000\n{}");
  EXPECT_THAT(ReadManifest(*fs_, model_).status(),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr(path), HasSubstr("version 9"))));
}

TEST_F(ModelFolderTest, EveryDamagedPartitionFileIsNamed) {
  ASSERT_OK(Save(fs_.get(), model_, 1));
  const v1::ModelManifest manifest = ReadManifest(*fs_, model_).value();
  for (const v1::SavedTable& table : manifest.tables()) {
    for (const v1::SavedPartition& saved : table.partitions()) {
      const std::string path = absl::StrCat(model_, "/", saved.file());
      const std::string good = fs_->Read(path, 1 << 20).value();
      std::string flipped = good;
      flipped[good.size() / 2] ^= 1;
      WriteFile(path, flipped);
      EXPECT_THAT(Load(model_).status(), StatusIs(absl::StatusCode::kDataLoss, HasSubstr(path)));
      WriteFile(path, good.substr(0, good.size() - 1));
      EXPECT_THAT(Load(model_).status(), StatusIs(absl::StatusCode::kDataLoss, HasSubstr(path)));
      ASSERT_OK(fs_->RemoveTree(path));
      EXPECT_THAT(Load(model_).status(),
                  StatusIs(absl::StatusCode::kDataLoss, HasSubstr(path + " is missing")));
      WriteFile(path, good);
    }
  }
  EXPECT_EQ(Load(model_).value(), 1);
}

// Files that are sound in themselves, but not those that the manifest speaks of.
TEST_F(ModelFolderTest, FilesOfAnotherModelAreToldApart) {
  ASSERT_OK(Save(fs_.get(), model_, 1));
  ASSERT_OK(Save(fs_.get(), model_ + "-2", 2));
  const std::string file = "/weights/part-00002-of-00004";
  WriteFile(model_ + file, fs_->Read(model_ + "-2" + file, 1 << 20).value());
  EXPECT_THAT(Load(model_).status(), StatusIs(absl::StatusCode::kDataLoss, HasSubstr(file)));
}

TEST_F(ModelFolderTest, ManifestThatStatesAnotherShapeIsTold) {
  ASSERT_OK(Save(fs_.get(), model_, 1));
  const v1::ModelManifest good = ReadManifest(*fs_, model_).value();
  const auto visit = [&](const v1::ModelManifest& manifest) {
    return VisitPartitions(*fs_, model_, manifest, [](const v1::SavedTable&, PartitionContents) {
      return absl::OkStatus();
    });
  };
  v1::ModelManifest changed = good;
  changed.mutable_tables(0)->mutable_spec()->set_dim(3);
  EXPECT_THAT(visit(changed), StatusIs(absl::StatusCode::kDataLoss, HasSubstr("dim 2")));
  changed = good;
  changed.mutable_tables(0)->mutable_spec()->set_seed(8);
  EXPECT_THAT(visit(changed), StatusIs(absl::StatusCode::kDataLoss, HasSubstr("seed 7")));
  changed = good;
  changed.mutable_tables(0)->set_state_width(2);
  EXPECT_THAT(visit(changed), StatusIs(absl::StatusCode::kDataLoss, HasSubstr("state width 1")));
  changed = good;
  changed.mutable_tables(1)->mutable_partitions(0)->set_rows(3);
  EXPECT_THAT(visit(changed), StatusIs(absl::StatusCode::kDataLoss, HasSubstr("rows 2")));
}

}  // namespace
}  // namespace seraph
