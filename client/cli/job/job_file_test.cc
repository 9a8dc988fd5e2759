// SPDX-License-Identifier: Apache-2.0
#include "client/cli/job/job_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <ostream>
#include <string>
#include <vector>

#include "tests/status_matchers.h"

namespace seraph {
namespace {

constexpr char kCensus[] = R"(name: census-fm
model: {type: fm, factors: 8}
data:
  train: [census_train.libsvm, /abs/more.libsvm]
  test:
    - {path: census_test.dummy, format: dummy}
  format: libsvm
  index_base: 1
  label: {positive: [1, 2.5], negative: [-1]}
optimizer: {type: adagrad, learning_rate: 0.05, l2: 1.0e-6}
sync: {mode: ssp, staleness: 4}
train: {epochs: 10, batch_size: 1024, seed: 7}
tables: {factors: {optimizer: {type: adagrad, learning_rate: 0.02}}}
cluster: {servers: 2, workers: 2, replicas: 0, worker_slots: cpu:1}
output: {model: out/census-fm}
)";

absl::StatusOr<v1::JobSpec> Parse(const std::string& text, std::vector<std::string> set = {}) {
  return ParseJob(text, "job.yaml", "/jobs/u", set);
}

TEST(JobFileTest, ReadsEveryKeyOfTheDocumentedExample) {
  const absl::StatusOr<v1::JobSpec> job = Parse(kCensus);
  ASSERT_OK(job.status());
  EXPECT_EQ(job->name(), "census-fm");
  EXPECT_EQ(job->model().type(), "fm");
  EXPECT_EQ(job->model().factors(), 8);
  EXPECT_FALSE(job->model().has_bias());
  ASSERT_EQ(job->data().train_size(), 2);
  EXPECT_EQ(job->data().test(0).format(), "dummy");
  EXPECT_FALSE(job->data().test(0).has_index_base());
  EXPECT_EQ(job->data().index_base(), 1);
  EXPECT_EQ(job->data().label().positive(1), "2.5");
  EXPECT_EQ(job->data().label().negative(0), "-1");
  EXPECT_EQ(job->optimizer().l2(), 1e-6);
  EXPECT_EQ(job->sync().staleness(), 4);
  EXPECT_EQ(job->train().seed(), 7);
  EXPECT_EQ(job->tables().at("factors").optimizer().learning_rate(), 0.02);
  EXPECT_EQ(job->cluster().worker_slots(), "cpu:1");
}

TEST(JobFileTest, AListOfTwoNumbersAmongTextsIsARange) {
  const absl::StatusOr<v1::JobSpec> job = Parse(
      "data: {fields: [[0, 8], [9, 17]], train: {path: a, fields: position}, "
      "columns: {numeric: [x, [1, 3]]}}");
  ASSERT_OK(job.status());
  EXPECT_THAT(job->data().fields(), testing::ElementsAre("0..8", "9..17"));
  EXPECT_THAT(job->data().train(0).fields(), testing::ElementsAre("position"));
  EXPECT_THAT(job->data().columns().numeric(), testing::ElementsAre("x", "1..3"));
}

TEST(JobFileTest, PathsAreRelativeToTheJobFile) {
  const absl::StatusOr<v1::JobSpec> job =
      Parse(kCensus, {"train.start_from=../old/model/", "output.model=./m"});
  ASSERT_OK(job.status());
  EXPECT_EQ(job->data().train(0).path(), "/jobs/u/census_train.libsvm");
  EXPECT_EQ(job->data().train(1).path(), "/abs/more.libsvm");
  EXPECT_EQ(job->data().test(0).path(), "/jobs/u/census_test.dummy");
  EXPECT_EQ(job->train().start_from(), "/jobs/old/model");
  EXPECT_EQ(job->output().model(), "/jobs/u/m");
}

TEST(JobFileTest, WeightsAreRelativeToTheJobFileToo) {
  const absl::StatusOr<v1::JobSpec> job =
      Parse("data: {train: {path: a, weights: ../w}, test: {path: b, weights: /w}, weights: w/x}");
  ASSERT_OK(job.status());
  EXPECT_EQ(job->data().train(0).weights(), "/jobs/w");
  EXPECT_EQ(job->data().test(0).weights(), "/w");
  EXPECT_EQ(job->data().weights(), "/jobs/u/w/x");
}

TEST(JobFileTest, ColumnsAreNamesOrPositions) {
  const absl::StatusOr<v1::JobSpec> job = Parse(
      "data: {columns: {label: -1, numeric: [0, 2..4, age], categorical: \"7\"}, missing: [\"?\", "
      "NA],\n"
      "  header: true, delimiter: \"\\t\", quote: none, comment: \"#\"}");
  ASSERT_OK(job.status());
  const v1::ColumnSpec& columns = job->data().columns();
  EXPECT_EQ(columns.label(), "-1");
  EXPECT_THAT(columns.numeric(), testing::ElementsAre("0", "2..4", "age"));
  EXPECT_THAT(columns.categorical(), testing::ElementsAre("7"));
  EXPECT_THAT(job->data().missing(), testing::ElementsAre("?", "NA"));
  EXPECT_EQ(job->data().delimiter(), "\t");
}

TEST(JobFileTest, OneEntryNeedsNoList) {
  const absl::StatusOr<v1::JobSpec> text = Parse("data: {train: a.libsvm}");
  ASSERT_OK(text.status());
  EXPECT_EQ(text->data().train(0).path(), "/jobs/u/a.libsvm");
  const absl::StatusOr<v1::JobSpec> mapping =
      Parse("data: {train: {path: a, index_base: 0}, label: {positive: 1, negative: [0]}}");
  ASSERT_OK(mapping.status());
  EXPECT_EQ(mapping->data().train(0).index_base(), 0);
  EXPECT_EQ(mapping->data().label().positive(0), "1");
}

TEST(JobFileTest, JsonIsYaml) {
  const absl::StatusOr<v1::JobSpec> job = ParseJob(
      "{\"name\":\"j\",\"model\":{\"type\":\"lr\",\"bias\":false},\n"
      "\t\"data\":{\"train\":[\"a\\/b\", {\"path\":\"c\"}],\"max_bad_rows\":18446744073709551615}}",
      "job.json", "/d", {});
  ASSERT_OK(job.status());
  EXPECT_EQ(job->data().train(0).path(), "/d/a/b");
  EXPECT_FALSE(job->model().bias());
  EXPECT_TRUE(job->model().has_bias());
  EXPECT_EQ(job->data().max_bad_rows(), 18446744073709551615u);
}

TEST(JobFileTest, EmptySectionsAreFine) {
  const absl::StatusOr<v1::JobSpec> job = Parse("name: x\ntables:\noptimizer: {}\nsync: ~\n");
  ASSERT_OK(job.status());
  EXPECT_TRUE(job->tables().empty());
}

TEST(JobFileTest, ReadsProtobufText) {
  const absl::StatusOr<v1::JobSpec> job =
      ParseJob("name: \"x\" model { type: \"lr\" }\ndata { train { path: \"a\" } }",
               "job.textproto", "/d", {"train.epochs=3"});
  ASSERT_OK(job.status());
  EXPECT_EQ(job->data().train(0).path(), "/d/a");
  EXPECT_EQ(job->train().epochs(), 3);
}

struct BadFile {
  const char* text;
  const char* message;
  absl::StatusCode code = absl::StatusCode::kInvalidArgument;
};

void PrintTo(const BadFile& file, std::ostream* out) { *out << file.text; }

class BadJobFileTest : public testing::TestWithParam<BadFile> {};

TEST_P(BadJobFileTest, SaysWhatIsWrongAndWhere) {
  EXPECT_THAT(Parse(GetParam().text).status(), StatusIs(GetParam().code, GetParam().message));
}

constexpr absl::StatusCode kLater = absl::StatusCode::kUnimplemented;

INSTANTIATE_TEST_SUITE_P(
    Keys, BadJobFileTest,
    testing::Values(
        BadFile{"name: x\ntrain:\n  epoch: 3\n",
                "job.yaml:3: train.epoch: unknown key, did you mean \"epochs\"?"},
        BadFile{"modle: {type: lr}", "job.yaml:1: modle: unknown key, did you mean \"model\"?"},
        BadFile{"name: x\nepochs: 3\n",
                "job.yaml:2: epochs: unknown key, did you mean \"train.epochs\"?"},
        BadFile{"cluster: {zzzzzzzzzzzzz: 3}",
                "job.yaml:1: cluster.zzzzzzzzzzzzz: unknown key, valid are servers, workers, "
                "replicas, worker_slots"},
        BadFile{"tables:\n  w:\n    optimiser: {}\n",
                "job.yaml:3: tables.w.optimiser: unknown key, did you mean \"optimizer\"?"},
        BadFile{"data:\n  train:\n  - a\n  - {pth: b}\n",
                "job.yaml:4: data.train[1].pth: unknown key, did you mean \"path\"?"},
        BadFile{"name: a\nmodel: {}\nname: b\n", "job.yaml:3: name: stated twice"},
        BadFile{"tables: {w: {}, w: {}}", "job.yaml:1: tables.w: stated twice"},
        BadFile{"? [a, b]\n: c\n", "job.yaml:1: a key must be a text"},
        BadFile{"resources: {priority: 3}", "job.yaml:1: resources: not in this version", kLater},
        BadFile{"name: x\ncheckpoint: {every: 5m}", "job.yaml:2: checkpoint: not in this version",
                kLater},
        BadFile{"search: {}", "job.yaml:1: search: not in this version", kLater},
        BadFile{"data: {test: {path: a, fields: {}}}",
                "job.yaml:1: data.test[0].fields[0]: one value is wanted, not a mapping"},
        BadFile{"data: {fields: [[0, 1, 2]]}",
                "job.yaml:1: data.fields[0]: one value is wanted, not a list"},
        BadFile{"data: {fields: [[0, x]]}",
                "job.yaml:1: data.fields[0]: one value is wanted, not a list"},
        BadFile{"cluster: {tls: {}}", "job.yaml:1: cluster.tls: not in this version", kLater},
        BadFile{"tables: {w: {sync: {}}}", "job.yaml:1: tables.w.sync: not in this version",
                kLater}));

INSTANTIATE_TEST_SUITE_P(
    Values, BadJobFileTest,
    testing::Values(
        BadFile{"train:\n  epochs: ten\n",
                "job.yaml:2: train.epochs: a whole number is wanted, not \"ten\""},
        BadFile{"train: {epochs: 2.5}",
                "job.yaml:1: train.epochs: a whole number is wanted, not \"2.5\""},
        BadFile{"train: {epochs: -1}", "job.yaml:1: train.epochs: -1 is not in 0..4294967295"},
        BadFile{"train: {epochs: 4294967296}",
                "job.yaml:1: train.epochs: 4294967296 is not in 0..4294967295"},
        BadFile{"train: {seed: 18446744073709551616}",
                "job.yaml:1: train.seed: 18446744073709551616 is not in 0..18446744073709551615"},
        BadFile{"train: {epochs: \"3\"}",
                "job.yaml:1: train.epochs: a number is wanted, not the quoted text \"3\""},
        BadFile{"train: {epochs: [3]}",
                "job.yaml:1: train.epochs: one value is wanted, not a list"},
        BadFile{"train:\n  epochs:\n  seed: 1\n",
                "job.yaml:2: train.epochs: one value is wanted, not nothing"},
        BadFile{"optimizer: {schedule: [a]}",
                "job.yaml:1: optimizer.schedule: a type or a mapping is wanted, not a list"},
        BadFile{"train: 3", "job.yaml:1: train: a mapping is wanted, not \"3\""},
        BadFile{"model: {type: lr, bias: yes}",
                "job.yaml:1: model.bias: true or false is wanted, not \"yes\""},
        BadFile{"model: {bias: \"true\"}",
                "job.yaml:1: model.bias: true or false is wanted, not the quoted text \"true\""},
        BadFile{"optimizer: {l2: .nan}", "job.yaml:1: optimizer.l2: .nan is not a finite number"},
        BadFile{"optimizer: {l2: -.inf}", "job.yaml:1: optimizer.l2: -.inf is not a finite number"},
        BadFile{"optimizer: {l2: 1e999}",
                "job.yaml:1: optimizer.l2: 1e999 is too large for a number"},
        BadFile{"optimizer: {l2: 0x10}",
                "job.yaml:1: optimizer.l2: a number is wanted, not \"0x10\""},
        BadFile{"optimizer: {l2: \"a\\x1b[31m\"}",
                "job.yaml:1: optimizer.l2: a number is wanted, not the quoted text \"a?[31m\""},
        BadFile{"data:\n  train:\n    - [a]\n",
                "job.yaml:3: data.train[0]: a path or a mapping is wanted, not a list"},
        BadFile{"data: {label: {positive: [{}]}}",
                "job.yaml:1: data.label.positive[0]: one value is wanted, not a mapping"},
        BadFile{"tables: [w]", "job.yaml:1: tables: a mapping is wanted, not a list"},
        BadFile{"- a\n- b\n", "job.yaml:1: a mapping is wanted, not a list"},
        BadFile{"just words", "job.yaml:1: a mapping is wanted, not \"just words\""},
        BadFile{"", "job.yaml: the job is empty"},
        BadFile{"# only\n", "job.yaml: the job is empty"},
        BadFile{"name: a\n---\nname: b\n", "job.yaml: more than one YAML document"},
        BadFile{",", "job.yaml: more than one YAML document"},
        BadFile{"name: \xff\xfe", "job.yaml: not a text file in UTF-8"},
        BadFile{"name: [a\n", "job.yaml:2: no valid YAML: end of sequence flow not found"}));

TEST(JobFileTest, ProtobufTextErrorsNameLineAndNearestKey) {
  const auto parse = [](const std::string& text) {
    return ParseJob(text, "j.textproto", "/d", {}).status();
  };
  EXPECT_THAT(parse("name: \"x\"\ntrain {\n  epoch: 3 }"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "j.textproto:3: train.epoch: unknown key, did you mean \"epochs\"?"));
  EXPECT_THAT(parse("checkpoint { }"), StatusIs(absl::StatusCode::kUnimplemented,
                                                "j.textproto:1: checkpoint: not in this version"));
  EXPECT_THAT(parse("train { epochs: -1 }"),
              StatusIs(absl::StatusCode::kInvalidArgument, testing::HasSubstr("j.textproto:1: ")));
  EXPECT_THAT(parse("name: \"\\377\""),
              StatusIs(absl::StatusCode::kInvalidArgument, "j.textproto: a text is not UTF-8"));
}

TEST(JobFileTest, OverridesReplaceValuesListsAndMaps) {
  const absl::StatusOr<v1::JobSpec> job = Parse(
      kCensus, {"train.epochs=3", "train.epochs=4", "data.train=[x, {path: y, format: dummy}]",
                "data.test=t", "tables.bias.optimizer.type=sgd", "tables.factors.optimizer.l1=1",
                "optimizer={type: sgd}", "data.label.positive=5", "model.bias=false", "name=a=b c",
                "data.class_weights.1=5"});
  ASSERT_OK(job.status());
  EXPECT_EQ(job->train().epochs(), 4);
  EXPECT_EQ(job->train().seed(), 7);
  ASSERT_EQ(job->data().train_size(), 2);
  EXPECT_EQ(job->data().train(1).path(), "/jobs/u/y");
  EXPECT_EQ(job->data().test(0).path(), "/jobs/u/t");
  EXPECT_EQ(job->tables().at("bias").optimizer().type(), "sgd");
  EXPECT_EQ(job->tables().at("factors").optimizer().l1(), 1);
  EXPECT_EQ(job->tables().at("factors").optimizer().learning_rate(), 0.02);
  EXPECT_EQ(job->optimizer().type(), "sgd");
  EXPECT_FALSE(job->optimizer().has_l2());
  EXPECT_EQ(job->data().label().positive_size(), 1);
  EXPECT_FALSE(job->model().bias());
  EXPECT_EQ(job->data().class_weights().at("1"), 5);
}

TEST(JobFileTest, OverridesOfWholeMapsReplaceThem) {
  const absl::StatusOr<v1::JobSpec> job =
      Parse(kCensus, {"tables={weights: {optimizer: {l1: 2}}}"});
  ASSERT_OK(job.status());
  EXPECT_EQ(job->tables().size(), 1);
  EXPECT_EQ(job->tables().at("weights").optimizer().l1(), 2);
  const absl::StatusOr<v1::JobSpec> entry = Parse(kCensus, {"tables.factors={optimizer: {l1: 2}}"});
  ASSERT_OK(entry.status());
  EXPECT_FALSE(entry->tables().at("factors").optimizer().has_learning_rate());
}

struct BadOverride {
  const char* text;
  const char* message;
};

TEST(JobFileTest, BadOverridesAreNamed) {
  const BadOverride bad[] = {
      {"train.epochs", "--set train.epochs: KEY=VALUE is wanted"},
      {"=3", "--set =3: KEY=VALUE is wanted"},
      {"train.epoch=3", "--set train.epoch=3: train.epoch: unknown key, did you mean \"epochs\"?"},
      {"epochs=3", "--set epochs=3: epochs: unknown key, did you mean \"train.epochs\"?"},
      {"train.epochs=", "--set train.epochs=: train.epochs: one value is wanted, not nothing"},
      {"train.epochs=x", "--set train.epochs=x: train.epochs: a whole number is wanted, not \"x\""},
      {"train.epochs.x=1",
       "--set train.epochs.x=1: train.epochs: a value, it has no keys below it"},
      {"data.class_weights.1.x=5",
       "--set data.class_weights.1.x=5: data.class_weights.1: a value, it has no keys below it"},
      {"data.class_weights.1=x",
       "--set data.class_weights.1=x: data.class_weights.1: a number is wanted, not \"x\""},
      {"data.train.path=1", "--set data.train.path=1: data.train: a list is replaced as a whole"},
      {"data.train=[", "--set data.train=[: no valid YAML: end of sequence flow not found"},
  };
  for (const BadOverride& each : bad) {
    EXPECT_THAT(Parse(kCensus, {each.text}).status(),
                StatusIs(absl::StatusCode::kInvalidArgument, each.message));
  }
  EXPECT_THAT(Parse(kCensus, {"resources.priority=1"}).status(),
              StatusIs(absl::StatusCode::kUnimplemented,
                       "--set resources.priority=1: resources: not in this version"));
}

TEST(JobFileTest, RemembersWhereKeysWereStated) {
  KeyOrigins origins("job.yaml");
  ASSERT_OK(ParseJob(kCensus, "job.yaml", "/d", {"train.epochs=3"}, &origins).status());
  EXPECT_EQ(origins.PlaceOf("name"), "job.yaml:1");
  EXPECT_EQ(origins.PlaceOf("data.test[0].format"), "job.yaml:6");
  EXPECT_EQ(origins.PlaceOf("data.test[0].index_base"), "job.yaml:6");
  EXPECT_EQ(origins.PlaceOf("train.epochs"), "--set train.epochs=3");
  EXPECT_EQ(origins.PlaceOf("train.seed"), "job.yaml:12");
  EXPECT_EQ(origins.PlaceOf("nothing.here"), "job.yaml");
}

TEST(JobFileTest, DeepNestingAndAliasesEndInAnError) {
  EXPECT_FALSE(Parse("name: " + std::string(100000, '[')).ok());
  EXPECT_FALSE(Parse("name: " + std::string(100000, '{')).ok());
  EXPECT_FALSE(Parse("tables: &t\n  w: *t\n").ok());
  EXPECT_FALSE(Parse(std::string(5 << 20, '#')).ok());
}

TEST(JobFileTest, ReadsFilesAndNamesThoseItCannot) {
  const std::string folder = testing::TempDir();
  const std::string path = folder + "/job.yaml";
  std::ofstream(path) << "name: x\ndata: {train: a}\n";
  const absl::StatusOr<v1::JobSpec> job = ReadJobFile(path, {});
  ASSERT_OK(job.status());
  EXPECT_EQ(job->data().train(0).path(),
            std::filesystem::path(folder + "/a").lexically_normal().string());
  EXPECT_THAT(
      ReadJobFile(folder + "/none.yaml", {}).status(),
      StatusIs(absl::StatusCode::kNotFound, testing::HasSubstr("none.yaml: no such job file")));
  EXPECT_THAT(ReadJobFile(folder, {}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, testing::HasSubstr("a folder")));
}

}  // namespace
}  // namespace seraph
