// SPDX-License-Identifier: Apache-2.0
// Servers share the work of a job evenly and say how much each did.
#include <algorithm>
#include <cstdlib>
#include <string>

#include "gtest/gtest.h"
#include "tests/cluster/test_cluster.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

TEST(ShareTest, ThreeServersServeWithinThirtyPercentOfEachOther) {
  const char* shared = std::getenv("SERAPH_SHARED_DATA");
  if (shared == nullptr) GTEST_SKIP() << "SERAPH_SHARED_DATA is not set";
  const std::string path = std::string(shared) + "/ftrl-ffm/libsvm_data.txt";
  const v1::JobSpec job =
      ExampleJob("census_lr", {"data={train: [" + path + "], format: libsvm, index_base: 1}",
                               "train.epochs=1", "cluster.servers=3", "cluster.workers=2"});
  TestCluster cluster({.servers = 3, .workers = 2});
  const absl::StatusOr<v1::JobDone> done = cluster.Run(job);
  ASSERT_OK(done);
  ASSERT_EQ(done->status(), v1::JobDone::SUCCEEDED) << done->error();
  ASSERT_EQ(done->servers_size(), 3);
  uint64_t least_bytes = ~uint64_t{0}, most_bytes = 0, least_requests = ~uint64_t{0},
           most_requests = 0;
  for (const v1::ServerUse& use : done->servers()) {
    const uint64_t bytes = use.stats().received_bytes() + use.stats().sent_bytes();
    least_bytes = std::min(least_bytes, bytes);
    most_bytes = std::max(most_bytes, bytes);
    least_requests = std::min(least_requests, use.stats().requests());
    most_requests = std::max(most_requests, use.stats().requests());
  }
  EXPECT_GT(least_bytes, 0u);
  EXPECT_LE(static_cast<double>(most_bytes) / least_bytes, 1.3);
  EXPECT_GT(least_requests, 0u);
  EXPECT_LE(static_cast<double>(most_requests) / least_requests, 1.3);
}

}  // namespace
}  // namespace seraph
