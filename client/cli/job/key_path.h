// SPDX-License-Identifier: Apache-2.0
// Where a value of a job file stands: the key as people read it, the key as the schema knows it,
// and the place in the text.
#ifndef SERAPH_CLIENT_CLI_JOB_KEY_PATH_H_
#define SERAPH_CLIENT_CLI_JOB_KEY_PATH_H_

#include <map>
#include <string>

#include "absl/strings/string_view.h"

namespace seraph {

// The way from the top of a job to a value. A plain value.
struct KeyPath {
  std::string shown;   // "tables.factors.optimizer", "data.train[0].format"; empty at the top.
  std::string schema;  // "tables.*.optimizer", "data.train.format".

  KeyPath Field(absl::string_view name) const;
  KeyPath MapEntry(absl::string_view key) const;
  KeyPath Element(size_t index) const;
};

// Where each key was stated ("job.yaml:7", "--set train.epochs=3"), so that a value found wrong
// after reading can be traced to its line.
class KeyOrigins {
 public:
  explicit KeyOrigins(std::string file) : file_(std::move(file)) {}

  void Note(const std::string& key, const std::string& place) { places_[key] = place; }
  // Place of the key or of the nearest key above it that was stated; the file when none was.
  std::string PlaceOf(absl::string_view key) const;

 private:
  std::string file_;
  std::map<std::string, std::string, std::less<>> places_;
};

// Whether `schema` (KeyPath::schema) names a key that a later version will have.
bool IsLaterKey(absl::string_view schema);

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_JOB_KEY_PATH_H_
