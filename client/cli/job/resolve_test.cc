// SPDX-License-Identifier: Apache-2.0
#include "client/cli/job/resolve.h"

#include <gmock/gmock.h>
#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "client/cli/job/job_file.h"
#include "common/hint.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using google::protobuf::util::MessageDifferencer;

constexpr char kLeast[] =
    "model: {type: lr}\ndata: {train: a.libsvm, format: libsvm, index_base: 1}\n";

#define DATA "\ndata: {train: a, format: libsvm, index_base: 1}"

v1::JobSpec Parse(const std::string& text) {
  absl::StatusOr<v1::JobSpec> job = ParseJob(text, "job.yaml", "/d", {});
  EXPECT_OK(job.status());
  return job.ok() ? *job : v1::JobSpec();
}

absl::Status Resolve(const std::string& text, v1::JobSpec* job, int cores = 2) {
  *job = Parse(text);
  return ResolveJob(cores, job);
}

TEST(ResolveTest, FillsAllThatAJobLeavesOut) {
  v1::JobSpec job;
  ASSERT_OK(Resolve(kLeast, &job));
  EXPECT_EQ(job.name(), "job");
  EXPECT_TRUE(job.model().bias());
  EXPECT_FALSE(job.model().has_factors());
  EXPECT_EQ(job.data().train(0).format(), "libsvm");
  EXPECT_EQ(job.data().train(0).index_base(), 1);
  EXPECT_EQ(job.data().on_bad_row(), "fail");
  EXPECT_EQ(job.data().scale(), "none");
  EXPECT_TRUE(job.data().has_max_bad_rows());
  EXPECT_EQ(job.optimizer().type(), "adagrad");
  EXPECT_GT(job.optimizer().learning_rate(), 0);
  EXPECT_TRUE(job.optimizer().has_initial_accumulator());
  EXPECT_TRUE(job.optimizer().has_epsilon());
  EXPECT_FALSE(job.optimizer().has_beta());
  EXPECT_EQ(job.sync().mode(), "bsp");
  EXPECT_EQ(job.sync().reduce(), "mean");
  EXPECT_EQ(job.sync().deadline_s(), 60);
  EXPECT_FALSE(job.sync().has_staleness());
  EXPECT_EQ(job.train().epochs(), 10);
  EXPECT_EQ(job.train().batch_size(), 1024);
  EXPECT_EQ(job.train().seed(), 1);
  EXPECT_EQ(job.cluster().servers(), 2);
  EXPECT_EQ(job.cluster().workers(), 2);
  EXPECT_EQ(job.cluster().worker_slots(), "cpu:1");
}

TEST(ResolveTest, NamesDoNothingToATerminal) {
  v1::JobSpec job;
  EXPECT_THAT(
      Resolve(std::string("name: \"a\\e[2J\"\n") + kLeast, &job),
      StatusIs(absl::StatusCode::kInvalidArgument, testing::HasSubstr("control characters")));
}

TEST(ResolveTest, WorkersFitTheMachine) {
  v1::JobSpec job;
  ASSERT_OK(Resolve(kLeast, &job, 64));
  EXPECT_EQ(job.cluster().workers(), 4);
  ASSERT_OK(Resolve(kLeast, &job, 0));
  EXPECT_EQ(job.cluster().workers(), 1);
}

TEST(ResolveTest, ResolvingTwiceChangesNothing) {
  v1::JobSpec once;
  ASSERT_OK(
      Resolve("name: x\nmodel: {type: fm}\nsync: {mode: ssp}\n"
              "tables: {factors: {optimizer: {l2: 1}}, bias: {optimizer: {type: sgd}}}\n"
              "data: {train: [a, {path: b, format: dummy}], format: libsvm, index_base: 0}\n",
              &once));
  v1::JobSpec twice = once;
  ASSERT_OK(ResolveJob(8, &twice));
  EXPECT_TRUE(MessageDifferencer::Equals(once, twice));
  EXPECT_EQ(once.sync().staleness(), 4);
  EXPECT_EQ(once.model().factors(), 8);
}

TEST(ResolveTest, FieldAwareMachinesHaveTheirOwnDefaults) {
  v1::JobSpec job;
  ASSERT_OK(Resolve("model: {type: ffm}\ndata: {train: a, format: libffm, index_base: 0}", &job));
  EXPECT_EQ(job.model().factors(), 4);
  EXPECT_EQ(job.model().init_scale(), 0.1);
}

