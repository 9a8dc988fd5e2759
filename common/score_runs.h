// SPDX-License-Identifier: Apache-2.0
// Exact AUC over any number of scored rows in bounded memory: sorted runs of (score, positives,
// negatives), spilled to temporary files when large, merged once. Ties count one half (Mann-Whitney
// U).
#ifndef SERAPH_COMMON_SCORE_RUNS_H_
#define SERAPH_COMMON_SCORE_RUNS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace seraph {

// Rows of one score.
struct ScoreCount {
  float score = 0;
  uint64_t positives = 0;
  uint64_t negatives = 0;
};

// Not thread-safe. The result does not depend on the order of what is added. Destroying it removes
// its files.
class ScoreRuns {
 public:
  struct Options {
    size_t memory_bytes = size_t{64} << 20;  // Beyond it a sorted run goes to a file.
    std::string spill_folder;                // Empty: the system's temporary folder.
  };
  explicit ScoreRuns(Options options);
  ~ScoreRuns();
  ScoreRuns(const ScoreRuns&) = delete;
  ScoreRuns& operator=(const ScoreRuns&) = delete;

  // INVALID_ARGUMENT for a NaN score; RESOURCE_EXHAUSTED or INTERNAL, naming the file, when
  // spilling fails.
  absl::Status Add(float score, bool positive);
  absl::Status AddCounts(absl::Span<const ScoreCount> counts);

  // Calls `visit` once per distinct score, ascending.
  absl::Status ForEach(const std::function<absl::Status(const ScoreCount&)>& visit);

  // Nothing when the rows are of one class or there are none.
  absl::StatusOr<std::optional<double>> Auc();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace seraph

#endif  // SERAPH_COMMON_SCORE_RUNS_H_
