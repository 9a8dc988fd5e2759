// SPDX-License-Identifier: Apache-2.0
#include "tests/contract/backend_contract.h"

#include <cmath>
#include <string>
#include <vector>

#include "common/random.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

// Sums of up to a hundred float products of numbers below two.
constexpr double kTolerance = 2e-5;

struct Problem {
  std::string name;
  Batch batch;
  uint32_t factors;  // Outputs too, of tests of linear terms.
};

std::vector<float> RandomFloats(size_t count, uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<float> floats(count);
  for (float& value : floats) value = static_cast<float>(random.NextUnit() * 2 - 1);
  return floats;
}

Batch RandomBatch(size_t rows, uint64_t keys, uint64_t sparsity, uint64_t seed) {
  SplitMix64 random(seed);
  BatchBuilder builder;
  for (size_t r = 0; r < rows; ++r) {
    Row row;
    for (uint64_t key = 0; key < keys; ++key) {
      if (random.NextBelow(sparsity) != 0) continue;
      row.keys.push_back(key * key);
      row.values.push_back(static_cast<float>(random.NextUnit() * 4 - 2));
    }
    builder.Add(row);
  }
  return builder.batch();
}

std::vector<Problem> Problems() {
  return {
      {"no rows", {}, 4},
      {"one row", RandomBatch(1, 10, 2, 1), 1},
      {"rows without features", RandomBatch(5, 0, 1, 2), 3},
      {"dense rows", RandomBatch(40, 20, 1, 3), 8},
      {"sparse rows", RandomBatch(300, 500, 50, 4), 5},
      {"many factors", RandomBatch(20, 30, 3, 5), 130},
  };
}

void ExpectNear(const std::vector<float>& got, const std::vector<double>& expected,
                const std::string& what) {
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i) {
    ASSERT_NEAR(got[i], expected[i], kTolerance * std::max(1.0, std::abs(expected[i])))
        << what << " at " << i;
  }
}

// Calls visit(row, column, value) for every entry.
template <typename Visit>
void ForEachEntry(const Batch& batch, Visit visit) {
  for (size_t r = 0; r < batch.rows(); ++r) {
    for (uint32_t e = batch.row_begin[r]; e < batch.row_begin[r + 1]; ++e) {
      visit(r, batch.column[e], static_cast<double>(batch.values[e]));
    }
  }
}

// Problems whose entries have fields, some of which hold several of a row's.
std::vector<Problem> ProblemsWithFields() {
  std::vector<Problem> problems = Problems();
  for (Problem& problem : problems) {
    for (const uint32_t column : problem.batch.column) {
      problem.batch.fields.push_back(column % 11 * 1000);
    }
  }
  return problems;
}

// Calls visit(row, i, j, x[i] x[j]) for every pair of different entries of a row.
template <typename Visit>
void ForEachPair(const Batch& batch, Visit visit) {
  for (size_t r = 0; r < batch.rows(); ++r) {
    for (uint32_t i = batch.row_begin[r]; i < batch.row_begin[r + 1]; ++i) {
      for (uint32_t j = i + 1; j < batch.row_begin[r + 1]; ++j) {
        visit(r, i, j, static_cast<double>(batch.values[i]) * batch.values[j]);
      }
    }
  }
}

// sum_e v[e,f] x[e] of each row: [rows, factors].
std::vector<double> FactorSums(const Problem& problem, const std::vector<float>& factor) {
  std::vector<double> sums(problem.batch.rows() * problem.factors);
  ForEachEntry(problem.batch, [&](size_t r, uint32_t column, double x) {
    for (uint32_t f = 0; f < problem.factors; ++f) {
      sums[r * problem.factors + f] += factor[column * problem.factors + f] * x;
    }
  });
  return sums;
}

}  // namespace

TEST_P(BackendContractTest, LinearForwardAddsTheProduct) {
  const auto backend = GetParam()();
  for (const Problem& problem : Problems()) {
    const Batch& batch = problem.batch;
    for (const uint32_t outputs : {1u, problem.factors}) {
      const std::vector<float> weight = RandomFloats(batch.keys.size() * outputs, 1);
      std::vector<float> margin = RandomFloats(batch.rows() * outputs, 2);
      std::vector<double> expected(margin.begin(), margin.end());
      ForEachEntry(batch, [&](size_t r, uint32_t column, double x) {
        for (uint32_t c = 0; c < outputs; ++c) {
          expected[r * outputs + c] += weight[column * outputs + c] * x;
        }
      });
      backend->LinearForward(batch, outputs, weight, absl::MakeSpan(margin));
      ExpectNear(margin, expected, problem.name);
    }
  }
}

TEST_P(BackendContractTest, LinearBackwardAddsTheTransposedProduct) {
  const auto backend = GetParam()();
  for (const Problem& problem : Problems()) {
    const Batch& batch = problem.batch;
    for (const uint32_t outputs : {1u, problem.factors}) {
      const std::vector<float> slope = RandomFloats(batch.rows() * outputs, 3);
      std::vector<float> gradient = RandomFloats(batch.keys.size() * outputs, 4);
      std::vector<double> expected(gradient.begin(), gradient.end());
      ForEachEntry(batch, [&](size_t r, uint32_t column, double x) {
        for (uint32_t c = 0; c < outputs; ++c) {
          expected[column * outputs + c] += slope[r * outputs + c] * x;
        }
      });
      backend->LinearBackward(batch, outputs, slope, absl::MakeSpan(gradient));
      ExpectNear(gradient, expected, problem.name);
    }
  }
}

