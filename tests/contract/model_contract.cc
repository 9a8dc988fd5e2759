// SPDX-License-Identifier: Apache-2.0
#include "tests/contract/model_contract.h"

#include <cmath>
#include <limits>

#include "common/random.h"
#include "tests/status_matchers.h"
#include "worker/compute/cpu/cpu_backend.h"
#include "worker/model/registry.h"

namespace seraph {
namespace {

// Margins are rounded to float once a term of the model: a few ulp of numbers up to about ten.
constexpr double kMarginTolerance = 1e-5;
// Gradients are sums of some dozen float products.
constexpr double kGradientTolerance = 1e-4;

// Rows with shared, negative, large and no features; labels 0 and 1.
Batch RandomBatch(size_t rows, uint64_t seed) {
  SplitMix64 random(seed);
  BatchBuilder builder;
  for (size_t r = 0; r < rows; ++r) {
    Row row;
    row.label = static_cast<float>(random.NextBelow(2));
    row.weight = static_cast<float>(random.NextBelow(4)) / 2;  // 0, 0.5, 1, 1.5.
    for (uint64_t key = 0; key < 20; ++key) {
      if (r == 2 || random.NextBelow(3) != 0) continue;  // Row 2 has no features.
      row.keys.push_back(key << 40);
      row.values.push_back(static_cast<float>(random.NextUnit() * 4 - 2));
    }
    builder.Add(row);
  }
  return builder.batch();
}

// Values of all tables, and views of them.
struct Values {
  Values(const Model& model, const Batch& batch, uint64_t seed) {
    SplitMix64 random(seed);
    for (const ModelTable& table : model.tables()) {
      const size_t rows = table.per_feature ? batch.keys.size() : table.rows;
      std::vector<float>& values = floats.emplace_back(rows * table.dim);
      for (float& value : values) value = static_cast<float>(random.NextUnit() - 0.5);
    }
  }
  ModelValues Views() const { return ModelValues(floats.begin(), floats.end()); }
  OracleValues Doubles() const {
    OracleValues doubles;
    for (const auto& table : floats) doubles.emplace_back(table.begin(), table.end());
    return doubles;
  }
  std::vector<std::vector<float>> floats;
};

struct Gradients {
  explicit Gradients(const Values& values) {
    // Filled with what a model must overwrite.
    for (const auto& table : values.floats) floats.emplace_back(table.size(), 777.0f);
  }
  ModelGradients Views() {
    ModelGradients views;
    for (auto& table : floats) views.push_back(absl::MakeSpan(table));
    return views;
  }
  std::vector<std::vector<float>> floats;
};

}  // namespace

std::unique_ptr<Model> ModelContractTest::Create() {
  auto model = NewModel(GetParam().options);
  EXPECT_OK(model);
  return std::move(model).value();
}

TEST_P(ModelContractTest, NamesItsTables) {
  const auto model = Create();
  std::vector<std::string> names;
  for (const ModelTable& table : model->tables()) {
    names.push_back(table.name);
    EXPECT_EQ(table.per_feature, table.kind == TableKind::kSparse) << table.name;
    EXPECT_EQ(table.regularised, table.name != "bias") << table.name;
    TableSpec spec;
    spec.name = table.name;
    spec.kind = table.kind;
    spec.dim = table.dim;
    spec.rows = table.rows;
    spec.initializer = table.initializer;
    EXPECT_OK(ValidateTableSpec(spec));
  }
  EXPECT_EQ(names, GetParam().tables);
}

TEST_P(ModelContractTest, MarginsAgreeWithTheFormula) {
  const auto model = Create();
  const auto backend = NewCpuBackend();
  const Batch batch = RandomBatch(50, 1);
  const Values values(*model, batch, 2);
  std::vector<float> margin(batch.rows(), 99.0f);
  model->Margins(batch, values.Views(), backend.get(), absl::MakeSpan(margin));
  for (size_t r = 0; r < batch.rows(); ++r) {
    const double expected = GetParam().margin(batch, values.Doubles(), r);
    EXPECT_NEAR(margin[r], expected, kMarginTolerance * std::max(1.0, std::abs(expected))) << r;
  }
}

TEST_P(ModelContractTest, LossAgreesWithTheFormulaAndStaysFinite) {
  const auto model = Create();
  for (const float margin : {-30.0f, -3.0f, -0.1f, 0.0f, 0.5f, 7.0f, 30.0f}) {
    for (const float label : {0.0f, 1.0f}) {
      const double expected = GetParam().loss(margin, label);
      EXPECT_NEAR(model->Loss(margin, label), expected, 1e-9 * std::max(1.0, expected));
    }
  }
  for (const float margin : {-1e30f, -1e4f, 1e4f, 1e30f}) {
    for (const float label : {0.0f, 1.0f}) {
      EXPECT_TRUE(std::isfinite(model->Loss(margin, label)));
      EXPECT_TRUE(std::isfinite(model->Prediction(margin)));
    }
  }
}

// Central differences of the sum of losses, all in double, over every parameter.
TEST_P(ModelContractTest, GradientsAgreeWithFiniteDifferences) {
  const auto model = Create();
  const auto backend = NewCpuBackend();
  const Batch batch = RandomBatch(30, 3);
  const Values values(*model, batch, 4);
  std::vector<float> margin(batch.rows());
  model->Margins(batch, values.Views(), backend.get(), absl::MakeSpan(margin));
  Gradients gradients(values);
  model->Gradients(batch, values.Views(), margin, backend.get(), gradients.Views());

  OracleValues at = values.Doubles();
  const auto total = [&] {
    double sum = 0;
    for (size_t r = 0; r < batch.rows(); ++r) {
      sum += batch.weights[r] * GetParam().loss(GetParam().margin(batch, at, r), batch.labels[r]);
    }
    return sum;
  };
  constexpr double kStep = 1e-4;
  for (size_t t = 0; t < at.size(); ++t) {
    for (size_t i = 0; i < at[t].size(); ++i) {
      const double value = at[t][i];
      at[t][i] = value + kStep;
      const double up = total();
      at[t][i] = value - kStep;
      const double down = total();
      at[t][i] = value;
      const double expected = (up - down) / (2 * kStep);
      EXPECT_NEAR(gradients.floats[t][i], expected,
                  kGradientTolerance * std::max(1.0, std::abs(expected)))
          << "table " << t << " place " << i;
    }
  }
}

TEST_P(ModelContractTest, TheSameBatchGivesTheSameBits) {
  const Batch batch = RandomBatch(100, 5);
  const auto run = [&](bool used_before) {
    const auto model = Create();
    const auto backend = NewCpuBackend();
    const Values values(*model, batch, 6);
    std::vector<float> margin(batch.rows());
    Gradients gradients(values);
    for (int i = 0; i < (used_before ? 2 : 1); ++i) {
      model->Margins(batch, values.Views(), backend.get(), absl::MakeSpan(margin));
      model->Gradients(batch, values.Views(), margin, backend.get(), gradients.Views());
    }
    gradients.floats.push_back(margin);
    return gradients.floats;
  };
  EXPECT_EQ(run(false), run(true));
}

TEST_P(ModelContractTest, ABatchWithoutRowsHasZeroGradients) {
  const auto model = Create();
  const auto backend = NewCpuBackend();
  const Batch batch;
  const Values values(*model, batch, 7);
  Gradients gradients(values);
  model->Margins(batch, values.Views(), backend.get(), {});
  model->Gradients(batch, values.Views(), {}, backend.get(), gradients.Views());
  for (const auto& table : gradients.floats) {
    for (const float gradient : table) EXPECT_EQ(gradient, 0);
  }
}

TEST_P(ModelContractTest, SumsOfScoredRows) {
  const auto model = Create();
  EvaluationSums sums;
  const std::vector<std::pair<float, float>> rows = {
      {2.0f, 1.0f}, {-1.0f, 1.0f}, {-3.0f, 0.0f}, {0.0f, 0.0f}, {0.5f, 0.0f}};
  double loss = 0, error_squared = 0;
  for (const auto& [margin, label] : rows) {
    AddRow(*model, margin, label, &sums);
    loss += GetParam().loss(margin, label);
    error_squared += (margin - label) * (margin - label);
  }
  EXPECT_EQ(sums.rows, 5u);
  EXPECT_NEAR(sums.loss, loss, 1e-9);
  EXPECT_EQ(sums.label, 2);
  EXPECT_EQ(sums.label_squared, 2);
  if (model->prediction_kind() == PredictionKind::kBinary) {
    EXPECT_EQ(sums.correct, 3u);  // A margin of zero counts as negative.
  } else {
    EXPECT_NEAR(sums.error_squared, error_squared, 1e-9);
  }
}

TEST_P(ModelContractTest, ItsDefaultsAreThere) {
  const auto defaults = DefaultsOf(GetParam().options.type);
  ASSERT_OK(defaults);
  EXPECT_FALSE(defaults->optimizer.empty());
  EXPECT_GT(defaults->learning_rate, 0);
}

}  // namespace seraph
