// SPDX-License-Identifier: Apache-2.0
// train.full_batch: a step is the gradient of all training rows.
#include <cmath>
#include <cstring>
#include <map>
#include <string>

#include "gtest/gtest.h"
#include "tests/cluster/test_cluster.h"
#include "tests/status_matchers.h"
#include "worker/data/data_set.h"

namespace seraph {
namespace {

TEST(FullBatchTest, NeitherServersNorBatchSizeShowInTheBits) {
  const auto bits = [](const std::string& servers, const std::string& batch_size) {
    const v1::JobSpec job =
        ExampleJob("census_lr", {"train.full_batch=true", "train.epochs=3", servers, batch_size});
    EXPECT_EQ(Trained(job).rows_read(), 3u * 22792u);
    return ReadModelBits(job.output().model());
  };
  const ModelBits expected = bits("cluster.servers=1", "train.batch_size=256");
  EXPECT_GT(expected.size(), 100u);
  EXPECT_EQ(bits("cluster.servers=2", "train.batch_size=1"), expected);
  EXPECT_EQ(bits("cluster.servers=5", "train.batch_size=100000"), expected);
}

// Over the rows of `path`: the sum of losses of logistic regression without bias, and half the
// squared weights.
double Objective(const ModelBits& bits, const std::string& path) {
  std::map<uint64_t, double> weights;
  for (const auto& [row, values] : bits) {
    float weight;
    std::memcpy(&weight, &values[0], sizeof(weight));
    weights[row.second] = weight;
  }
  double objective = 0;
  for (const auto& [key, weight] : weights) objective += weight * weight / 2;
  const auto data =
      DataSet::Open({{.path = path, .format = {.format = "libsvm", .index_base = 1}}},
                    {.labels = LabelMap::Binary(), .bad_rows = {}, .spill_folder = {}});
  EXPECT_OK(data);
  const auto index = (*data)->BuildIndex();
  EXPECT_OK(index);
  for (const Block& block : index->blocks) {
    EXPECT_OK((*data)->ReadBlock(block, {}, [&](uint32_t, const Row& row) {
      double margin = 0;
      for (size_t i = 0; i < row.keys.size(); ++i) margin += weights[row.keys[i]] * row.values[i];
      objective += std::log1p(std::exp(row.label > 0.5f ? -margin : margin));
      return absl::OkStatus();
    }));
  }
  return objective;
}

// The least value is that of liblinear (-s 0 -c 1 -B -1).
TEST(FullBatchTest, HeartScaleReachesTheOptimumOfLiblinear) {
  for (const char* workers : {"cluster.workers=1", "cluster.workers=3"}) {
    const v1::JobSpec job = ExampleJob("heart_lr", {workers});
    Trained(job);
    EXPECT_NEAR(Objective(ReadModelBits(job.output().model()), "examples/data/heart_scale.libsvm"),
                98.2268, 1e-3 * 98.2268)
        << workers;
  }
}

}  // namespace
}  // namespace seraph
