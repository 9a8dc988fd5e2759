// SPDX-License-Identifier: Apache-2.0
#include "client/cli/job_reporter.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "client/cli/json_line.h"

namespace seraph {
namespace {

using testing::HasSubstr;
using testing::Not;

template <typename T>
T Message(const std::string& text) {
  T message;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &message)) << text;
  return message;
}

const v1::JobSpec& Job() {
  static const auto* const job = new v1::JobSpec(Message<v1::JobSpec>(
      "name: 'census-fm' model { type: 'fm' } sync { mode: 'bsp' } optimizer { type: 'adagrad' }"
      "data { test { path: 't' } } train { epochs: 10 }"));
  return *job;
}

const v1::JobStarted& Started() {
  static const auto* const started =
      new v1::JobStarted(Message<v1::JobStarted>("servers: 2 workers: 3 rows: 22792"));
  return *started;
}

JobEnd Success(const std::string& test) {
  return {
      absl::OkStatus(), 0,
      Message<v1::JobDone>("epochs: 10 seconds: 0.9 model: '/m/census' rows_read: 227920 " + test +
                           "servers { name: 'server 0' stats { requests: 7 received_bytes: 3 "
                           "sent_bytes: 4 rows: 9 } }")};
}

TEST(JsonReporterTest, PrintsTheDocumentedEvents) {
  std::ostringstream out;
  const auto reporter = NewJsonReporter(Job(), PredictionKind::kBinary, &out);
  reporter->Started(Started());
  reporter->Progress(Message<v1::JobProgress>("epoch: 1 rows: 3"));
  reporter->EpochDone(Message<v1::EpochDone>(
      "epoch: 1 rows: 22792 seconds: 0.08 rows_per_s: 284900.4 train { logloss: 0.41 } "
      "test { logloss: 0.36 auc: 0.88 accuracy: 0.8 rows: 5 }"));
  reporter->Ended(Success("test { logloss: 0.31 accuracy: 0.85 rows: 5 } "));
  EXPECT_EQ(
      out.str(),
      "{\"event\":\"start\",\"job\":\"census-fm\",\"servers\":2,\"workers\":3,\"rows\":22792}\n"
      "{\"event\":\"epoch\",\"epoch\":1,\"rows\":22792,\"seconds\":0.08,\"rows_per_s\":284900,"
      "\"train_logloss\":0.41,\"test_logloss\":0.36,\"test_auc\":0.88,\"test_accuracy\":0.8}\n"
      "{\"event\":\"done\",\"status\":\"succeeded\",\"epochs\":10,\"seconds\":0.9,"
      "\"test_logloss\":0.31,\"test_auc\":null,\"test_accuracy\":0.85,\"model\":\"/m/census\","
      "\"rows_read\":227920,\"rows_skipped\":0,\"servers\":[{\"name\":\"server 0\",\"requests\":7,"
      "\"bytes\":7,\"received_bytes\":3,\"sent_bytes\":4,\"rows\":9,\"resident_bytes\":0,"
      "\"max_staleness\":0,\"parked_peak\":0,\"parked_s\":0.0}]}\n");
}

TEST(JsonReporterTest, FailureIsTheLastEvent) {
  std::ostringstream out;
  const auto reporter = NewJsonReporter(Job(), PredictionKind::kBinary, &out);
  reporter->Ended({absl::AbortedError("worker 1 was killed by signal 9"), 0, {}});
  EXPECT_EQ(out.str(),
            "{\"event\":\"done\",\"status\":\"failed\","
            "\"error\":\"worker 1 was killed by signal 9\"}\n");
}

TEST(JsonReporterTest, BytesThatAreNoTextStayJson) {
  std::ostringstream out;
  const auto reporter = NewJsonReporter(Job(), PredictionKind::kBinary, &out);
  reporter->Ended({absl::InvalidArgumentError("file \xff: \"x\"\n"), 0, {}});
  const Json event = Json::parse(out.str());
  EXPECT_EQ(event["status"], "failed");
}

