// SPDX-License-Identifier: Apache-2.0
// An example job whose data is not part of the project reaches the result that the data's README
// states, or comes near enough. Skipped where SERAPH_SHARED_DATA does not say where the files lie.
#include <cstdlib>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/cluster/test_cluster.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

// Numbers are taken as categories: each is a feature, a missing one is none.
TEST(RealDataTest, CriteoLogisticRegressionFromHashedColumns) {
  const char* const shared = std::getenv("SERAPH_SHARED_DATA");
  if (shared == nullptr || *shared == '\0') GTEST_SKIP() << "SERAPH_SHARED_DATA is not set";
  const std::string folder = absl::StrCat(shared, "/wide-resdnn/criteo_");
  TestCluster cluster({.servers = 2, .workers = 2});
  const absl::StatusOr<v1::JobDone> done = cluster.Run(ExampleJob(
      "criteo_lr", {absl::StrCat("data.train=", folder, "train.tsv"),
                    absl::StrCat("data.test=[", folder, "dev.tsv, ", folder, "test.tsv]")}));
  ASSERT_OK(done);
  ASSERT_EQ(done->status(), v1::JobDone::SUCCEEDED) << done->error();
  EXPECT_EQ(done->test().rows(), 800u);
  EXPECT_GE(done->test().auc(), .70);
  EXPECT_LE(done->test().logloss(), .490);
}

}  // namespace
}  // namespace seraph
