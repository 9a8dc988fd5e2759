// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <optional>
#include <string>

#include "client/cli/job_reporter.h"
#include "client/cli/json_line.h"
#include "client/cli/metric_of.h"

namespace seraph {
namespace {

// Metrics that a kind of model has but these rows leave undefined are null; base_logloss says
// nothing here.
void AddMetrics(const std::string& prefix, PredictionKind kind, const v1::Metrics& m,
                Json* object) {
  for (const Metric metric : TraitsOf(kind).metrics) {
    if (metric == Metric::kBaseLogloss) continue;
    (*object)[prefix + MetricName(metric)] = OrNull(MetricOf(m, metric));
  }
}

Json ServersOf(const v1::JobDone& done) {
  Json servers = Json::array();
  for (const v1::ServerUse& use : done.servers()) {
    const v1::StatsReply& stats = use.stats();
    Json server;
    server["name"] = use.name();
    server["requests"] = stats.requests();
    server["bytes"] = stats.received_bytes() + stats.sent_bytes();
    server["received_bytes"] = stats.received_bytes();
    server["sent_bytes"] = stats.sent_bytes();
    server["rows"] = stats.rows();
    server["resident_bytes"] = stats.resident_bytes();
    server["max_staleness"] = stats.max_staleness();
    server["parked_peak"] = stats.parked_peak();
    server["parked_s"] = stats.parked_s();
    servers.push_back(std::move(server));
  }
  return servers;
}

class JsonReporter : public JobReporter {
 public:
  JsonReporter(const v1::JobSpec& job, PredictionKind kind, std::ostream* out)
      : name_(job.name()), has_test_(job.data().test_size() > 0), kind_(kind), out_(out) {}

  void Started(const v1::JobStarted& started) override {
    Json event;
    event["event"] = "start";
    event["job"] = name_;
    event["servers"] = started.servers();
    event["workers"] = started.workers();
    event["rows"] = started.rows();
    PrintLine(out_, event);
  }

  void Progress(const v1::JobProgress& progress) override {}

  void EpochDone(const v1::EpochDone& epoch) override {
    Json event;
    event["event"] = "epoch";
    event["epoch"] = epoch.epoch();
    event["rows"] = epoch.rows();
    event["seconds"] = epoch.seconds();
    event["rows_per_s"] = std::llround(epoch.rows_per_s());
    const Metric loss = TraitsOf(kind_).loss;
    if (const std::optional<double> value = MetricOf(epoch.train(), loss); value.has_value()) {
      event[std::string("train_") + MetricName(loss)] = *value;
    }
    if (epoch.has_validation()) AddMetrics("validation_", kind_, epoch.validation(), &event);
    if (epoch.has_test()) AddMetrics("test_", kind_, epoch.test(), &event);
    PrintLine(out_, event);
  }

  void Ended(const JobEnd& end) override {
    Json event;
    event["event"] = "done";
    if (!end.status.ok()) {
      event["status"] = end.signal_number != 0 ? "cancelled" : "failed";
      event["error"] = std::string(end.status.message());
      PrintLine(out_, event);
      return;
    }
    event["status"] = "succeeded";
    event["epochs"] = end.done.epochs();
    event["seconds"] = end.done.seconds();
    if (end.done.best_epoch() > 0) event["best_epoch"] = end.done.best_epoch();
    if (end.done.has_validation()) {
      AddMetrics("validation_", kind_, end.done.validation(), &event);
    }
    if (has_test_) AddMetrics("test_", kind_, end.done.test(), &event);
    event["model"] = ShownPath(end.done.model());
    event["rows_read"] = end.done.rows_read();
    event["rows_skipped"] = end.done.rows_skipped();
    event["servers"] = ServersOf(end.done);
    PrintLine(out_, event);
  }

 private:
  const std::string name_;
  const bool has_test_;
  const PredictionKind kind_;
  std::ostream* const out_;
};

}  // namespace

std::unique_ptr<JobReporter> NewJsonReporter(const v1::JobSpec& job, PredictionKind kind,
                                             std::ostream* out) {
  return std::make_unique<JsonReporter>(job, kind, out);
}

}  // namespace seraph