TEST(ResolveTest, LossesHaveTheirParameters) {
  v1::JobSpec job;
  ASSERT_OK(Resolve("model: {type: svm}" DATA, &job));
  EXPECT_EQ(job.model().loss(), "hinge");
  EXPECT_FALSE(job.model().has_delta());
  ASSERT_OK(Resolve("model: {type: huber}" DATA, &job));
  EXPECT_EQ(job.model().delta(), 1);
  ASSERT_OK(
      Resolve("model: {type: svm, loss: squared_hinge}\n"
              "data: {train: a, format: dummy, label: {positive: [1], negative: [2]}}",
              &job));
}

TEST(ResolveTest, SoftmaxHasClasses) {
  v1::JobSpec job;
  ASSERT_OK(
      Resolve("model: {type: softmax, classes: 10}\n"
              "data: {train: a, format: libsvm, index_base: 1}",
              &job));
  EXPECT_EQ(job.model().classes(), 10);
  EXPECT_FALSE(job.model().has_factors());
  EXPECT_TRUE(job.model().bias());
}

TEST(ResolveTest, AnEntryOfItsOwnFormatHasItsOwnIndexBase) {
  v1::JobSpec job;
  ASSERT_OK(
      Resolve("model: {type: lr}\ndata: {train: a, test: {path: b, format: dummy}, "
              "format: libsvm, index_base: 1}",
              &job));
  EXPECT_EQ(job.data().train(0).index_base(), 1);
  EXPECT_EQ(job.data().test(0).index_base(), 0);
  EXPECT_THAT(Resolve("model: {type: lr}\ndata: {train: a, test: {path: b, format: libsvm}, "
                      "format: dummy}",
                      &job),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "data.test[0].index_base: missing: state whether the libsvm files count "
                       "indices from 0 or from 1"));
}

TEST(ResolveTest, EntriesThatNameTheirFormatNeedNoneOfTheSection) {
  v1::JobSpec job;
  ASSERT_OK(
      Resolve("model: {type: lr}\ndata: {train: {path: a, format: libsvm, index_base: 1}}", &job));
  EXPECT_EQ(job.data().format(), "libsvm");
  EXPECT_EQ(job.data().index_base(), 1);
}

TEST(ResolveTest, EntriesOfColumnsSayAllThatReadingThemTakes) {
  v1::JobSpec job;
  ASSERT_OK(Resolve(
      "model: {type: lr}\ndata: {train: a, test: {path: b, format: tsv}, format: csv}", &job));
  const v1::DataPath& train = job.data().train(0);
  EXPECT_EQ(train.columns().label(), "0");
  EXPECT_TRUE(train.has_header());
  EXPECT_FALSE(train.header());
  EXPECT_EQ(train.delimiter(), ",");
  EXPECT_EQ(train.quote(), "\"");
  EXPECT_EQ(train.comment(), "");
  EXPECT_FALSE(train.has_index_base());
  EXPECT_FALSE(train.has_weights());
  EXPECT_EQ(job.data().test(0).delimiter(), "\t");
  EXPECT_FALSE(job.data().has_index_base());
  EXPECT_FALSE(job.data().has_hash_bits());
}

TEST(ResolveTest, EntriesOfColumnsTakeTheSectionsWordsUnlessTheyHaveTheirOwn) {
  v1::JobSpec job;
  ASSERT_OK(
      Resolve("model: {type: lr}\n"
              "data:\n"
              "  train: [a, {path: b, delimiter: \"|\", header: false}, {path: c, format: tsv}]\n"
              "  test: [{path: d, columns: {label: -1}, missing: NA}, {path: e, format: dummy}]\n"
              "  format: csv\n"
              "  columns: {label: y, categorical: [x], names: [x, y]}\n"
              "  header: true\n"
              "  delimiter: \";\"\n"
              "  missing: [\"?\"]\n",
              &job));
  const v1::DataPath& a = job.data().train(0);
  EXPECT_EQ(a.columns().label(), "y");
  EXPECT_EQ(a.delimiter(), ";");
  EXPECT_TRUE(a.header());
  EXPECT_THAT(a.missing(), testing::ElementsAre("?"));
  const v1::DataPath& b = job.data().train(1);
  EXPECT_EQ(b.delimiter(), "|");
  EXPECT_FALSE(b.header());
  EXPECT_THAT(b.columns().categorical(), testing::ElementsAre("x"));
  const v1::DataPath& c = job.data().train(2);
  EXPECT_EQ(c.delimiter(), "\t");
  EXPECT_TRUE(c.header());
  const v1::DataPath& d = job.data().test(0);
  EXPECT_EQ(d.columns().label(), "-1");
  EXPECT_TRUE(d.columns().categorical().empty());
  EXPECT_THAT(d.columns().names(), testing::ElementsAre("x", "y"));
  EXPECT_THAT(d.missing(), testing::ElementsAre("NA"));
  const v1::DataPath& e = job.data().test(1);
  EXPECT_EQ(e.index_base(), 0);
  EXPECT_FALSE(e.has_columns());
  EXPECT_FALSE(e.has_header());
  v1::JobSpec twice = job;
  ASSERT_OK(ResolveJob(2, &twice));
  EXPECT_TRUE(MessageDifferencer::Equals(job, twice));
}

