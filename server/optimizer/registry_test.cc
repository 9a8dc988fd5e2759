// SPDX-License-Identifier: Apache-2.0
#include "server/optimizer/optimizer.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(OptimizerRegistryTest, NamesAreSorted) {
  EXPECT_THAT(OptimizerNames(), ElementsAre("adagrad", "adam", "adamw", "ftrl", "momentum",
                                            "rmsprop", "rowwise_adagrad", "sgd"));
}

TEST(OptimizerRegistryTest, EveryNameMakesAnOptimizerWithDefaultParameters) {
  for (const std::string& name : OptimizerNames()) {
    OptimizerSpec spec;
    spec.type = name;
    EXPECT_OK(NewOptimizer(spec)) << name;
    EXPECT_OK(NewOptimizer(OptimizerDefaults(name))) << name;
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
  EXPECT_THAT(NewOptimizer(spec).status(), StatusIs(absl::StatusCode::kInvalidArgument,
                                                    HasSubstr("adagrad, adam, adamw, ftrl")));
}

TEST(OptimizerRegistryTest, OptimizersSayWhichParametersTheyHave) {
  for (const std::string& name : OptimizerNames()) {
    EXPECT_TRUE(OptimizerHasParameter(name, "learning_rate")) << name;
    EXPECT_TRUE(OptimizerHasParameter(name, "l1")) << name;
    EXPECT_FALSE(OptimizerHasParameter(name, "")) << name;
    EXPECT_EQ(OptimizerHasParameter(name, "momentum"), name == "momentum");
    EXPECT_EQ(OptimizerHasParameter(name, "l2"), name != "adamw");
  }
  EXPECT_TRUE(OptimizerHasParameter("adagrad", "epsilon"));
  EXPECT_FALSE(OptimizerHasParameter("adagrad", "beta"));
  EXPECT_TRUE(OptimizerHasParameter("ftrl", "beta"));
  EXPECT_FALSE(OptimizerHasParameter("sgd", "initial_accumulator"));
  EXPECT_TRUE(OptimizerHasParameter("adamw", "weight_decay"));
  EXPECT_FALSE(OptimizerHasParameter("adadelta", "learning_rate"));
}

}  // namespace
}  // namespace seraph
