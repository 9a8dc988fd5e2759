// SPDX-License-Identifier: Apache-2.0
#include "tests/contract/model_contract.h"

#include <algorithm>
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

struct Rows {
  ModelInput input() const { return {batch, &pairs}; }

  Batch batch;
  FieldPairs pairs;
};

// Rows with shared, negative, large and no features, in fields of one or several of them, some in
// two fields.
Rows RandomRows(const std::vector<float>& labels, size_t rows, uint64_t seed) {
  SplitMix64 random(seed);
  BatchBuilder builder;
  for (size_t r = 0; r < rows; ++r) {
    Row row;
    row.label = labels[random.NextBelow(labels.size())];
    row.weight = static_cast<float>(random.NextBelow(4)) / 2;  // 0, 0.5, 1, 1.5.
    for (uint64_t key = 0; key < 20; ++key) {
      if (r == 2 || random.NextBelow(3) != 0) continue;  // Row 2 has no features.
      for (uint64_t copies = random.NextBelow(8) == 0 ? 2 : 1; copies > 0; --copies) {
        row.keys.push_back(key << 40);
        row.values.push_back(static_cast<float>(random.NextUnit() * 4 - 2));
        row.fields.push_back(static_cast<uint32_t>(key % 7 * 1000 - copies + 2));
      }
    }
    builder.Add(row);
  }
  Rows made{builder.batch(), {}};
  EXPECT_OK(made.pairs.Build(made.batch));
  return made;
}

