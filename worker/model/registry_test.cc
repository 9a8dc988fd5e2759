// SPDX-License-Identifier: Apache-2.0
#include "worker/model/registry.h"

#include <limits>

#include "gtest/gtest.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

TEST(ModelRegistryTest, NamesAreSorted) {
  EXPECT_THAT(ModelNames(),
              ElementsAre("ffm", "fm", "huber", "linear", "lr", "poisson", "softmax", "svm"));
}

TEST(ModelRegistryTest, ModelsSayWhichParametersTheyHave) {
  EXPECT_THAT(ModelsWithParameter("factors"), ElementsAre("ffm", "fm"));
  EXPECT_THAT(ModelsWithParameter("classes"), ElementsAre("softmax"));
  EXPECT_TRUE(ModelHasParameter("fm", "init_scale"));
  EXPECT_TRUE(ModelNeedsFields("ffm"));
  EXPECT_FALSE(ModelNeedsFields("fm"));
  EXPECT_FALSE(ModelHasParameter("lr", "factors"));
  EXPECT_FALSE(ModelHasParameter("no such model", "factors"));
}

TEST(ModelRegistryTest, AnUnknownTypeGetsTheNearestName) {
  EXPECT_THAT(NewModel({.type = "liner"}),
              StatusIs(kInvalid, AllOf(HasSubstr("liner"), HasSubstr("did you mean linear"))));
  EXPECT_THAT(DefaultsOf("transformer"),
              StatusIs(kInvalid, HasSubstr("ffm, fm, huber, linear, lr, poisson, softmax, svm")));
}

TEST(ModelRegistryTest, OptionsOutOfRangeAreNamed) {
  EXPECT_THAT(NewModel({.type = "fm", .factors = 0}),
              StatusIs(kInvalid, HasSubstr("factors is 0")));
  EXPECT_THAT(NewModel({.type = "fm", .factors = 4097}),
              StatusIs(kInvalid, HasSubstr("factors is 4097")));
  EXPECT_THAT(NewModel({.type = "softmax", .classes = 1}),
              StatusIs(kInvalid, HasSubstr("classes is 1, must be 2 to 4096")));
  EXPECT_THAT(
      NewModel({.type = "svm", .loss = "logistic"}),
      StatusIs(kInvalid, HasSubstr("loss is \"logistic\", must be hinge or squared_hinge")));
  EXPECT_FALSE(NewModel({.type = "huber", .delta = 1e-46}).ok());  // Zero as a float.
  EXPECT_THAT(NewModel({.type = "huber", .delta = 0}),
              StatusIs(kInvalid, HasSubstr("delta is 0, must be a finite number above 0")));
  EXPECT_THAT(NewModel({.type = "fm", .init_scale = -1}),
              StatusIs(kInvalid, HasSubstr("init_scale is -1")));
  EXPECT_FALSE(
      NewModel({.type = "fm", .init_scale = std::numeric_limits<double>::quiet_NaN()}).ok());
}

TEST(ModelRegistryTest, FactorsHaveTheirWidthAndSpread) {
  const auto model = NewModel({.type = "fm", .factors = 5, .init_scale = 0.25}).value();
  const ModelTable& factors = model->tables().back();
  EXPECT_EQ(factors.name, "factors");
  EXPECT_EQ(factors.dim, 5u);
  EXPECT_EQ(factors.initializer.type, InitializerSpec::Type::kNormal);
  EXPECT_EQ(factors.initializer.value, 0.25);
}

TEST(ModelRegistryTest, SoftmaxHasAFloatAClass) {
  const auto model = NewModel({.type = "softmax", .classes = 5}).value();
  EXPECT_EQ(model->outputs(), 5u);
  for (const ModelTable& table : model->tables()) EXPECT_EQ(table.dim, 5u) << table.name;
}

}  // namespace
}  // namespace seraph
