// SPDX-License-Identifier: Apache-2.0
#include "client/cli/model_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include "client/cli/command_context.h"
#include "server/checkpoint/model_folder.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// A model of a bias and of factors [2] with two partitions, whose keys interleave.
class ModelCommandTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "/model_command_test";
    std::filesystem::remove_all(folder_);
    const absl::StatusOr<std::string> staging = CreateStaging(files_.get(), folder_);
    ASSERT_OK(staging.status());
    v1::ModelManifest manifest;
    manifest.mutable_job()->set_name("tiny");
    manifest.mutable_job()->mutable_model()->set_type("fm");
    manifest.set_format_version(1);
    manifest.set_epochs(3);
    AddTable(*staging, "factors", 2, {{0, {5, 9}}, {1, {7}}}, &manifest);
    AddTable(*staging, "bias", 1, {{0, {0}}}, &manifest);
    ASSERT_OK(PublishModel(files_.get(), *staging, folder_, manifest));
    context_.terminal = {&out_, &err_, false};
    context_.files = files_.get();
  }

  // Row k of dim d: weights k + 0.1, k + 1.1, ...; one float of state.
  void AddTable(const std::string& staging, const std::string& name, uint32_t dim,
                const std::vector<std::pair<uint32_t, std::vector<uint64_t>>>& partitions,
                v1::ModelManifest* manifest) {
    v1::SavedTable* table = manifest->add_tables();
    table->mutable_spec()->set_name(name);
    table->mutable_spec()->set_dim(dim);
    table->mutable_spec()->set_partitions(2);
    table->mutable_spec()->mutable_optimizer()->set_type("adagrad");
    table->set_state_width(1);
    for (const auto& [number, keys] : partitions) {
      const std::string file = PartitionFileName(name, number, 2);
      std::vector<float> rows;
      for (const uint64_t key : keys) {
        for (uint32_t d = 0; d < dim; ++d) rows.push_back(static_cast<float>(key + d) + 0.1f);
        rows.push_back(100);
      }
      const std::string path = staging + "/" + file;
      ASSERT_OK(files_->CreateFolders(std::filesystem::path(path).parent_path().string()));
      const absl::StatusOr<WrittenFile> written =
          WritePartitionFile(files_.get(), path, {name, number, dim, 1, 0}, keys, rows);
      ASSERT_OK(written.status());
      v1::SavedPartition* partition = table->add_partitions();
      partition->set_partition(number);
      partition->set_file(file);
      partition->set_rows(keys.size());
      partition->set_bytes(written->bytes);
      partition->set_checksum(written->checksum);
    }
  }

  void FlipByte(const std::string& name) {
    std::fstream file(folder_ + "/" + name, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(40);
    const char byte = static_cast<char>(file.get() ^ 1);
    file.seekp(40);
    file.put(byte);
  }

  std::string folder_;
  std::unique_ptr<FileSystem> files_ = NewPosixFileSystem();
  std::ostringstream out_, err_;
  CommandContext context_;
};

TEST_F(ModelCommandTest, TextIsSortedByTableAndKeyWithShortestDigits) {
  EXPECT_EQ(RunModelExport(folder_, "text", "-", context_), 0) << err_.str();
  EXPECT_EQ(out_.str(),
            "bias\t0\t0.1\nfactors\t5\t5.1 6.1\nfactors\t7\t7.1 8.1\nfactors\t9\t9.1 10.1\n");
}

TEST_F(ModelCommandTest, CsvHasOneLineAValue) {
  EXPECT_EQ(RunModelExport(folder_, "csv", "-", context_), 0) << err_.str();
  EXPECT_THAT(out_.str(), StartsWith("table,key,column,value\nbias,0,0,0.1\nfactors,5,0,5.1\n"
                                     "factors,5,1,6.1\n"));
}

TEST_F(ModelCommandTest, NpzHoldsStoredArrays) {
  EXPECT_EQ(RunModelExport(folder_, "npz", "-", context_), 0) << err_.str();
  const std::string zip = out_.str();
  EXPECT_THAT(zip, StartsWith(std::string("PK\x03\x04", 4)));
  EXPECT_EQ(zip.substr(zip.size() - 22, 4), std::string("PK\x05\x06", 4));
  for (const char* name : {"bias.keys.npy", "bias.values.npy", "factors.keys.npy"}) {
    EXPECT_THAT(zip, HasSubstr(name));
  }
  EXPECT_THAT(zip, HasSubstr("'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }"));
  const size_t header = zip.find("'shape': (3,), }");
  ASSERT_NE(header, std::string::npos);
  uint64_t keys[3];
  std::memcpy(keys, zip.data() + zip.find('\n', header) + 1, sizeof(keys));
  EXPECT_THAT(keys, testing::ElementsAre(5, 7, 9));
}

TEST_F(ModelCommandTest, ExportRefusesUnknownFormats) {
  EXPECT_EQ(RunModelExport(folder_, "textt", "-", context_), 2);
  EXPECT_THAT(err_.str(), HasSubstr("unknown value \"textt\", did you mean \"text\"?"));
}

TEST_F(ModelCommandTest, InspectTellsTablesAndJob) {
  EXPECT_EQ(RunModelInspect(folder_, /*json=*/false, context_), 0) << err_.str();
  EXPECT_THAT(out_.str(), testing::AllOf(HasSubstr("factors"), HasSubstr("adagrad"),
                                         HasSubstr("epochs   3"), HasSubstr("name: tiny")));
  out_.str("");
  EXPECT_EQ(RunModelInspect(folder_, /*json=*/true, context_), 0);
  EXPECT_THAT(out_.str(), testing::AllOf(StartsWith("{\"model\":\"fm\""), HasSubstr("\"rows\":4"),
                                         HasSubstr("\"name\":\"tiny\"")));
}

TEST_F(ModelCommandTest, VerifyPassesAWholeModelAndNamesAFlippedFile) {
  EXPECT_EQ(RunModelVerify(folder_, /*json=*/true, context_), 0) << err_.str();
  EXPECT_THAT(out_.str(), StartsWith("{\"status\":\"ok\",\"files\":4,\"rows\":4,"));
  const std::string name = PartitionFileName("factors", 1, 2);
  FlipByte(name);
  EXPECT_EQ(RunModelVerify(folder_, /*json=*/false, context_), 2);
  EXPECT_THAT(err_.str(), testing::AllOf(StartsWith("error: verify model "), HasSubstr(name)));
  EXPECT_EQ(RunModelExport(folder_, "text", "-", context_), 2);
}

TEST_F(ModelCommandTest, ADamagedManifestIsNamed) {
  FlipByte("MANIFEST");
  for (const int code :
       {RunModelInspect(folder_, false, context_), RunModelVerify(folder_, false, context_)}) {
    EXPECT_EQ(code, 2);
  }
  EXPECT_THAT(err_.str(), HasSubstr("MANIFEST"));
}

TEST_F(ModelCommandTest, AFolderWithoutAModelIsExitTwo) {
  EXPECT_EQ(RunModelInspect(folder_ + "/none", false, context_), 2);
  EXPECT_THAT(err_.str(), StartsWith("error: inspect model "));
}

}  // namespace
}  // namespace seraph