TEST(ResolveTest, FieldsOfTheSectionAreThoseOfEntriesWithoutTheirOwn) {
  v1::JobSpec job;
  ASSERT_OK(Resolve(
      "model: {type: lr}\n"
      "data:\n"
      "  train: [a, {path: b, fields: position}, {path: c, format: libffm, index_base: 0}]\n"
      "  format: dummy\n"
      "  scale: 16\n"
      "  fields: [[0, 8], [9, 17]]\n",
      &job));
  EXPECT_THAT(job.data().train(0).fields(), testing::ElementsAre("0..8", "9..17"));
  EXPECT_THAT(job.data().train(1).fields(), testing::ElementsAre("position"));
  EXPECT_TRUE(job.data().train(2).fields().empty());
  const std::string yaml = JobToYaml(job);
  EXPECT_TRUE(MessageDifferencer::Equals(Parse(yaml), job)) << yaml;
}

TEST(ResolveTest, ClassesOfTheDataAreThoseOfTheModel) {
  v1::JobSpec job;
  ASSERT_OK(
      Resolve("model: {type: softmax}\ndata: {train: a, format: csv, classes: 3, "
              "class_weights: {2: 0.5}}",
              &job));
  EXPECT_EQ(job.model().classes(), 3);
  ASSERT_OK(Resolve("model: {type: softmax, classes: 4}\ndata: {train: a, format: csv}", &job));
  EXPECT_EQ(job.data().classes(), 4);
}

TEST(ResolveTest, EntriesMayHaveLabelsOfTheirOwn) {
  v1::JobSpec job;
  ASSERT_OK(
      Resolve("model: {type: lr}\n"
              "data:\n"
              "  train: [a, {path: b, format: dummy, label: {positive: 2, negative: 1}}]\n"
              "  test: {path: c, label: {positive: [\">50K\"], negative: [\"<=50K\"]}}\n"
              "  format: csv\n"
              "  label: {positive: yes, negative: [no, maybe]}\n"
              "  class_weights: {\"0\": 1, 1: 0.1}\n",
              &job));
  EXPECT_THAT(job.data().train(0).label().negative(), testing::ElementsAre("no", "maybe"));
  EXPECT_THAT(job.data().train(1).label().positive(), testing::ElementsAre("2"));
  EXPECT_THAT(job.data().test(0).label().positive(), testing::ElementsAre(">50K"));
  EXPECT_EQ(job.data().class_weights().at("1"), .1);
  const std::string yaml = JobToYaml(job);
  EXPECT_TRUE(MessageDifferencer::Equals(Parse(yaml), job)) << yaml;
  v1::JobSpec twice = job;
  ASSERT_OK(ResolveJob(2, &twice));
  EXPECT_TRUE(MessageDifferencer::Equals(job, twice));
}

TEST(ResolveTest, WeightsOfTheSectionAreThoseOfTheTrainingData) {
  v1::JobSpec job;
  ASSERT_OK(
      Resolve("model: {type: lr}\n"
              "data: {train: [a, {path: b, weights: own}], test: [c, {path: d, weights: other}],\n"
              "       format: dummy, weights: w}",
              &job));
  EXPECT_EQ(job.data().train(0).weights(), "/d/w");
  EXPECT_EQ(job.data().train(1).weights(), "/d/own");
  EXPECT_FALSE(job.data().test(0).has_weights());
  EXPECT_EQ(job.data().test(1).weights(), "/d/other");
}

