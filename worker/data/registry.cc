// SPDX-License-Identifier: Apache-2.0
// The formats that are compiled in: a new one adds a line to kFormats.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/nearest_name.h"
#include "common/status_macros.h"
#include "worker/data/csv.h"
#include "worker/data/dummy.h"
#include "worker/data/field_map.h"
#include "worker/data/libffm.h"
#include "worker/data/libsvm.h"
#include "worker/data/row_format.h"
#include "worker/data/row_text.h"

namespace seraph {
namespace {

using Created = absl::StatusOr<std::unique_ptr<RowFormat>>;
using Options = RowFormat::Options;

// A format whose features have indices, or one whose rows are columns.
struct Entry {
  const char* name;
  std::unique_ptr<RowFormat> (*with_indices)(uint64_t index_base);
  Created (*with_columns)(const Options& options);
  std::optional<uint64_t> default_index_base;  // None: the job must state it.
  bool own_fields = false;
};

constexpr Entry kFormats[] = {
    {"csv", nullptr, NewCsvFormat, std::nullopt},
    {"dummy", NewDummyFormat, nullptr, 0},
    {"libffm", NewLibffmFormat, nullptr, std::nullopt, /*own_fields=*/true},
    {"libsvm", NewLibsvmFormat, nullptr, std::nullopt},
    {"tsv", nullptr, NewCsvFormat, std::nullopt},
};

const Entry* Find(absl::string_view name) {
  for (const Entry& entry : kFormats) {
    if (name == entry.name) return &entry;
  }
  return nullptr;
}

Created CreateWithIndices(const Entry& entry, const Options& options) {
  if (options.columns != Columns() || options.dialect != Dialect()) {
    return absl::InvalidArgumentError(absl::StrCat("format ", entry.name, " has no columns"));
  }
  if (options.labels.texts()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "labels are listed that are no numbers, but those of format ", entry.name, " are"));
  }
  const std::optional<uint64_t> base =
      options.index_base.has_value() ? options.index_base : entry.default_index_base;
  if (!base.has_value()) {
    return absl::InvalidArgumentError(
        absl::StrCat("format ", entry.name, " needs index_base: 0 or 1"));
  }
  if (*base > 1) {
    return absl::InvalidArgumentError(absl::StrCat("index_base is ", *base, ", must be 0 or 1"));
  }
  return entry.with_indices(*base);
}

Created CreateWithColumns(const Entry& entry, const Options& options) {
  if (options.index_base.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat("format ", entry.name, " has no index_base"));
  }
  return entry.with_columns(options);
}

absl::Status CheckFields(const Entry& entry, const Options& options) {
  if (entry.own_fields && !options.fields.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("fields are stated, but the rows of format ", entry.name, " state their own"));
  }
  return Annotate(FieldMap::Of(options.fields).status(), "fields");
}

}  // namespace

absl::StatusOr<std::unique_ptr<RowFormat>> NewRowFormat(const Options& options) {
  const Entry* const entry = Find(options.format);
  if (entry != nullptr) {
    RETURN_IF_ERROR(CheckFields(*entry, options));
    return entry->with_columns != nullptr ? CreateWithColumns(*entry, options)
                                          : CreateWithIndices(*entry, options);
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

bool HasColumns(absl::string_view format) {
  const Entry* const entry = Find(format);
  return entry != nullptr && entry->with_columns != nullptr;
}

bool HasOwnFields(absl::string_view format) {
  const Entry* const entry = Find(format);
  return entry != nullptr && entry->own_fields;
}

std::optional<uint64_t> DefaultIndexBase(absl::string_view format) {
  const Entry* const entry = Find(format);
  return entry == nullptr ? std::nullopt : entry->default_index_base;
}

}  // namespace seraph