// Values of all tables, and views of them.
struct Values {
  Values(const Model& model, const Rows& of, uint64_t seed) {
    SplitMix64 random(seed);
    for (const ModelTable& table : model.tables()) {
      size_t rows = table.rows;
      if (table.keys == TableKeys::kFeatures) rows = of.batch.keys.size();
      if (table.keys == TableKeys::kFeatureFields) rows = of.pairs.keys().size();
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

// Margins of rows, as a model and as an oracle takes them: each holds numbers of the list in turn.
std::vector<std::vector<float>> MarginsFrom(const std::vector<float>& numbers, uint32_t outputs) {
  std::vector<std::vector<float>> margins;
  for (size_t i = 0; i < numbers.size(); ++i) {
    std::vector<float>& margin = margins.emplace_back();
    for (uint32_t c = 0; c < outputs; ++c) margin.push_back(numbers[(i + c) % numbers.size()]);
  }
  return margins;
}

OracleRow ToDouble(absl::Span<const float> row) { return OracleRow(row.begin(), row.end()); }

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
    EXPECT_EQ(table.keys != TableKeys::kAll, table.kind == TableKind::kSparse) << table.name;
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
  const Rows rows = RandomRows(GetParam().labels, 50, 1);
  const Values values(*model, rows, 2);
  ASSERT_EQ(model->outputs(), GetParam().outputs);
  std::vector<float> margins(rows.batch.rows() * model->outputs(), 99.0f);
  model->Margins(rows.input(), values.Views(), backend.get(), absl::MakeSpan(margins));
  for (size_t r = 0; r < rows.batch.rows(); ++r) {
    const OracleRow expected = GetParam().margin(rows.input(), values.Doubles(), r);
    const absl::Span<const float> margin = MarginOf(*model, margins, r);
    for (size_t c = 0; c < margin.size(); ++c) {
      EXPECT_NEAR(margin[c], expected[c], kMarginTolerance * std::max(1.0, std::abs(expected[c])))
          << r << " " << c;
    }
  }
}

TEST_P(ModelContractTest, LossAndPredictionAgreeWithTheFormulas) {
  const auto model = Create();
  for (const auto& margin :
       MarginsFrom({-30.0f, -3.0f, -0.1f, 0.0f, 0.5f, 7.0f, 30.0f}, model->outputs())) {
    for (const float label : GetParam().labels) {
      const double expected = GetParam().loss(ToDouble(margin), label);
      EXPECT_NEAR(model->Loss(margin, label), expected, 1e-9 * std::max(1.0, expected));
    }
    const OracleRow expected = GetParam().prediction(ToDouble(margin));
    std::vector<double> prediction(margin.size());
    model->Predict(margin, absl::MakeSpan(prediction));
    for (size_t c = 0; c < margin.size(); ++c) {
      EXPECT_NEAR(prediction[c], expected[c], 1e-9 * std::max(1.0, std::abs(expected[c])));
    }
  }
}

TEST_P(ModelContractTest, LossAndPredictionStayFinite) {
  const auto model = Create();
  const float most = std::min(1e30f, model->largest_margin());
  for (const auto& margin :
       MarginsFrom({-1e30f, -1e4f, std::min(1e4f, most), most}, model->outputs())) {
    for (const float label : GetParam().labels) {
      EXPECT_TRUE(std::isfinite(model->Loss(margin, label)));
    }
    std::vector<double> prediction(margin.size());
    model->Predict(margin, absl::MakeSpan(prediction));
    for (const double number : prediction) EXPECT_TRUE(std::isfinite(number));
  }
}

// Central differences of the sum of losses, all in double, over every parameter.
TEST_P(ModelContractTest, GradientsAgreeWithFiniteDifferences) {
  const auto model = Create();
  const auto backend = NewCpuBackend();
  Rows rows = RandomRows(GetParam().labels, 30, 3);
  Batch& batch = rows.batch;
  const Values values(*model, rows, 4);
  OracleValues at = values.Doubles();
  for (size_t r = 0; r < batch.rows() && GetParam().near_kink != nullptr; ++r) {
    const double margin = GetParam().margin(rows.input(), at, r)[0];
    if (GetParam().near_kink(margin, batch.labels[r])) batch.weights[r] = 0;
  }
  std::vector<float> margins(batch.rows() * model->outputs());
  model->Margins(rows.input(), values.Views(), backend.get(), absl::MakeSpan(margins));
  Gradients gradients(values);
  model->Gradients(rows.input(), values.Views(), margins, backend.get(), gradients.Views());

  const auto total = [&] {
    double sum = 0;
    for (size_t r = 0; r < batch.rows(); ++r) {
      sum += batch.weights[r] *
             GetParam().loss(GetParam().margin(rows.input(), at, r), batch.labels[r]);
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
  const Rows rows = RandomRows(GetParam().labels, 100, 5);
  const auto run = [&](bool used_before) {
    const auto model = Create();
    const auto backend = NewCpuBackend();
    const Values values(*model, rows, 6);
    std::vector<float> margins(rows.batch.rows() * model->outputs());
    Gradients gradients(values);
    for (int i = 0; i < (used_before ? 2 : 1); ++i) {
      model->Margins(rows.input(), values.Views(), backend.get(), absl::MakeSpan(margins));
      model->Gradients(rows.input(), values.Views(), margins, backend.get(), gradients.Views());
    }
    gradients.floats.push_back(margins);
    return gradients.floats;
  };
  EXPECT_EQ(run(false), run(true));
}

TEST_P(ModelContractTest, ABatchWithoutRowsHasZeroGradients) {
  const auto model = Create();
  const auto backend = NewCpuBackend();
  const Rows rows;
  const Values values(*model, rows, 7);
  Gradients gradients(values);
  model->Margins(rows.input(), values.Views(), backend.get(), {});
  model->Gradients(rows.input(), values.Views(), {}, backend.get(), gradients.Views());
  for (const auto& table : gradients.floats) {
    for (const float gradient : table) EXPECT_EQ(gradient, 0);
  }
}

TEST_P(ModelContractTest, SumsOfScoredRows) {
  const auto model = Create();
  EvaluationSums sums, expected;
  for (const auto& margin : MarginsFrom({2.0f, -1.0f, -3.0f, 0.0f, 0.5f}, model->outputs())) {
    const OracleRow row = ToDouble(margin);
    for (const float label : GetParam().labels) {
      AddRow(*model, margin, label, &sums);
      ++expected.rows;
      expected.loss += GetParam().loss(row, label);
      expected.label += label;
      expected.label_squared += label * label;
      const bool positive = row[0] > 0;  // A margin of zero counts as negative.
      const auto likeliest = std::max_element(row.begin(), row.end()) - row.begin();
      const bool classes = model->prediction_kind() == PredictionKind::kClasses;
      if (classes ? likeliest == label : positive == (label == 1)) ++expected.correct;
      const double error = GetParam().prediction(row)[0] - label;
      expected.error_squared += error * error;
    }
  }
  EXPECT_EQ(sums.rows, expected.rows);
  EXPECT_NEAR(sums.loss, expected.loss, 1e-9);
  EXPECT_NEAR(sums.label, expected.label, 1e-9);
  EXPECT_NEAR(sums.label_squared, expected.label_squared, 1e-9);
  if (TraitsOf(model->prediction_kind()).labels == LabelKind::kNumber) {
    EXPECT_NEAR(sums.error_squared, expected.error_squared, 1e-9);
  } else {
    EXPECT_EQ(sums.correct, expected.correct);
  }
}

TEST_P(ModelContractTest, ItsDefaultsAreThere) {
  const auto defaults = DefaultsOf(GetParam().options.type);
  ASSERT_OK(defaults);
  EXPECT_FALSE(defaults->optimizer.empty());
  EXPECT_GT(defaults->learning_rate, 0);
}

}  // namespace seraph