TEST(ResolveTest, TableOverridesStartFromTheJobsOptimizer) {
  v1::JobSpec job;
  ASSERT_OK(Resolve(std::string(kLeast) +
                        "optimizer: {type: ftrl, learning_rate: 0.3, l1: 2, beta: 0.5}\n"
                        "tables: {weights: {optimizer: {l1: 1}}, bias: {optimizer: {type: sgd}}}",
                    &job));
  const v1::OptimizerConfig& weights = job.tables().at("weights").optimizer();
  EXPECT_EQ(weights.type(), "ftrl");
  EXPECT_EQ(weights.learning_rate(), 0.3);
  EXPECT_EQ(weights.l1(), 1);
  EXPECT_EQ(weights.beta(), 0.5);
  const v1::OptimizerConfig& bias = job.tables().at("bias").optimizer();
  EXPECT_EQ(bias.type(), "sgd");
  EXPECT_EQ(bias.l1(), 0);
  EXPECT_FALSE(bias.has_beta());
}

TEST(ResolveTest, ASchedulesTypeAloneIsAText) {
  v1::JobSpec job;
  ASSERT_OK(Resolve(std::string(kLeast) + "optimizer: {schedule: constant}", &job));
  EXPECT_EQ(job.optimizer().schedule().type(), "constant");
  const absl::Status status = Resolve(std::string(kLeast) + "optimizer: {schedule: cosine}", &job);
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument,
                               "optimizer.schedule.decay_steps: missing"));
  EXPECT_THAT(HintOf(status), testing::HasSubstr("{type: cosine, decay_steps: N}"));
}

TEST(ResolveTest, SchedulesAreFilledAndGoToTablesOfTheSameOptimizer) {
  v1::JobSpec job;
  ASSERT_OK(Resolve(std::string(kLeast) +
                        "optimizer: {type: sgd, schedule: {type: step, decay_steps: 100}}\n"
                        "tables: {weights: {optimizer: {l1: 1}}, bias: {optimizer: {type: ftrl}}}",
                    &job));
  const v1::ScheduleConfig& schedule = job.optimizer().schedule();
  EXPECT_EQ(schedule.warmup_steps(), 0);
  EXPECT_EQ(schedule.decay(), 0.1);
  EXPECT_TRUE(schedule.has_min_scale());
  EXPECT_EQ(job.tables().at("weights").optimizer().schedule().decay_steps(), 100);
  EXPECT_EQ(job.tables().at("bias").optimizer().schedule().type(), "constant");
}

TEST(ResolveTest, EarlyStopGoesByWhatTheModelIsTrainedFor) {
  v1::JobSpec job;
  ASSERT_OK(Resolve(std::string(kLeast) + "validation: 0.1\nearly_stop: {}", &job));
  EXPECT_EQ(job.early_stop().metric(), "logloss");
  EXPECT_EQ(job.early_stop().patience(), 3);
  ASSERT_OK(
      Resolve("model: {type: linear}\ndata: {train: a, test: b, format: dummy}\n"
              "early_stop: {patience: 1}",
              &job));
  EXPECT_EQ(job.early_stop().metric(), "rmse");
  EXPECT_EQ(job.early_stop().patience(), 1);
  EXPECT_EQ(job.validation(), 0);
  ASSERT_OK(Resolve(kLeast, &job));
  EXPECT_TRUE(job.has_validation());
  EXPECT_FALSE(job.has_early_stop());
}

struct BadJob {
  const char* more;  // After kLeast, whose sections it may not repeat; or a whole job.
  const char* message;
  absl::StatusCode code = absl::StatusCode::kInvalidArgument;
};

void PrintTo(const BadJob& job, std::ostream* out) { *out << job.more; }

class BadJobTest : public testing::TestWithParam<BadJob> {};

TEST_P(BadJobTest, NamesKeyAndValue) {
  const std::string more = GetParam().more;
  v1::JobSpec job;
  const std::string text = more.find("model:") == 0 ? more : kLeast + more;
  EXPECT_THAT(Resolve(text, &job), StatusIs(GetParam().code, GetParam().message));
}

constexpr absl::StatusCode kLater = absl::StatusCode::kUnimplemented;