TEST(JsonReporterTest, RegressionHasItsOwnMetrics) {
  std::ostringstream out;
  const auto reporter = NewJsonReporter(Job(), PredictionKind::kRegression, &out);
  reporter->EpochDone(
      Message<v1::EpochDone>("epoch: 1 train { rmse: 2.5 } test { rmse: 2.25 rows: 5 }"));
  const Json event = Json::parse(out.str());
  EXPECT_EQ(event["train_rmse"], 2.5);
  EXPECT_EQ(event["test_rmse"], 2.25);
  EXPECT_TRUE(event["test_r2"].is_null());
  EXPECT_FALSE(event.contains("test_auc"));
}

TEST(JsonReporterTest, EveryKindOfModelHasItsOwnNames) {
  const auto epoch = [](PredictionKind kind, const std::string& train, const std::string& test) {
    std::ostringstream out;
    NewJsonReporter(Job(), kind, &out)
        ->EpochDone(
            Message<v1::EpochDone>("train { " + train + " } test { rows: 5 " + test + " }"));
    Json event = Json::parse(out.str());
    for (const char* key : {"event", "epoch", "rows", "seconds", "rows_per_s"}) event.erase(key);
    return event.dump();
  };
  EXPECT_EQ(epoch(PredictionKind::kClasses, "logloss: 2", "logloss: 0.5 accuracy: 0.75"),
            "{\"train_logloss\":2.0,\"test_logloss\":0.5,\"test_accuracy\":0.75}");
  EXPECT_EQ(epoch(PredictionKind::kMargin, "loss: 2", "loss: 0.5 auc: 0.9 accuracy: 0.75"),
            "{\"train_loss\":2.0,\"test_loss\":0.5,\"test_auc\":0.9,\"test_accuracy\":0.75}");
  EXPECT_EQ(epoch(PredictionKind::kValue, "loss: 2", "loss: 0.5 rmse: 3 r2: 0.25"),
            "{\"train_loss\":2.0,\"test_loss\":0.5,\"test_rmse\":3.0,\"test_r2\":0.25}");
}

TEST(TextReporterTest, EveryKindOfModelHasItsOwnWords) {
  const auto line = [](PredictionKind kind, const std::string& test) {
    std::ostringstream out;
    NewTextReporter(Job(), kind, Terminal{&out, &out, /*live=*/false})
        ->EpochDone(Message<v1::EpochDone>("test { rows: 5 " + test + " }"));
    return out.str();
  };
  EXPECT_THAT(line(PredictionKind::kClasses, "logloss: 0.5 accuracy: 0.75"),
              testing::EndsWith("  test logloss 0.5000  test accuracy 0.7500\n"));
  EXPECT_THAT(line(PredictionKind::kMargin, "loss: 0.5 accuracy: 0.75"),
              testing::EndsWith("  test loss 0.5000  test AUC undefined  test accuracy 0.7500\n"));
  EXPECT_THAT(line(PredictionKind::kValue, "loss: 0.5 rmse: 3 r2: 0.25"),
              testing::EndsWith("  test loss 0.5000  test rmse 3.0000  test R2 0.2500\n"));
}

constexpr char kValidatedEpoch[] =
    "epoch: 4 train { logloss: 0.41 } validation { logloss: 0.4 auc: 0.8 accuracy: 0.7 rows: 3 } "
    "test { logloss: 0.36 auc: 0.88 rows: 5 }";
constexpr char kBestEpoch[] =
    "best_epoch: 4 validation { logloss: 0.4 auc: 0.8 accuracy: 0.7 rows: 3 } "
    "test { logloss: 0.31 auc: 0.91 rows: 5 } ";

