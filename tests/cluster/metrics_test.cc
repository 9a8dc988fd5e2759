// SPDX-License-Identifier: Apache-2.0
// Figures of a whole cluster against ones computed here.
#include <cmath>
#include <fstream>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/cli/job/resolve.h"
#include "tests/cluster/test_cluster.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

// All rows are one batch: an epoch scores them before it learns.
TEST(MetricsTest, TrainRmseIsThatOfTheRowsBeforeTheyAreLearned) {
  const std::string path = FreshFolder() + ".libsvm";
  std::vector<double> labels;
  {
    std::ofstream out(path);
    for (int i = 0; i < 400; ++i) {
      labels.push_back(std::sin(i) * 3 + 1);
      out << labels.back() << " " << i % 7 << ":1 " << 7 + i % 11 << ":0.5\n";
    }
  }
  v1::JobSpec job;
  job.mutable_model()->set_type("linear");
  job.mutable_data()->add_train()->set_path(path);
  job.mutable_data()->add_test()->set_path(path);
  job.mutable_data()->set_format("libsvm");
  job.mutable_data()->set_index_base(0);
  job.mutable_train()->set_epochs(3);
  job.mutable_train()->set_batch_size(1000);
  job.mutable_cluster()->set_servers(1);
  job.mutable_cluster()->set_workers(2);
  ASSERT_OK(ResolveJob(2, &job));

  TestCluster cluster({.servers = 1, .workers = 2});
  std::vector<v1::JobEvent> events;
  ASSERT_OK(cluster.Run(job, &events));
  std::vector<v1::EpochDone> epochs;
  for (const v1::JobEvent& event : events) {
    if (event.has_epoch()) epochs.push_back(event.epoch());
  }
  ASSERT_EQ(epochs.size(), 3u);
  double squares = 0;  // The fresh model says 0 of every row.
  for (const double label : labels) squares += label * label;
  const double fresh = std::sqrt(squares / static_cast<double>(labels.size()));
  EXPECT_NEAR(epochs[0].train().rmse(), fresh, 1e-4 * fresh);
  // What an epoch leaves is what the next one scores: the test sums squared errors by itself.
  for (size_t e = 1; e < epochs.size(); ++e) {
    const double before = epochs[e - 1].test().rmse();
    EXPECT_NE(before, fresh);
    EXPECT_NEAR(epochs[e].train().rmse(), before, 1e-6 * before);
  }
}

}  // namespace
}  // namespace seraph
