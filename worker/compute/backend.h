// SPDX-License-Identifier: Apache-2.0
// The arithmetic of models over batches. No device type: cpu/ is the reference, a GPU back end
// joins beside it and passes the same contract suite.
#ifndef SERAPH_WORKER_COMPUTE_BACKEND_H_
#define SERAPH_WORKER_COMPUTE_BACKEND_H_

#include <cstdint>

#include "absl/types/span.h"
#include "worker/data/batch.h"
#include "worker/data/field_pairs.h"

namespace seraph {

// Shapes: n = batch.rows(), K = batch.keys.size(), C = outputs, F = factors. Sums run over rows and
// entries in batch order, so the same batch gives the same bits. Not thread-safe: one a worker slot
// (it keeps scratch memory).
class Backend {
 public:
  virtual ~Backend() = default;

  // margin[r,c] += sum over entries of weight[column,c] * value.   weight [K, C], margin [n, C].
  virtual void LinearForward(const Batch& batch, uint32_t outputs, absl::Span<const float> weight,
                             absl::Span<float> margin) = 0;
  // gradient[column,c] += slope[r,c] * value.   slope [n, C] = d loss / d margin, gradient [K, C].
  virtual void LinearBackward(const Batch& batch, uint32_t outputs, absl::Span<const float> slope,
                              absl::Span<float> gradient) = 0;

  // Factorisation machine of degree 2 (Rendle 2010, "Factorization Machines", eq. 1 and lemma 3.1):
  // margin[r] += 1/2 sum_f ((sum_e v[e,f] x[e])^2 - sum_e (v[e,f] x[e])^2).   factor [K, F], margin
  // [n].
  virtual void FactorForward(const Batch& batch, uint32_t factors, absl::Span<const float> factor,
                             absl::Span<float> margin) = 0;
  // gradient[e,f] += slope[r] * x[e] * (sum_f - v[e,f] x[e]), sums computed anew.   gradient [K,
  // F].
  virtual void FactorBackward(const Batch& batch, uint32_t factors, absl::Span<const float> factor,
                              absl::Span<const float> slope, absl::Span<float> gradient) = 0;

  // Field-aware factorisation machine (Juan, Zhuang, Chin, Lin 2016, "Field-aware Factorization
  // Machines for CTR Prediction", eq. 4): margin[r] += sum over pairs i < j of the row's entries of
  // <v[i, field of j], v[j, field of i]> x[i] x[j].   factor [P, F], P = pairs.keys().size(), of
  // the batch's pairs.
  virtual void FieldForward(const Batch& batch, const FieldPairs& pairs, uint32_t factors,
                            absl::Span<const float> factor, absl::Span<float> margin) = 0;
  // gradient[i, field of j] += slope[r] x[i] x[j] v[j, field of i], and the other way round.
  // gradient [P, F].
  virtual void FieldBackward(const Batch& batch, const FieldPairs& pairs, uint32_t factors,
                             absl::Span<const float> factor, absl::Span<const float> slope,
                             absl::Span<float> gradient) = 0;
};

}  // namespace seraph

#endif  // SERAPH_WORKER_COMPUTE_BACKEND_H_
