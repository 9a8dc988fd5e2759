// SPDX-License-Identifier: Apache-2.0
#include "worker/train/model_saver.h"

#include <filesystem>

#include "server/checkpoint/model_folder.h"
#include "tests/cluster/test_cluster.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::HasSubstr;

constexpr auto kRefused = absl::StatusCode::kFailedPrecondition;

// Groups of tables on two servers.
class ModelSaverTest : public ::testing::Test {
 protected:
  static TableSpec Weights() {
    TableSpec spec;
    spec.name = "weights";
    spec.dim = 2;
    spec.partitions = 8;
    spec.seed = 5;
    spec.initializer = {InitializerSpec::Type::kNormal, 0.1};
    spec.optimizer.type = "adagrad";
    return spec;
  }
  static v1::ModelManifest Manifest() {
    v1::ModelManifest manifest;
    manifest.mutable_job()->mutable_model()->set_type("fm");
    manifest.set_epochs(3);
    return manifest;
  }
  // Saves a model of one table with ten rows written; returns its manifest.
  v1::ModelManifest Save(const std::string& folder) {
    const std::unique_ptr<Client> client = cluster_.Connect("saver");
    const std::vector<Table> tables = {client->OpenOrCreateTable(Weights()).value()};
    const std::vector<float> values(20, 1.5f);
    const PushSlice slice{&tables[0], keys_, values};
    EXPECT_OK(client->Push(PushKind::kAssign, {slice}));
    EXPECT_OK(SaveModel(files(), client.get(), tables, folder, Manifest()));
    return ReadManifest(*files(), folder).value();
  }
  FileSystem* files() { return cluster_.file_system(); }
  absl::Status Continue(const v1::ModelManifest& saved, const std::string& model, TableSpec* spec) {
    v1::JobSpec job;
    job.mutable_model()->set_type(model);
    job.mutable_train()->set_start_from("models/m");
    return ContinueTable(saved, job, spec);
  }

  TestCluster cluster_{{.servers = 2}};
  const std::vector<uint64_t> keys_ = {0, 1, 2, 3, 4, 5, 6, 7, 8, 1ull << 60};
};

TEST_F(ModelSaverTest, ASavedModelComesBackIntoOtherTables) {
  const std::string folder = FreshFolder();
  const v1::ModelManifest saved = Save(folder);
  EXPECT_EQ(saved.epochs(), 3u);
  ASSERT_NE(FindSavedTable(saved, "weights"), nullptr);
  uint64_t saved_rows = 0;
  for (const auto& partition : FindSavedTable(saved, "weights")->partitions()) {
    saved_rows += partition.rows();
  }
  EXPECT_EQ(saved_rows, keys_.size());
  EXPECT_EQ(FindSavedTable(saved, "bias"), nullptr);

  const std::unique_ptr<Client> client = cluster_.Connect("loader");
  const std::vector<Table> tables = {client->OpenOrCreateTable(Weights()).value()};
  ASSERT_OK(LoadModelTables(client.get(), tables, folder, saved));
  std::vector<float> rows(20);
  const PullSlice slice{&tables[0], keys_, absl::MakeSpan(rows)};
  ASSERT_OK(client->PullReadOnly({slice}));
  EXPECT_EQ(rows, std::vector<float>(20, 1.5f));
}

TEST_F(ModelSaverTest, AKeptModelIsThatOfItsTime) {
  const std::string folder = FreshFolder();
  const std::unique_ptr<Client> client = cluster_.Connect("saver");
  const std::vector<Table> tables = {client->OpenOrCreateTable(Weights()).value()};
  const auto write = [&](uint32_t epochs) {
    v1::ModelManifest manifest = Manifest();
    manifest.set_epochs(epochs);
    return KeptModel::Write(files(), client.get(), tables, folder, std::move(manifest));
  };
  auto kept = write(1);
  ASSERT_OK(kept);
  EXPECT_FALSE(std::filesystem::exists(folder));
  {
    const auto dropped = write(2);
    ASSERT_OK(dropped);
  }
  ASSERT_OK((*kept)->Publish());
  EXPECT_EQ(ReadManifest(*files(), folder)->epochs(), 1u);
  kept->reset();
  // Neither of them has left anything beside the model.
  const std::filesystem::path place(folder);
  for (const auto& entry : std::filesystem::directory_iterator(place.parent_path())) {
    EXPECT_EQ(entry.path().filename().string().find(place.filename().string() + ".staging"),
              std::string::npos)
        << entry.path();
  }
}

