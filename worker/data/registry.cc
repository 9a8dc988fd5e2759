// SPDX-License-Identifier: Apache-2.0
// The formats that are compiled in: a new one adds a line to kFormats.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/nearest_name.h"
#include "worker/data/dummy.h"
#include "worker/data/libsvm.h"
#include "worker/data/row_format.h"
#include "worker/data/row_text.h"

namespace seraph {
namespace {

struct Entry {
  const char* name;
  std::unique_ptr<RowFormat> (*create)(uint64_t index_base);
  std::optional<uint64_t> default_index_base;  // None: the job must state it.
};

constexpr Entry kFormats[] = {
    {"dummy", NewDummyFormat, 0},
    {"libsvm", NewLibsvmFormat, std::nullopt},
};

}  // namespace

absl::StatusOr<std::unique_ptr<RowFormat>> NewRowFormat(const RowFormat::Options& options) {
  for (const Entry& entry : kFormats) {
    if (options.format != entry.name) continue;
    const std::optional<uint64_t> base =
        options.index_base.has_value() ? options.index_base : entry.default_index_base;
    if (!base.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("format ", entry.name, " needs index_base: 0 or 1"));
    }
    if (*base > 1) {
      return absl::InvalidArgumentError(absl::StrCat("index_base is ", *base, ", must be 0 or 1"));
    }
    return entry.create(*base);
  }
  const std::vector<std::string> names = RowFormatNames();
  const std::string nearest = NearestName(options.format, names);
  return absl::InvalidArgumentError(
      absl::StrCat("unknown data format ", Excerpt(options.format),
                   nearest.empty() ? absl::StrCat(", formats are ", absl::StrJoin(names, ", "))
                                   : absl::StrCat(", did you mean ", nearest, "?")));
}

std::vector<std::string> RowFormatNames() {
  std::vector<std::string> names;
  for (const Entry& entry : kFormats) names.push_back(entry.name);
  return names;
}

std::optional<uint64_t> DefaultIndexBase(const std::string& format) {
  for (const Entry& entry : kFormats) {
    if (format == entry.name) return entry.default_index_base;
  }
  return std::nullopt;
}

}  // namespace seraph