// Equation 1 of the paper, pair by pair, not the lemma that makes it linear.
TEST_P(BackendContractTest, FactorForwardAddsThePairs) {
  const auto backend = GetParam()();
  for (const Problem& problem : Problems()) {
    const Batch& batch = problem.batch;
    const uint32_t factors = problem.factors;
    const std::vector<float> factor = RandomFloats(batch.keys.size() * factors, 5);
    std::vector<float> margin = RandomFloats(batch.rows(), 6);
    std::vector<double> expected(margin.begin(), margin.end());
    for (size_t r = 0; r < batch.rows(); ++r) {
      for (uint32_t i = batch.row_begin[r]; i < batch.row_begin[r + 1]; ++i) {
        for (uint32_t j = i + 1; j < batch.row_begin[r + 1]; ++j) {
          double dot = 0;
          for (uint32_t f = 0; f < factors; ++f) {
            dot += static_cast<double>(factor[batch.column[i] * factors + f]) *
                   factor[batch.column[j] * factors + f];
          }
          expected[r] += dot * batch.values[i] * batch.values[j];
        }
      }
    }
    backend->FactorForward(batch, factors, factor, absl::MakeSpan(margin));
    ExpectNear(margin, expected, problem.name);
  }
}

TEST_P(BackendContractTest, FactorBackwardAddsTheGradient) {
  const auto backend = GetParam()();
  for (const Problem& problem : Problems()) {
    const Batch& batch = problem.batch;
    const uint32_t factors = problem.factors;
    const std::vector<float> factor = RandomFloats(batch.keys.size() * factors, 7);
    const std::vector<float> slope = RandomFloats(batch.rows(), 8);
    std::vector<float> gradient = RandomFloats(factor.size(), 9);
    std::vector<double> expected(gradient.begin(), gradient.end());
    const std::vector<double> sums = FactorSums(problem, factor);
    ForEachEntry(batch, [&](size_t r, uint32_t column, double x) {
      for (uint32_t f = 0; f < factors; ++f) {
        const size_t place = column * factors + f;
        expected[place] += slope[r] * x * (sums[r * factors + f] - factor[place] * x);
      }
    });
    backend->FactorBackward(batch, factors, factor, slope, absl::MakeSpan(gradient));
    ExpectNear(gradient, expected, problem.name);
  }
}

// Equation 4 of the paper, pair by pair.
TEST_P(BackendContractTest, FieldForwardAddsThePairs) {
  const auto backend = GetParam()();
  for (const Problem& problem : ProblemsWithFields()) {
    const Batch& batch = problem.batch;
    const uint32_t factors = problem.factors;
    FieldPairs pairs;
    ASSERT_OK(pairs.Build(batch));
    const std::vector<float> factor = RandomFloats(pairs.keys().size() * factors, 5);
    std::vector<float> margin = RandomFloats(batch.rows(), 6);
    std::vector<double> expected(margin.begin(), margin.end());
    ForEachPair(batch, [&](size_t r, uint32_t i, uint32_t j, double x) {
      for (uint32_t f = 0; f < factors; ++f) {
        expected[r] +=
            x * factor[pairs.Place(i, j) * factors + f] * factor[pairs.Place(j, i) * factors + f];
      }
    });
    backend->FieldForward(batch, pairs, factors, factor, absl::MakeSpan(margin));
    ExpectNear(margin, expected, problem.name);
  }
}

TEST_P(BackendContractTest, FieldBackwardAddsTheGradient) {
  const auto backend = GetParam()();
  for (const Problem& problem : ProblemsWithFields()) {
    const Batch& batch = problem.batch;
    const uint32_t factors = problem.factors;
    FieldPairs pairs;
    ASSERT_OK(pairs.Build(batch));
    const std::vector<float> factor = RandomFloats(pairs.keys().size() * factors, 7);
    const std::vector<float> slope = RandomFloats(batch.rows(), 8);
    std::vector<float> gradient = RandomFloats(factor.size(), 9);
    std::vector<double> expected(gradient.begin(), gradient.end());
    ForEachPair(batch, [&](size_t r, uint32_t i, uint32_t j, double x) {
      for (uint32_t f = 0; f < factors; ++f) {
        const size_t ij = pairs.Place(i, j) * factors + f;
        const size_t ji = pairs.Place(j, i) * factors + f;
        expected[ij] += slope[r] * x * factor[ji];
        expected[ji] += slope[r] * x * factor[ij];
      }
    });
    backend->FieldBackward(batch, pairs, factors, factor, slope, absl::MakeSpan(gradient));
    ExpectNear(gradient, expected, problem.name);
  }
}

TEST_P(BackendContractTest, TheSameBatchGivesTheSameBits) {
  const Batch batch = RandomBatch(500, 100, 5, 10);
  const std::vector<float> factor = RandomFloats(batch.keys.size() * 8, 11);
  const auto run = [&] {
    const auto backend = GetParam()();
    std::vector<float> margin(batch.rows());
    std::vector<float> gradient(factor.size());
    backend->FactorForward(batch, 8, factor, absl::MakeSpan(margin));
    backend->FactorBackward(batch, 8, factor, margin, absl::MakeSpan(gradient));
    gradient.insert(gradient.end(), margin.begin(), margin.end());
    return gradient;
  };
  EXPECT_EQ(run(), run());
}

}  // namespace seraph
