// SPDX-License-Identifier: Apache-2.0
#include "worker/train/job_plan.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/status_matchers.h"
#include "worker/model/registry.h"

namespace seraph {
namespace {

using ::testing::HasSubstr;

v1::JobSpec Job() {
  v1::JobSpec job;
  job.mutable_model()->set_type("fm");
  job.mutable_train()->set_seed(7);
  job.mutable_optimizer()->set_type("adagrad");
  job.mutable_optimizer()->set_learning_rate(0.05);
  job.mutable_optimizer()->set_l2(1e-6);
  job.mutable_sync()->set_mode("ssp");
  job.mutable_sync()->set_staleness(4);
  return job;
}

ModelTable Weights() {
  return {"weights", TableKind::kSparse, 1, 0, {}, true, TableKeys::kFeatures};
}
ModelTable Bias() { return {"bias", TableKind::kDense, 1, 1, {}, false, TableKeys::kAll}; }

TEST(JobPlanTest, TablesTakeTheJobsOptimizerAndConsistency) {
  const TableSpec spec = TableSpecOf(Job(), Weights()).value();
  EXPECT_EQ(spec.optimizer.type, "adagrad");
  EXPECT_EQ(spec.optimizer.learning_rate, 0.05);
  EXPECT_EQ(spec.optimizer.l2, 1e-6);
  EXPECT_EQ(spec.sync.mode, SyncSpec::Mode::kSsp);
  EXPECT_EQ(spec.sync.staleness, 4);
}

TEST(JobPlanTest, TheBiasIsNotRegularised) {
  EXPECT_EQ(TableSpecOf(Job(), Bias())->optimizer.l2, 0);
}

TEST(JobPlanTest, AnOverrideChangesItsTableAlone) {
  v1::JobSpec job = Job();
  (*job.mutable_tables())["weights"].mutable_optimizer()->set_learning_rate(0.5);
  EXPECT_EQ(TableSpecOf(job, Weights())->optimizer.learning_rate, 0.5);
  EXPECT_EQ(TableSpecOf(job, Weights())->optimizer.type, "adagrad");
  EXPECT_EQ(TableSpecOf(job, Bias())->optimizer.learning_rate, 0.05);
}

TEST(JobPlanTest, AScheduleOfATableReplacesTheJobsAsAWhole) {
  v1::JobSpec job = Job();
  v1::ScheduleConfig* all = job.mutable_optimizer()->mutable_schedule();
  all->set_type("step");
  all->set_warmup_steps(3);
  all->set_decay_steps(10);
  all->set_decay(0.5);
  all->set_min_scale(0.25);
  EXPECT_EQ(TableSpecOf(job, Weights())->optimizer.schedule,
            (ScheduleSpec{ScheduleSpec::Type::kStep, 3, 10, 0.5, 0.25}));
  (*job.mutable_tables())["weights"].mutable_optimizer()->mutable_schedule()->set_type("constant");
  EXPECT_EQ(TableSpecOf(job, Weights())->optimizer.schedule, ScheduleSpec());
  EXPECT_EQ(TableSpecOf(job, Bias())->optimizer.schedule.decay_steps, 10u);
}

TEST(JobPlanTest, TablesOfOneJobHaveSeedsOfTheirOwn) {
  EXPECT_NE(TableSpecOf(Job(), Weights())->seed, TableSpecOf(Job(), Bias())->seed);
  v1::JobSpec other = Job();
  other.mutable_train()->set_seed(8);
  EXPECT_NE(TableSpecOf(Job(), Weights())->seed, TableSpecOf(other, Weights())->seed);
}

TEST(JobPlanTest, AnEntryOverridesFormatAndBase) {
  v1::JobSpec job = Job();
  job.mutable_data()->set_format("libsvm");
  job.mutable_data()->set_index_base(1);
  v1::DataPath* path = job.mutable_data()->add_test();
  path->set_path("/dev/null");
  path->set_format("dummy");
  path->set_index_base(0);
  const auto files = DataFilesOf(job.data(), job.data().test());
  ASSERT_OK(files);
  EXPECT_EQ(files->at(0).format.format, "dummy");
  EXPECT_EQ(files->at(0).format.index_base, 0u);
}

TEST(JobPlanTest, AnIndexComesBackAsItWent) {
  const RowFormat::Options csv{.format = "tsv",
                               .columns = {.label = "y",
                                           .numeric = {"a"},
                                           .categorical = {"1..3"},
                                           .weight = "-1",
                                           .names = {"y", "a"}},
                               .dialect = {.header = true,
                                           .delimiter = ";",
                                           .quote = "none",
                                           .comment = "#",
                                           .missing = {"?", "NA"}},
                               .labels = {.positive = {"yes"}, .negative = {"no", "0"}},
                               .fields = {"0..1", "2..3"}};
  DataIndex index;
  index.files = {{"a", {.format = "libsvm", .index_base = 1}},
                 {"b", {.format = "dummy"}},
                 {"c", csv, "w"},
                 {"d", csv, "w"},
                 {"e", csv}};
  index.blocks = {{0, 0, 10, 1, 2, 0}, {3, 7, 9, 3, 4, 5}};
  index.rows = 6;
  const v1::DataIndex proto = ToProto(index);
  EXPECT_EQ(proto.entries_size(), 4);
  const DataIndex back = FromProto(proto);
  ASSERT_EQ(back.files.size(), index.files.size());
  for (size_t i = 0; i < index.files.size(); ++i) {
    EXPECT_EQ(back.files[i].path, index.files[i].path);
    EXPECT_TRUE(back.files[i].format == index.files[i].format) << i;
    EXPECT_EQ(back.files[i].weights, index.files[i].weights);
  }
  ASSERT_EQ(back.blocks.size(), 2u);
  EXPECT_EQ(back.blocks[1].file, 3u);
  EXPECT_EQ(back.blocks[1].offset, 7u);
  EXPECT_EQ(back.blocks[1].first_line, 3u);
  EXPECT_EQ(back.blocks[1].weight_row, 5u);
  EXPECT_EQ(back.rows, 6u);
}

TEST(JobPlanTest, AFileOfAnEntryThatIsNotThereHasNoFormat) {
  v1::DataIndex proto;
  proto.add_files()->set_entry(7);
  EXPECT_EQ(FromProto(proto).files[0].format.format, "");
}

TEST(JobPlanTest, AModeThatDoesNotExistIsAnError) {
  v1::JobSpec job = Job();
  job.mutable_sync()->set_mode("eventual");
  EXPECT_THAT(TableSpecOf(job, Weights()),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("sync.mode: \"eventual\"")));
  job = Job();
  job.mutable_sync()->set_reduce("median");
  EXPECT_THAT(TableSpecOf(job, Weights()),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("sync.reduce: \"median\"")));
}