INSTANTIATE_TEST_SUITE_P(
    Models, BadJobTest,
    testing::Values(
        BadJob{"model: {}" DATA, "model.type: missing: state which model to train"},
        BadJob{"model: {type: lrr}" DATA,
               "model.type: unknown value \"lrr\", did you mean \"lr\"?"},
        BadJob{"model: {type: deepfm}" DATA, "model.type: deepfm is not in this version", kLater},
        BadJob{"model: {type: lr, factors: 8}" DATA,
               "model.factors: lr has no factors, ffm and fm have"},
        BadJob{"model: {type: ffm}" DATA,
               "data.format: model ffm needs fields, and libsvm has none: use libffm or set "
               "data.fields"},
        BadJob{"model: {type: fm, classes: 3}" DATA,
               "model.classes: fm has no classes, softmax has"},
        BadJob{"model: {type: lr, loss: hinge}" DATA, "model.loss: lr has no loss, svm has"},
        BadJob{"model: {type: svm, loss: hinges}" DATA,
               "model.loss: unknown value \"hinges\", did you mean \"hinge\"?"},
        BadJob{"model: {type: huber, delta: -1}" DATA,
               "model.delta is -1, must be a finite number above 0"},
        BadJob{"model: {type: svm, delta: 1}" DATA, "model.delta: svm has no delta, huber has"},
        BadJob{"model: {type: softmax}" DATA,
               "model.classes: missing: state how many classes the labels tell apart"},
        BadJob{"model: {type: softmax, classes: 1}" DATA, "model.classes is 1, must be 2 to 4096"},
        BadJob{"model: {type: fm, factors: 0}" DATA, "model.factors is 0, must be 1 to 4096"},
        BadJob{"model: {type: fm, init_scale: -1}" DATA,
               "model.init_scale is -1, must be a finite number of at least 0"}));

INSTANTIATE_TEST_SUITE_P(
    Data, BadJobTest,
    testing::Values(
        BadJob{"model: {type: lr}", "data.train: missing: state the files to train on"},
        BadJob{"model: {type: lr}\ndata: {train: a}",
               "data.format: missing: state the format of the files, csv or dummy or libffm or "
               "libsvm or "
               "tsv"},
        BadJob{"model: {type: lr}\ndata: {train: \"\", format: dummy}",
               "data.train[0]: the path is empty"},
        BadJob{"model: {type: lr}\ndata: {train: a, format: libsvn}",
               "data.format: unknown value \"libsvn\", did you mean \"libsvm\"?"},
        BadJob{"model: {type: lr}\ndata: {train: a, format: parquet}",
               "data.format: parquet is not in this version", kLater},
        BadJob{"model: {type: lr}\ndata: {train: a, format: libsvm}",
               "data.index_base: missing: state whether the libsvm files count indices from 0 or "
               "from 1"},
        BadJob{"model: {type: lr}\ndata: {train: a, format: libsvm, index_base: 2}",
               "data.index_base: 2 is not 0 or 1"},
        BadJob{"model: {type: lr}\ndata: {train: {path: a, format: parquet}, format: dummy}",
               "data.train[0].format: parquet is not in this version", kLater},
        BadJob{"model: {type: lr}\ndata: {train: a, format: dummy, on_bad_row: drop}",
               "data.on_bad_row: unknown value \"drop\", valid are fail, skip"},
        BadJob{"model: {type: lr}\ndata: {train: a, format: dummy, max_bad_rows: 3}",
               "data.max_bad_rows: counts only with on_bad_row: skip"},
        BadJob{"model: {type: lr}\ndata: {train: a, format: dummy, label: {positive: [1]}}",
               "data.label.negative: missing: both sides must be stated"},
        BadJob{"model: {type: lr}\ndata: {train: a, format: dummy, label: {positive: [x], "
               "negative: [0]}}",
               "data.label: lists labels that are no numbers, but those of dummy are"},
        BadJob{"model: {type: linear}\ndata: {train: a, format: dummy, label: {positive: [1], "
               "negative: [0]}}",
               "data.label: the model takes labels as they are; positive and negative belong to "
               "models of two classes"}));

