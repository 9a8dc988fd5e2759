// SPDX-License-Identifier: Apache-2.0
#include "worker/compute/cpu/cpu_backend.h"

#include <algorithm>
#include <vector>

namespace seraph {
namespace {

class CpuBackend : public Backend {
 public:
  void LinearForward(const Batch& batch, uint32_t outputs, absl::Span<const float> weight,
                     absl::Span<float> margin) override {
    if (outputs == 1) return DotForward(batch, weight, margin);
    for (size_t r = 0; r < batch.rows(); ++r) {
      sum_.assign(outputs, 0.0);  // W x
      for (uint32_t e = batch.row_begin[r]; e < batch.row_begin[r + 1]; ++e) {
        const float* const w = &weight[size_t{batch.column[e]} * outputs];
        const double x = batch.values[e];
        for (uint32_t c = 0; c < outputs; ++c) sum_[c] += w[c] * x;
      }
      float* const out = &margin[r * outputs];
      for (uint32_t c = 0; c < outputs; ++c) out[c] = static_cast<float>(out[c] + sum_[c]);
    }
  }

  void LinearBackward(const Batch& batch, uint32_t outputs, absl::Span<const float> slope,
                      absl::Span<float> gradient) override {
    if (outputs == 1) return DotBackward(batch, slope, gradient);
    for (size_t r = 0; r < batch.rows(); ++r) {
      const float* const s = &slope[r * outputs];
      for (uint32_t e = batch.row_begin[r]; e < batch.row_begin[r + 1]; ++e) {
        float* const g = &gradient[size_t{batch.column[e]} * outputs];
        const float x = batch.values[e];
        for (uint32_t c = 0; c < outputs; ++c) g[c] += s[c] * x;
      }
    }
  }

  void FactorForward(const Batch& batch, uint32_t factors, absl::Span<const float> factor,
                     absl::Span<float> margin) override {
    square_.resize(factors);
    for (size_t r = 0; r < batch.rows(); ++r) {
      // sum_[f] = sum_e v[e,f] x[e], square_[f] = sum_e (v[e,f] x[e])^2.
      SumFactors(batch, r, factors, factor);
      std::fill(square_.begin(), square_.end(), 0.0);
      for (uint32_t e = batch.row_begin[r]; e < batch.row_begin[r + 1]; ++e) {
        const float* const v = &factor[size_t{batch.column[e]} * factors];
        const double x = batch.values[e];
        for (uint32_t f = 0; f < factors; ++f) square_[f] += (v[f] * x) * (v[f] * x);
      }
      double pairs = 0;
      for (uint32_t f = 0; f < factors; ++f) pairs += sum_[f] * sum_[f] - square_[f];
      margin[r] = static_cast<float>(margin[r] + 0.5 * pairs);
    }
  }

  void FactorBackward(const Batch& batch, uint32_t factors, absl::Span<const float> factor,
                      absl::Span<const float> slope, absl::Span<float> gradient) override {
    for (size_t r = 0; r < batch.rows(); ++r) {
      SumFactors(batch, r, factors, factor);
      for (uint32_t e = batch.row_begin[r]; e < batch.row_begin[r + 1]; ++e) {
        const size_t row = size_t{batch.column[e]} * factors;
        const float* const v = &factor[row];
        float* const g = &gradient[row];
        const double x = batch.values[e];
        const double scale = slope[r] * x;
        // d margin / d v[e,f] = x[e] (sum_f - v[e,f] x[e])
        for (uint32_t f = 0; f < factors; ++f) {
          g[f] += static_cast<float>(scale * (sum_[f] - v[f] * x));
        }
      }
    }
  }

  void FieldForward(const Batch& batch, const FieldPairs& pairs, uint32_t factors,
                    absl::Span<const float> factor, absl::Span<float> margin) override {
    for (size_t r = 0; r < batch.rows(); ++r) {
      double sum = 0;
      ForEachPair(batch, pairs, r, [&](size_t ij, size_t ji, double x) {
        const float* const a = &factor[ij * factors];
        const float* const b = &factor[ji * factors];
        double dot = 0;
        for (uint32_t f = 0; f < factors; ++f) dot += static_cast<double>(a[f]) * b[f];
        sum += dot * x;
      });
      margin[r] = static_cast<float>(margin[r] + sum);
    }
  }

  void FieldBackward(const Batch& batch, const FieldPairs& pairs, uint32_t factors,
                     absl::Span<const float> factor, absl::Span<const float> slope,
                     absl::Span<float> gradient) override {
    for (size_t r = 0; r < batch.rows(); ++r) {
      ForEachPair(batch, pairs, r, [&](size_t ij, size_t ji, double x) {
        const float* const a = &factor[ij * factors];
        const float* const b = &factor[ji * factors];
        float* const ga = &gradient[ij * factors];
        float* const gb = &gradient[ji * factors];
        const float scale = static_cast<float>(slope[r] * x);
        for (uint32_t f = 0; f < factors; ++f) {
          ga[f] += scale * b[f];
          gb[f] += scale * a[f];
        }
      });
    }
  }

 private:
  // Calls visit(place of i's feature with j's field, of j's with i's, x[i] x[j]) for the row's
  // entries i < j.
  template <typename Visit>
  static void ForEachPair(const Batch& batch, const FieldPairs& pairs, size_t r, Visit visit) {
    const uint32_t end = batch.row_begin[r + 1];
    for (uint32_t i = batch.row_begin[r]; i < end; ++i) {
      for (uint32_t j = i + 1; j < end; ++j) {
        visit(pairs.Place(i, j), pairs.Place(j, i),
              static_cast<double>(batch.values[i]) * batch.values[j]);
      }
    }
  }

  // Linear* of one output.
  static void DotForward(const Batch& batch, absl::Span<const float> weight,
                         absl::Span<float> margin) {
    for (size_t r = 0; r < batch.rows(); ++r) {
      double sum = 0;  // w . x
      for (uint32_t e = batch.row_begin[r]; e < batch.row_begin[r + 1]; ++e) {
        sum += static_cast<double>(weight[batch.column[e]]) * batch.values[e];
      }
      margin[r] = static_cast<float>(margin[r] + sum);
    }
  }
  static void DotBackward(const Batch& batch, absl::Span<const float> slope,
                          absl::Span<float> gradient) {
    for (size_t r = 0; r < batch.rows(); ++r) {
      for (uint32_t e = batch.row_begin[r]; e < batch.row_begin[r + 1]; ++e) {
        gradient[batch.column[e]] += slope[r] * batch.values[e];
      }
    }
  }

  void SumFactors(const Batch& batch, size_t r, uint32_t factors, absl::Span<const float> factor) {
    sum_.assign(factors, 0.0);
    for (uint32_t e = batch.row_begin[r]; e < batch.row_begin[r + 1]; ++e) {
      const float* const v = &factor[size_t{batch.column[e]} * factors];
      const double x = batch.values[e];
      for (uint32_t f = 0; f < factors; ++f) sum_[f] += v[f] * x;
    }
  }

  std::vector<double> sum_;
  std::vector<double> square_;
};

}  // namespace

std::unique_ptr<Backend> NewCpuBackend() { return std::make_unique<CpuBackend>(); }

}  // namespace seraph
