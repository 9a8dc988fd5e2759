// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "client/cli/job_reporter.h"
#include "client/cli/metric_of.h"

namespace seraph {
namespace {

std::string MetricsText(const std::string& prefix, PredictionKind kind, const v1::Metrics& m) {
  std::vector<std::string> parts;
  for (const Metric metric : TraitsOf(kind).highlights) {
    const std::string name = absl::StrCat(prefix, " ", MetricTitle(metric));
    const std::optional<double> value = MetricOf(m, metric);
    if (value.has_value()) {
      parts.push_back(absl::StrFormat("%s %.4f", name, *value));
    } else if (metric == Metric::kAuc && m.rows() > 0 && prefix == "test") {
      parts.push_back(name + " undefined");
    }
  }
  return absl::StrJoin(parts, "  ");
}

class TextReporter : public JobReporter {
 public:
  TextReporter(const v1::JobSpec& job, PredictionKind kind, const Terminal& terminal)
      : job_(job), kind_(kind), terminal_(terminal) {}

  void Started(const v1::JobStarted& started) override {
    rows_ = started.rows() -
            static_cast<uint64_t>(job_.validation() * static_cast<double>(started.rows()));
    Line(absl::StrCat(job_.name(), ": ", job_.model().type(), " on ", WithThousands(started.rows()),
                      " rows, ", Count(started.servers(), "server"), ", ",
                      Count(started.workers(), "worker"), ", ", job_.sync().mode(), ", ",
                      job_.optimizer().type()));
  }

  void Progress(const v1::JobProgress& progress) override {
    if (!terminal_.live) return;
    std::string text = absl::StrCat("epoch ", progress.epoch(), "/", job_.train().epochs());
    if (rows_ > 0 && progress.phase() == "training") {
      absl::StrAppendFormat(&text, "  %3d%%",
                            std::min<uint64_t>(100, progress.rows() * 100 / rows_));
      absl::StrAppend(&text, "  ", WithThousands(static_cast<uint64_t>(progress.rows_per_s())),
                      " rows/s");
      if (progress.train_loss() > 0) {
        absl::StrAppendFormat(&text, "  loss %.4f", progress.train_loss());
      }
      absl::StrAppend(&text, TimeLeft(progress));
    } else {
      absl::StrAppend(&text, "  ", progress.phase());
    }
    Live(text);
  }

  void EpochDone(const v1::EpochDone& epoch) override {
    const int width = static_cast<int>(absl::StrCat(job_.train().epochs()).size());
    std::string text = absl::StrFormat("epoch %*d/%d  %s  %s rows/s", width, epoch.epoch(),
                                       job_.train().epochs(), ReadableSeconds(epoch.seconds()),
                                       WithThousands(static_cast<uint64_t>(epoch.rows_per_s())));
    for (const std::string& part : {MetricsText("train", kind_, epoch.train()),
                                    MetricsText("validation", kind_, epoch.validation()),
                                    MetricsText("test", kind_, epoch.test())}) {
      if (!part.empty()) absl::StrAppend(&text, "  ", part);
    }
    Line(text);
  }

  void Ended(const JobEnd& end) override {
    Live("");
    if (!end.status.ok()) return;
    const v1::JobDone& done = end.done;
    Line(absl::StrCat("done in ", ReadableSeconds(done.seconds()), ": ",
                      WithThousands(done.rows_read()), " rows read, ",
                      WithThousands(done.rows_skipped()), " skipped"));
    if (done.best_epoch() > 0) {
      Line(absl::StrCat("the best epoch was ", done.best_epoch(), " of ", done.epochs()));
    }
    for (const std::string& part : {MetricsText("validation", kind_, done.validation()),
                                    MetricsText("test", kind_, done.test())}) {
      if (!part.empty()) Line(part);
    }
    PrintServers(done);
    if (!done.model().empty()) Line(absl::StrCat("model  ", ShownPath(done.model())));
  }

 private:
  static std::string Count(uint64_t n, const std::string& noun) {
    return absl::StrCat(n, " ", noun, n == 1 ? "" : "s");
  }

  std::string TimeLeft(const v1::JobProgress& progress) const {
    if (progress.rows_per_s() <= 0) return "";
    const double all = static_cast<double>(rows_) * job_.train().epochs();
    const double done =
        static_cast<double>(rows_) * (progress.epoch() - 1) + static_cast<double>(progress.rows());
    return absl::StrCat("  ", ReadableSeconds(std::max(0.0, all - done) / progress.rows_per_s()),
                        " left");
  }

  void PrintServers(const v1::JobDone& done) {
    if (done.servers().empty()) return;
    Line(absl::StrFormat("%-12s %10s %12s %12s %12s", "server", "requests", "received", "sent",
                         "rows"));
    for (const v1::ServerUse& use : done.servers()) {
      Line(absl::StrFormat(
          "%-12s %10s %12s %12s %12s", use.name(), WithThousands(use.stats().requests()),
          ReadableBytes(use.stats().received_bytes()), ReadableBytes(use.stats().sent_bytes()),
          WithThousands(use.stats().rows())));
    }
  }

  // Writes over the live line, if there is one.
  void Live(const std::string& text) {
    if (live_shown_) *terminal_.out << "\r\x1b[K";
    *terminal_.out << text << std::flush;
    live_shown_ = !text.empty();
  }

  void Line(const std::string& text) {
    Live("");
    *terminal_.out << text << std::endl;
  }

  const v1::JobSpec job_;
  const PredictionKind kind_;
  const Terminal terminal_;
  uint64_t rows_ = 0;  // Learned in an epoch, nearly.
  bool live_shown_ = false;
};

}  // namespace

std::unique_ptr<JobReporter> NewTextReporter(const v1::JobSpec& job, PredictionKind kind,
                                             const Terminal& terminal) {
  return std::make_unique<TextReporter>(job, kind, terminal);
}

}  // namespace seraph
