// SPDX-License-Identifier: Apache-2.0
// Whatever the mode, the number of workers and servers, one process or several: census models come
// out alike. The runs cover every pair of settings.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/e2e/command.h"

namespace seraph {
namespace {

// mode, workers, servers, layout, model
using Setting = std::array<std::string, 5>;

const std::array<std::vector<std::string>, 5> kValues = {
    {{"bsp", "ssp", "asp"}, {"1", "2", "4"}, {"1", "3"}, {"one", "processes"}, {"lr", "fm"}}};

const std::vector<Setting> kCover = {
    {"asp", "1", "3", "processes", "lr"}, {"asp", "2", "1", "processes", "fm"},
    {"asp", "4", "3", "one", "lr"},       {"bsp", "1", "1", "processes", "fm"},
    {"bsp", "2", "3", "one", "lr"},       {"bsp", "4", "1", "one", "fm"},
    {"ssp", "1", "1", "one", "fm"},       {"ssp", "2", "1", "one", "lr"},
    {"ssp", "4", "3", "processes", "fm"}};

nlohmann::json TrainedEvent(const Setting& s) {
  std::vector<std::string> args = {"train",
                                   absl::StrCat("examples/census_", s[4], ".yaml"),
                                   "--json",
                                   "--set=sync.mode=" + s[0],
                                   "--set=cluster.workers=" + s[1],
                                   "--set=cluster.servers=" + s[2],
                                   "--set=output.model=" + FreshPath("model")};
  if (s[0] == "ssp") args.push_back("--set=sync.staleness=4");
  if (s[3] == "processes") args.push_back("--processes");
  const CommandResult result = RunSeraph(args);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return result.LastEvent();
}

TEST(PairwiseTest, TheRunsCoverEveryPairOfSettings) {
  for (size_t i = 0; i < kValues.size(); ++i) {
    for (size_t j = i + 1; j < kValues.size(); ++j) {
      std::set<std::pair<std::string, std::string>> pairs;
      for (const Setting& s : kCover) pairs.emplace(s[i], s[j]);
      EXPECT_EQ(pairs.size(), kValues[i].size() * kValues[j].size())
          << "settings " << i << " and " << j;
    }
  }
}

TEST(PairwiseTest, EveryRunIsCloseToTheRunOfOneWorker) {
  for (const std::string model : {"lr", "fm"}) {
    const nlohmann::json one = TrainedEvent({"bsp", "1", "1", "one", model});
    for (const Setting& s : kCover) {
      if (s[4] != model) continue;
      const nlohmann::json run = TrainedEvent(s);
      const std::string what =
          absl::StrCat(s[0], ", ", s[1], " workers, ", s[2], " servers, ", s[3], ", ", s[4]);
      EXPECT_NEAR(run["test_auc"].get<double>(), one["test_auc"].get<double>(), .003) << what;
      EXPECT_NEAR(run["test_logloss"].get<double>(), one["test_logloss"].get<double>(), .004)
          << what;
    }
  }
}

}  // namespace
}  // namespace seraph
