// SPDX-License-Identifier: Apache-2.0
// Flags that `evaluate` and `predict` share.
#ifndef SERAPH_CLIENT_CLI_SCORE_FLAGS_H_
#define SERAPH_CLIENT_CLI_SCORE_FLAGS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace seraph {

struct ScoreFlags {
  std::string model;              // Folder.
  std::vector<std::string> data;  // Files, folders, globs.
  std::string format;             // Empty: the model's own.
  std::optional<uint64_t> index_base;
};

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_SCORE_FLAGS_H_