TEST(JsonReporterTest, ValidationHasTheMetricsOfTheTest) {
  std::ostringstream out;
  const auto reporter = NewJsonReporter(Job(), PredictionKind::kBinary, &out);
  reporter->EpochDone(Message<v1::EpochDone>(kValidatedEpoch));
  const Json epoch = Json::parse(out.str());
  EXPECT_EQ(epoch["validation_logloss"], 0.4);
  EXPECT_EQ(epoch["validation_auc"], 0.8);
  EXPECT_EQ(epoch["validation_accuracy"], 0.7);
  EXPECT_EQ(epoch["test_logloss"], 0.36);
  out.str("");
  reporter->Ended(Success(kBestEpoch));
  const Json done = Json::parse(out.str());
  EXPECT_EQ(done["best_epoch"], 4);
  EXPECT_EQ(done["validation_logloss"], 0.4);
}

TEST(TextReporterTest, ValidationHasAColumnAndTheBestEpochALine) {
  std::ostringstream out;
  const auto reporter =
      NewTextReporter(Job(), PredictionKind::kBinary, Terminal{&out, &out, /*live=*/false});
  reporter->EpochDone(Message<v1::EpochDone>(kValidatedEpoch));
  reporter->Ended(Success(kBestEpoch));
  EXPECT_THAT(out.str(), HasSubstr("train logloss 0.4100  validation logloss 0.4000  validation "
                                   "AUC 0.8000  test logloss 0.3600"));
  EXPECT_THAT(out.str(), HasSubstr("the best epoch was 4 of 10\n"));
  EXPECT_THAT(out.str(), HasSubstr("validation logloss 0.4000  validation AUC 0.8000\ntest"));
}

TEST(TextReporterTest, PrintsPlainLinesWhereThereIsNoTerminal) {
  std::ostringstream out;
  const auto reporter =
      NewTextReporter(Job(), PredictionKind::kBinary, Terminal{&out, &out, /*live=*/false});
  reporter->Started(Started());
  reporter->Progress(Message<v1::JobProgress>("epoch: 1 rows: 3 phase: 'training'"));
  reporter->EpochDone(
      Message<v1::EpochDone>("epoch: 1 seconds: 0.08 rows_per_s: 284900 train { logloss: 0.41 } "
                             "test { logloss: 0.36 auc: 0.88 rows: 5 }"));
  reporter->Ended(Success("test { logloss: 0.31 auc: 0.91 rows: 5 } "));
  EXPECT_THAT(out.str(), HasSubstr("census-fm: fm on 22,792 rows, 2 servers, 3 workers, bsp"));
  EXPECT_THAT(out.str(), HasSubstr("epoch  1/10  0.08 s  284,900 rows/s  train logloss 0.4100  "
                                   "test logloss 0.3600  test AUC 0.8800\n"));
  EXPECT_THAT(out.str(), HasSubstr("test logloss 0.3100  test AUC 0.9100\n"));
  EXPECT_THAT(out.str(), HasSubstr("model  /m/census\n"));
  EXPECT_THAT(out.str(), HasSubstr("server 0"));
  EXPECT_THAT(out.str(), Not(HasSubstr("\r")));
}

TEST(TextReporterTest, WritesProgressOverOneLineOfATerminal) {
  std::ostringstream out;
  const auto reporter =
      NewTextReporter(Job(), PredictionKind::kBinary, Terminal{&out, &out, /*live=*/true});
  reporter->Started(Started());
  reporter->Progress(Message<v1::JobProgress>(
      "epoch: 2 rows: 11396 phase: 'training' rows_per_s: 100000 train_loss: 0.5"));
  reporter->Ended({absl::AbortedError("x"), 0, {}});
  EXPECT_THAT(out.str(), HasSubstr("epoch 2/10   50%  100,000 rows/s  loss 0.5000  1.94 s left"));
  EXPECT_THAT(out.str(), testing::EndsWith("\r\x1b[K"));
}

}  // namespace
}  // namespace seraph
