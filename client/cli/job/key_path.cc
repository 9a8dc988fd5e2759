// SPDX-License-Identifier: Apache-2.0
#include "client/cli/job/key_path.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/str_cat.h"

namespace seraph {
namespace {

std::string Join(const std::string& above, absl::string_view name) {
  return above.empty() ? std::string(name) : absl::StrCat(above, ".", name);
}

// Keys that the documentation of job files promises for later. Named here, so that a job that uses
// one is told "not in this version" instead of "unknown key".
constexpr absl::string_view kLaterKeys[] = {
    "resources",     "checkpoint",         "search",
    "model.layers",  "data.cache",         "data.label.classes",
    "tables.*.sync", "tables.*.replicas",  "tables.*.limits",
    "cluster.tls",   "cluster.token_file", "output.checkpoints",
};

}  // namespace

KeyPath KeyPath::Field(absl::string_view name) const {
  return {Join(shown, name), Join(schema, name)};
}

KeyPath KeyPath::MapEntry(absl::string_view key) const {
  return {Join(shown, key), Join(schema, "*")};
}

KeyPath KeyPath::Element(size_t index) const {
  return {absl::StrCat(shown, "[", index, "]"), schema};
}

std::string KeyOrigins::PlaceOf(absl::string_view key) const {
  while (!key.empty()) {
    const auto place = places_.find(key);
    if (place != places_.end()) return place->second;
    const size_t cut = key.find_last_of(".[");
    if (cut == absl::string_view::npos) break;
    key = key.substr(0, cut);
  }
  return file_;
}

bool IsLaterKey(absl::string_view schema) {
  return std::find(std::begin(kLaterKeys), std::end(kLaterKeys), schema) != std::end(kLaterKeys);
}

}  // namespace seraph
