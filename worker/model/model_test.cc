// SPDX-License-Identifier: Apache-2.0
// The built-in models join the contract suite, each with its formula.
#include <cmath>

#include "gtest/gtest.h"
#include "tests/contract/model_contract.h"

namespace seraph {
namespace {

double LogLoss(const OracleRow& margin, double label) {
  // In long double, so that the plain form is exact enough far from zero.
  const long double p =
      1 / (1 + std::exp(static_cast<long double>(label > 0.5 ? -margin[0] : margin[0])));
  return static_cast<double>(-std::log(p));
}

OracleRow Probability(const OracleRow& margin) { return {1 / (1 + std::exp(-margin[0]))}; }

double HalfSquare(const OracleRow& margin, double label) {
  return 0.5 * (margin[0] - label) * (margin[0] - label);
}

OracleRow Itself(const OracleRow& margin) { return margin; }

OracleRow Shares(const OracleRow& logits) {
  double sum = 0;
  for (const double z : logits) sum += std::exp(z);
  OracleRow shares;
  for (const double z : logits) shares.push_back(std::exp(z) / sum);
  return shares;
}

double ClassesLoss(const OracleRow& logits, double label) {
  long double sum = 0;
  for (const double z : logits) sum += std::exp(static_cast<long double>(z));
  return static_cast<double>(std::log(sum) - logits[static_cast<size_t>(label)]);
}

// bias + w . x of output c. Tables: bias (if there), weights.
double LinearMargin(const Batch& batch, const OracleValues& values, size_t r, bool bias,
                    uint32_t outputs = 1, uint32_t c = 0) {
  double margin = bias ? values[0][c] : 0;
  for (uint32_t e = batch.row_begin[r]; e < batch.row_begin[r + 1]; ++e) {
    margin += values[bias ? 1 : 0][batch.column[e] * outputs + c] * batch.values[e];
  }
  return margin;
}

double PairsMargin(const Batch& batch, const std::vector<double>& factor, uint32_t factors,
                   size_t r) {
  double margin = 0;
  for (uint32_t i = batch.row_begin[r]; i < batch.row_begin[r + 1]; ++i) {
    for (uint32_t j = batch.row_begin[r]; j < i; ++j) {
      for (uint32_t f = 0; f < factors; ++f) {
        margin += factor[batch.column[i] * factors + f] * factor[batch.column[j] * factors + f] *
                  batch.values[i] * batch.values[j];
      }
    }
  }
  return margin;
}

double FieldsMargin(const ModelInput& input, const std::vector<double>& factor, uint32_t factors,
                    size_t r) {
  const Batch& batch = input.batch;
  double margin = 0;
  for (uint32_t i = batch.row_begin[r]; i < batch.row_begin[r + 1]; ++i) {
    for (uint32_t j = batch.row_begin[r]; j < i; ++j) {
      for (uint32_t f = 0; f < factors; ++f) {
        margin += factor[input.pairs->Place(i, j) * factors + f] *
                  factor[input.pairs->Place(j, i) * factors + f] * batch.values[i] *
                  batch.values[j];
      }
    }
  }
  return margin;
}

std::vector<std::string> Tables(bool bias, std::vector<std::string> others) {
  if (bias) others.insert(others.begin(), "bias");
  return others;
}

ModelContract LinearContract(bool bias) {
  return {
      .options = {.type = "linear", .bias = bias},
      .tables = Tables(bias, {"weights"}),
      .margin = [bias](const ModelInput& input, const OracleValues& values,
                       size_t r) { return OracleRow{LinearMargin(input.batch, values, r, bias)}; },
      .loss = HalfSquare,
      .prediction = Itself};
}

ModelContract LogisticContract(bool bias) {
  ModelContract contract = LinearContract(bias);
  contract.options.type = "lr";
  contract.loss = LogLoss;
  contract.prediction = Probability;
  return contract;
}

ModelContract FactorizationMachineContract(uint32_t factors, bool bias) {
  ModelContract contract = LogisticContract(bias);
  contract.options.type = "fm";
  contract.options.factors = factors;
  contract.tables = Tables(bias, {"weights", "factors"});
  contract.margin = [factors, bias](const ModelInput& input, const OracleValues& values, size_t r) {
    return OracleRow{LinearMargin(input.batch, values, r, bias) +
                     PairsMargin(input.batch, values[bias ? 2 : 1], factors, r)};
  };
  return contract;
}

ModelContract FieldAwareContract(uint32_t factors, bool bias) {
  ModelContract contract = FactorizationMachineContract(factors, bias);
  contract.options.type = "ffm";
  contract.margin = [factors, bias](const ModelInput& input, const OracleValues& values, size_t r) {
    return OracleRow{LinearMargin(input.batch, values, r, bias) +
                     FieldsMargin(input, values[bias ? 2 : 1], factors, r)};
  };
  return contract;
}

ModelContract SoftmaxContract(uint32_t classes, bool bias) {
  ModelContract contract = LinearContract(bias);
  contract.options = {.type = "softmax", .bias = bias, .classes = classes};
  contract.outputs = classes;
  contract.labels.clear();
  for (uint32_t c = 0; c < classes; ++c) contract.labels.push_back(static_cast<float>(c));
  contract.margin = [classes, bias](const ModelInput& input, const OracleValues& values, size_t r) {
    OracleRow logits;
    for (uint32_t c = 0; c < classes; ++c) {
      logits.push_back(LinearMargin(input.batch, values, r, bias, classes, c));
    }
    return logits;
  };
  contract.loss = ClassesLoss;
  contract.prediction = Shares;
  return contract;
}

ModelContract SvmContract(const std::string& loss, bool bias) {
  ModelContract contract = LinearContract(bias);
  contract.options = {.type = "svm", .bias = bias, .loss = loss};
  contract.loss = [power = loss == "hinge" ? 1 : 2](const OracleRow& margin, double label) {
    const double y = label == 1 ? 1 : -1;
    return y * margin[0] < 1 ? std::pow(1 - y * margin[0], power) : 0;
  };
  contract.near_kink = [](double margin, double label) {
    return std::abs(1 - (label == 1 ? margin : -margin)) < 0.01;
  };
  return contract;
}

ModelContract HuberContract(double delta, bool bias) {
  ModelContract contract = LinearContract(bias);
  contract.options = {.type = "huber", .bias = bias, .delta = delta};
  contract.labels = {-2, 0, 0.5, 3};
  contract.loss = [delta](const OracleRow& margin, double label) {
    const double error = std::abs(margin[0] - label);
    return error < delta ? 0.5 * error * error : delta * error - 0.5 * delta * delta;
  };
  contract.near_kink = [delta](double margin, double label) {
    return std::abs(std::abs(margin - label) - delta) < 0.01;
  };
  return contract;
}

ModelContract PoissonContract(bool bias) {
  ModelContract contract = LinearContract(bias);
  contract.options.type = "poisson";
  contract.labels = {0, 1, 2.5, 7};
  // Half the deviance: mu - y - y log(mu / y).
  contract.loss = [](const OracleRow& margin, double label) {
    const double mean = std::exp(margin[0]);
    return mean - label - (label == 0 ? 0 : label * std::log(mean / label));
  };
  contract.prediction = [](const OracleRow& margin) { return OracleRow{std::exp(margin[0])}; };
  return contract;
}

INSTANTIATE_TEST_SUITE_P(Linear, ModelContractTest,
                         ::testing::Values(LinearContract(true), LinearContract(false)));
INSTANTIATE_TEST_SUITE_P(Logistic, ModelContractTest,
                         ::testing::Values(LogisticContract(true), LogisticContract(false)));
INSTANTIATE_TEST_SUITE_P(FactorizationMachine, ModelContractTest,
                         ::testing::Values(FactorizationMachineContract(8, true),
                                           FactorizationMachineContract(1, false)));
INSTANTIATE_TEST_SUITE_P(FieldAware, ModelContractTest,
                         ::testing::Values(FieldAwareContract(4, true),
                                           FieldAwareContract(1, false)));
INSTANTIATE_TEST_SUITE_P(Softmax, ModelContractTest,
                         ::testing::Values(SoftmaxContract(5, true), SoftmaxContract(2, false)));
INSTANTIATE_TEST_SUITE_P(Svm, ModelContractTest,
                         ::testing::Values(SvmContract("hinge", true),
                                           SvmContract("squared_hinge", false)));
INSTANTIATE_TEST_SUITE_P(Huber, ModelContractTest,
                         ::testing::Values(HuberContract(1, true), HuberContract(0.3, false)));
INSTANTIATE_TEST_SUITE_P(Poisson, ModelContractTest,
                         ::testing::Values(PoissonContract(true), PoissonContract(false)));

}  // namespace
}  // namespace seraph
