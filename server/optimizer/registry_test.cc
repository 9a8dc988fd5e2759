// SPDX-License-Identifier: Apache-2.0
#include "server/optimizer/optimizer.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(OptimizerRegistryTest, NamesAreSorted) {
  EXPECT_THAT(OptimizerNames(), ElementsAre("adagrad", "ftrl", "sgd"));
}

TEST(OptimizerRegistryTest, EveryNameMakesAnOptimizerWithDefaultParameters) {
  for (const std::string& name : OptimizerNames()) {
    OptimizerSpec spec;
    spec.type = name;
    EXPECT_OK(NewOptimizer(spec)) << name;
  }
}

TEST(OptimizerRegistryTest, ParametersMustBeFiniteAsFloats) {
  for (const std::string& name : OptimizerNames()) {
    for (const double wrong : {1e300, -1e300, 3.5e38, 1e-60, 0.0}) {
      OptimizerSpec spec;
      spec.type = name;
      spec.learning_rate = wrong;
      EXPECT_THAT(NewOptimizer(spec).status(),
                  StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("learning_rate")));
    }
  }
}

TEST(OptimizerRegistryTest, UnknownNameIsAnsweredWithTheNearest) {
  OptimizerSpec spec;
  spec.type = "adagrd";
  EXPECT_THAT(NewOptimizer(spec).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("did you mean \"adagrad\"")));
}

TEST(OptimizerRegistryTest, NameLikeNoOtherIsAnsweredWithAllOfThem) {
  OptimizerSpec spec;
  spec.type = "levenberg-marquardt";
  EXPECT_THAT(NewOptimizer(spec).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("adagrad, ftrl, sgd")));
}

}  // namespace
}  // namespace seraph