INSTANTIATE_TEST_SUITE_P(
    Fields, BadJobTest,
    testing::Values(
        BadJob{"model: {type: lr}\ndata: {train: a, format: dummy, fields: [[0, 8], [8, 9]]}",
               "data.fields: ranges 0..8 and 8..9 overlap"},
        BadJob{"model: {type: lr}\ndata: {train: {path: a, fields: place}, format: dummy}",
               "data.train[0].fields: `place` is neither `position` nor a range of indices such as "
               "[0, 8]"},
        BadJob{"model: {type: lr}\n"
               "data: {train: {path: a, fields: position}, format: libffm, index_base: 0}",
               "data.train[0].fields: the rows of libffm state their own"},
        BadJob{"model: {type: lr}\n"
               "data: {train: a, format: libffm, index_base: 0, fields: position}",
               "data.fields: the rows of libffm state their own"}));

#define CLASSED "model: {type: lr}\ndata: {train: a, format: csv, "

INSTANTIATE_TEST_SUITE_P(
    LabelsAndClasses, BadJobTest,
    testing::Values(
        BadJob{CLASSED "label: {positive: [yes], negative: [no, yes]}}",
               "data.label: label `yes` is listed as positive and as negative"},
        BadJob{"model: {type: lr}\ndata: {format: dummy, "
               "train: {path: a, label: {positive: 2}}}",
               "data.train[0].label.negative: missing: both sides must be stated"},
        BadJob{"model: {type: linear}\ndata: {format: dummy, train: a, "
               "test: {path: a, label: {positive: 2, negative: 1}}}",
               "data.test[0].label: the model takes labels as they are; positive and negative "
               "belong to models of two classes"},
        BadJob{CLASSED "classes: 2}", "data.classes: lr has no classes to state"},
        BadJob{"model: {type: softmax, classes: 3}\ndata: {train: a, format: csv, classes: 4}",
               "data.classes: 4 is not model.classes, which is 3"},
        BadJob{"model: {type: softmax, classes: 3}\n"
               "data: {train: a, format: csv, class_weights: {3: 1}}",
               "data.class_weights.3: there is no such class, they are 0 to 2"},
        BadJob{CLASSED "class_weights: {2: 1}}",
               "data.class_weights.2: there is no such class, they are 0 to 1"},
        BadJob{CLASSED "class_weights: {01: 1}}",
               "data.class_weights.01: there is no such class, they are 0 to 1"},
        BadJob{CLASSED "class_weights: {yes: 1}}",
               "data.class_weights.yes: there is no such class, they are 0 to 1"},
        BadJob{CLASSED "class_weights: {0: -1}}",
               "data.class_weights.0: -1 is not a finite number of at least 0"},
        BadJob{CLASSED "class_weights: {0: 1e39}}",
               "data.class_weights.0: 1e+39 is not a finite number of at least 0"},
        BadJob{"model: {type: linear}\ndata: {train: a, format: csv, class_weights: {0: 1}}",
               "data.class_weights: the model has no classes, its labels are numbers"}));

INSTANTIATE_TEST_SUITE_P(
    Scales, BadJobTest,
    testing::Values(
        BadJob{"model: {type: lr}\ndata: {train: a, format: dummy, scale: std}",
               "data.scale: `std` is not none, standard, minmax or a number above 0"},
        BadJob{"model: {type: lr}\ndata: {train: a, format: dummy, scale: 0}",
               "data.scale: `0` is not none, standard, minmax or a number above 0"},
        BadJob{"model: {type: lr}\n"
               "data: {train: a, test: {path: b, format: csv}, format: dummy, scale: minmax}",
               "data.scale: minmax is not for entries of dummy and of csv together: columns and "
               "indices are scaled unlike"}));

#define CSV "model: {type: lr}\ndata: {train: a, format: csv, "