TEST(JobPlanTest, LabelListsHaveTwoSides) {
  v1::JobSpec job = Job();
  job.mutable_data()->mutable_label()->add_positive("yes");
  EXPECT_THAT(LabelMapOf(job, *NewModel({.type = "lr"}).value()),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("negative lists no label")));
}

TEST(JobPlanTest, WeightsOfClassesGoByTheirNumbers) {
  v1::JobSpec job = Job();
  (*job.mutable_data()->mutable_class_weights())["2"] = 5;
  (*job.mutable_data()->mutable_class_weights())["0"] = .5;
  const auto options = DataOptionsOf(job, LabelMap::Classes(3), {});
  ASSERT_OK(options);
  EXPECT_EQ(options->class_weights, (std::vector<double>{.5, 1, 5}));
  (*job.mutable_data()->mutable_class_weights())["x"] = 5;
  EXPECT_THAT(DataOptionsOf(job, LabelMap::Classes(3), {}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"x\" is no class")));
}

TEST(JobPlanTest, AFitScalesWhereTheJobSaysSo) {
  v1::JobSpec job = Job();
  const std::vector<FeatureScale> scales = {{3, 1, 2}, {9, 0, 4}};
  const v1::DataFit fit = ToProto(scales);
  EXPECT_TRUE(ScalerOf(job, fit)->idle());
  job.mutable_data()->set_scale("standard");
  EXPECT_TRUE(ScalerOf(job, fit)->has_offsets());
  Row row{.keys = {9}, .values = {2}};
  ASSERT_OK(ScalerOf(job, fit)->ScaleColumns(0, &row));
  EXPECT_EQ(row.values[0], .5f);
  job.mutable_data()->set_scale("16");
  row.values = {2};
  ASSERT_OK(ScalerOf(job, fit)->ScaleRow(&row));
  EXPECT_EQ(row.values[0], .125f);
  job.mutable_data()->set_scale("much");
  EXPECT_THAT(ScalerOf(job, fit),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("data.scale: `much`")));
}

TEST(JobPlanTest, LabelsAreWhatTheModelTakes) {
  const auto map = [](const Model::Options& options) {
    return LabelMapOf(v1::JobSpec(), *NewModel(options).value()).value();
  };
  EXPECT_EQ(map({.type = "lr"}).Map(-1).value(), 0);
  EXPECT_EQ(map({.type = "linear"}).Map(-1).value(), -1);
  EXPECT_EQ(map({.type = "svm"}).Map(-1).value(), 0);
  EXPECT_EQ(map({.type = "huber"}).Map(-1).value(), -1);
  EXPECT_FALSE(map({.type = "poisson"}).Map(-1).ok());
  EXPECT_EQ(map({.type = "softmax", .classes = 4}).Map(3).value(), 3);
  EXPECT_FALSE(map({.type = "softmax", .classes = 3}).Map(3).ok());
}

TEST(JobPlanTest, TheModelIsTheOneThatTheJobDescribes) {
  v1::JobSpec job;
  job.mutable_model()->set_type("softmax");
  job.mutable_model()->set_classes(7);
  job.mutable_model()->set_bias(false);
  const Model::Options options = ModelOptionsOf(job);
  EXPECT_EQ(options.classes, 7u);
  job.mutable_model()->set_loss("squared_hinge");
  job.mutable_model()->set_delta(0.5);
  EXPECT_EQ(ModelOptionsOf(job).loss, "squared_hinge");
  EXPECT_EQ(ModelOptionsOf(job).delta, 0.5);
  EXPECT_FALSE(options.bias);
}

}  // namespace
}  // namespace seraph