TEST_F(ModelSaverTest, WhatIsInTheWayStaysAsItWas) {
  const std::string folder = FreshFolder();
  std::filesystem::create_directories(folder + "/precious");
  const std::unique_ptr<Client> client = cluster_.Connect("saver");
  const std::vector<Table> tables = {client->OpenOrCreateTable(Weights()).value()};
  EXPECT_THAT(SaveModel(files(), client.get(), tables, folder, Manifest()),
              StatusIs(kRefused, HasSubstr(folder)));
  EXPECT_TRUE(std::filesystem::exists(folder + "/precious"));
}

TEST_F(ModelSaverTest, AModelGoesOnWithItsSeedInitialiserAndPartitions) {
  const v1::ModelManifest saved = Save(FreshFolder());
  TableSpec spec = Weights();
  spec.seed = 77;
  spec.partitions = 256;
  spec.initializer = {};
  spec.optimizer.learning_rate = 0.7;
  ASSERT_OK(Continue(saved, "fm", &spec));
  EXPECT_EQ(spec.seed, 5u);
  EXPECT_EQ(spec.partitions, 8u);
  EXPECT_EQ(spec.initializer, Weights().initializer);
  EXPECT_EQ(spec.optimizer.learning_rate, 0.7);  // The job's to say.
}

TEST_F(ModelSaverTest, AScheduleGoesOnAfterTheStepsTaken) {
  v1::ModelManifest saved = Save(FreshFolder());
  saved.set_steps(120);
  TableSpec constant = Weights();
  ASSERT_OK(Continue(saved, "fm", &constant));
  EXPECT_EQ(constant.optimizer.schedule, ScheduleSpec());
  TableSpec spec = Weights();
  spec.optimizer.schedule = {ScheduleSpec::Type::kInverseTime, 0, 50};
  ASSERT_OK(Continue(saved, "fm", &spec));
  EXPECT_EQ(spec.optimizer.schedule.first_step, 120u);
}

TEST_F(ModelSaverTest, WhatDoesNotFitIsNamed) {
  const v1::ModelManifest saved = Save(FreshFolder());
  const auto refusal = [&](const std::string& model, void (*change)(TableSpec*)) {
    TableSpec spec = Weights();
    change(&spec);
    return Continue(saved, model, &spec);
  };
  EXPECT_THAT(refusal("lr", [](TableSpec*) {}), StatusIs(kRefused, HasSubstr("of type fm")));
  EXPECT_THAT(refusal("fm", [](TableSpec* s) { s->name = "bias"; }),
              StatusIs(kRefused, HasSubstr("no table bias")));
  EXPECT_THAT(refusal("fm", [](TableSpec* s) { s->dim = 4; }),
              StatusIs(kRefused, HasSubstr("dim 2, the job's has 4")));
  EXPECT_THAT(refusal("fm", [](TableSpec* s) { s->optimizer.type = "sgd"; }),
              StatusIs(kRefused, HasSubstr("the state of adagrad")));
}

TEST_F(ModelSaverTest, ATableThatWasNotSavedCannotBeLoaded) {
  const std::string folder = FreshFolder();
  const v1::ModelManifest saved = Save(folder);
  const std::unique_ptr<Client> client = cluster_.Connect("loader");
  TableSpec other = Weights();
  other.name = "other";
  const std::vector<Table> tables = {client->OpenOrCreateTable(other).value()};
  EXPECT_THAT(LoadModelTables(client.get(), tables, folder, saved),
              StatusIs(kRefused, HasSubstr("no table other")));
}

}  // namespace
}  // namespace seraph