INSTANTIATE_TEST_SUITE_P(
    ColumnOptions, BadJobTest,
    testing::Values(
        BadJob{CSV "index_base: 0}", "data.index_base: csv has no indices, and no entry has"},
        BadJob{"model: {type: lr}\ndata: {train: {path: a, index_base: 0}, format: tsv}",
               "data.train[0].index_base: tsv has no indices"},
        BadJob{"model: {type: lr}\ndata: {train: a, format: dummy, header: true}",
               "data.header: belongs to csv and tsv, and no entry is one"},
        BadJob{"model: {type: lr}\ndata: {train: a, format: dummy, comment: \"#\"}",
               "data.comment: belongs to csv and tsv, and no entry is one"},
        BadJob{"model: {type: lr}\ndata: {train: {path: a, columns: {}}, format: dummy}",
               "data.train[0].columns: belongs to csv and tsv, the format is dummy"},
        BadJob{"model: {type: lr}\ndata: {train: a, test: {path: b, missing: NA}, format: dummy}",
               "data.test[0].missing: belongs to csv and tsv, the format is dummy"},
        BadJob{CSV "delimiter: ab}",
               "data.delimiter: is `ab`, must be one character and not of those of numbers or "
               "words"},
        BadJob{"model: {type: lr}\ndata: {train: {path: a, quote: x}, format: csv}",
               "data.train[0].quote: is `x`, must be one character and not of those of numbers or "
               "words"},
        BadJob{CSV "quote: \",\"}", "data.quote: is `,`, which separates columns"},
        BadJob{CSV "columns: {label: click}}",
               "data.columns: column `click` is stated by name, but there is no header and no "
               "columns.names"},
        BadJob{CSV "columns: {label: clik, names: [click, age]}}",
               "data.columns: there is no column `clik`, did you mean `click`?"},
        BadJob{CSV "columns: {label: a, numeric: [a], names: [a]}}",
               "data.columns: column 0, stated as `a`, is stated twice"},
        BadJob{CSV "columns: {weight: 1}, weights: w}",
               "data.train[0].weights: rows have their weights from a file or from a column, not "
               "both"},
        BadJob{CSV "weights: \"\"}", "data.weights: the path is empty"},
        BadJob{CSV "hash_bits: 0}", "data.hash_bits: 0 is not in 1..64"},
        BadJob{CSV "hash_bits: 65}", "data.hash_bits: 65 is not in 1..64"}));

INSTANTIATE_TEST_SUITE_P(
    Sections, BadJobTest,
    testing::Values(
        BadJob{"optimizer: {type: adagard}",
               "optimizer.type: unknown value \"adagard\", did you mean \"adagrad\"?"},
        BadJob{"optimizer: {type: adamw, l2: 1}", "optimizer.l2: adamw has no such parameter"},
        BadJob{"optimizer: {type: adam, beta1: 1}",
               "optimizer.beta1: 1 is not in [0, 1) (and finite as a float)"},
        BadJob{"optimizer: {type: sgd, beta: 1}", "optimizer.beta: sgd has no such parameter"},
        BadJob{"optimizer: {schedule: {type: cosin}}",
               "optimizer.schedule.type: unknown value \"cosin\", did you mean \"cosine\"?"},
        BadJob{"optimizer: {schedule: {type: step, decay_steps: 0}}",
               "optimizer.schedule.decay_steps: 0 is not above 0"},
        BadJob{"optimizer: {schedule: {decay_steps: 5}}",
               "optimizer.schedule.decay_steps: a schedule of type constant has none"},
        BadJob{"optimizer: {schedule: {type: cosine, decay_steps: 5, decay: 0.5}}",
               "optimizer.schedule.decay: a schedule of type cosine has none"},
        BadJob{"optimizer: {schedule: {min_scale: 0.5}}",
               "optimizer.schedule.min_scale: a schedule of type constant has none"},
        BadJob{"optimizer: {schedule: {type: step, decay_steps: 5, decay: 1.5}}",
               "optimizer.schedule.decay: 1.5 is not in (0, 1]"},
        BadJob{"tables: {weights: {optimizer: {schedule: {type: cosine, decay_steps: 5, "
               "min_scale: 2}}}}",
               "tables.weights.optimizer.schedule.min_scale: 2 is not in 0..1"},
        BadJob{"optimizer: {type: ftrl, schedule: {warmup_steps: 5}}",
               "optimizer.schedule: has no place here: ftrl lowers the rate of each coordinate by "
               "its own gradients"},
        BadJob{"tables: {weigths: {}}",
               "tables.weigths: unknown value \"weigths\", did you mean \"weights\"?"},
        BadJob{"sync: {mode: bspp}", "sync.mode: unknown value \"bspp\", did you mean \"bsp\"?"},
        BadJob{"sync: {mode: bsp, staleness: 3}",
               "sync.staleness: belongs to ssp, the mode is bsp"},
        BadJob{"sync: {mode: ssp, staleness: -1}", "sync.staleness: -1 is not in 0..1000000"},
        BadJob{"sync: {reduce: product}",
               "sync.reduce: unknown value \"product\", valid are mean, sum"},
        BadJob{"sync: {deadline_s: 0}", "sync.deadline_s: 0 is not above 0 and at most 2.592e+06"},
        BadJob{"train: {epochs: 0}", "train.epochs: 0 is not in 1..1000000"},
        BadJob{"train: {batch_size: 0}", "train.batch_size: 0 is not in 1..16777216"},
        BadJob{"train: {full_batch: true}\nsync: {mode: ssp}",
               "train.full_batch: a step of all workers' rows needs sync.mode bsp, the mode is "
               "ssp"},
        BadJob{"train: {start_from: \"\"}", "train.start_from: the path is empty"},
        BadJob{"validation: 1", "validation: 1 is not from 0 on and below 1"},
        BadJob{"validation: -0.1", "validation: -0.1 is not from 0 on and below 1"},
        BadJob{"early_stop: {}", "early_stop: there are neither validation rows nor test data"},
        BadJob{"validation: 0.1\nearly_stop: {metric: logloss_}",
               "early_stop.metric: unknown value \"logloss_\", did you mean \"logloss\"?"},
        BadJob{"validation: 0.1\nearly_stop: {metric: rmse}",
               "early_stop.metric: lr has no rmse, it has logloss, auc, accuracy"},
        BadJob{"validation: 0.1\nearly_stop: {patience: 0}",
               "early_stop.patience: 0 is not in 1..1000000"},
        BadJob{"cluster: {servers: 0}", "cluster.servers: 0 is not in 1..256"},
        BadJob{"cluster: {workers: 257}", "cluster.workers: 257 is not in 1..256"},
        BadJob{"cluster: {replicas: 1}", "cluster.replicas: 1 is not in this version, only 0 is",
               kLater},
        BadJob{"cluster: {worker_slots: gpu:1}",
               "cluster.worker_slots: gpu:1 is not in this version, only cpu:1 is", kLater},
        BadJob{"cluster: {worker_slots: cpu}",
               "cluster.worker_slots: \"cpu\" is not of the form cpu:1"}));

TEST(ResolveTest, OptimizerParametersOutOfRangeNameTheirSection) {
  v1::JobSpec job;
  EXPECT_THAT(Resolve(std::string(kLeast) + "optimizer: {learning_rate: -1}", &job),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       testing::AllOf(testing::StartsWith("optimizer.learning_rate: "),
                                      testing::HasSubstr("-1"))));
}

TEST(JobToYamlTest, ReadsBackEqual) {
  v1::JobSpec job;
  ASSERT_OK(
      Resolve("name: \"odd: 'name' # \\\"x\\\" 5\"\nmodel: {type: fm, init_scale: 0.1}\n"
              "data: {train: [\"/a b/{c}\", \"/5\"], test: {path: /t, format: dummy}, "
              "format: libsvm, index_base: 1, label: {positive: [1.5, 2], negative: \"-1\"}}\n"
              "optimizer: {l2: 1.0e-6, learning_rate: 0.1}\n"
              "tables: {weights: {optimizer: {type: ftrl}}, bias: {}}\n"
              "train: {seed: 18446744073709551615, start_from: /m}\noutput: {model: /out}\n",
              &job));
  const std::string yaml = JobToYaml(job);
  EXPECT_TRUE(MessageDifferencer::Equals(Parse(yaml), job)) << yaml;
}

TEST(JobToYamlTest, EntriesWithColumnsReadBackEqual) {
  v1::JobSpec job;
  ASSERT_OK(
      Resolve("model: {type: lr}\n"
              "data: {train: [a, {path: b, format: tsv, quote: none}], format: csv, header: true,\n"
              "       columns: {label: \"-1\", numeric: [\"a, b\", \"]\", \"0..1\"],\n"
              "                 categorical: [\"x: {y}\"], weight: \"# w\"},\n"
              "       missing: [\"?\", \"~\", \"\", \" \"], comment: \"#\", hash_bits: 20}\n",
              &job));
  const std::string yaml = JobToYaml(job);
  EXPECT_TRUE(MessageDifferencer::Equals(Parse(yaml), job)) << yaml;
}

TEST(JobToYamlTest, EmptySectionsStayMappings) {
  v1::JobSpec job;
  job.mutable_output();
  EXPECT_EQ(JobToYaml(job), "output: {}\n");
}

}  // namespace
}  // namespace seraph
