// SPDX-License-Identifier: Apache-2.0
#include "worker/data/column_plan.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "common/nearest_name.h"
#include "common/status_macros.h"
#include "worker/data/row_text.h"

namespace seraph {
namespace {

using Role = ColumnPlan::Role;

std::optional<int64_t> WholeNumber(absl::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

struct Range {
  int64_t first, last;
};

// Of "7" and, where a list allows it, of "1..13".
std::optional<Range> PositionsOf(absl::string_view text) {
  const size_t dots = text.find("..");
  if (dots == absl::string_view::npos) {
    const std::optional<int64_t> number = WholeNumber(text);
    if (!number.has_value()) return std::nullopt;
    return Range{*number, *number};
  }
  const std::optional<int64_t> first = WholeNumber(text.substr(0, dots));
  const std::optional<int64_t> last = WholeNumber(text.substr(dots + 2));
  if (!first.has_value() || !last.has_value() || *first < 0 || *last < *first) return std::nullopt;
  return Range{*first, *last};
}

// Positions by name. `names` outlives it.
class NameIndex {
 public:
  explicit NameIndex(absl::Span<const std::string> names) : names_(names) {
    for (size_t at = 0; at < names.size(); ++at) {
      const auto [it, is_new] = position_of_.try_emplace(names[at], at);
      if (!is_new) it->second = kTwice;
    }
  }

  bool Has(absl::string_view name) const { return position_of_.contains(name); }

  absl::StatusOr<size_t> Find(absl::string_view name) const {
    const auto found = position_of_.find(name);
    if (found == position_of_.end()) return NoSuchColumn(name);
    if (found->second == kTwice) {
      return absl::InvalidArgumentError(
          absl::StrCat("two columns are named ", Excerpt(name), ", state the position"));
    }
    return found->second;
  }

  absl::Status NoSuchColumn(absl::string_view text) const {
    const std::string nearest =
        NearestName(text, std::vector<std::string>(names_.begin(), names_.end()));
    return absl::NotFoundError(absl::StrCat(
        "there is no column ", Excerpt(text),
        nearest.empty() ? "" : absl::StrCat(", did you mean ", Excerpt(nearest), "?")));
  }

 private:
  static constexpr size_t kTwice = static_cast<size_t>(-1);
  const absl::Span<const std::string> names_;
  absl::flat_hash_map<absl::string_view, size_t> position_of_;
};

// Gives roles to columns, counted as keys count them.
class RolePlanner {
 public:
  // `names` may be empty: then columns have positions alone.
  RolePlanner(size_t width, absl::Span<const std::string> names) : roles_(width), names_(names) {}

  absl::StatusOr<std::vector<Role>> Plan(const Columns& columns) {
    RETURN_IF_ERROR(GiveSingle(columns.label, columns.unlabelled, Role::kLabel));
    if (!columns.weight.empty()) {
      RETURN_IF_ERROR(GiveSingle(columns.weight, columns.unlabelled, Role::kWeight));
    }
    for (const std::string& text : columns.numeric) {
      RETURN_IF_ERROR(Give(text, /*in_list=*/true, Role::kNumeric));
    }
    for (const std::string& text : columns.categorical) {
      RETURN_IF_ERROR(Give(text, /*in_list=*/true, Role::kCategorical));
    }
    if (columns.numeric.empty() && columns.categorical.empty()) {
      std::replace(roles_.begin(), roles_.end(), Role::kUnused, Role::kNumeric);
    }
    return roles_;
  }

 private:
  // `optional`: the column need not be there.
  absl::Status GiveSingle(absl::string_view text, bool optional, Role role) {
    const absl::Status status = Give(text, /*in_list=*/false, role);
    return optional && absl::IsNotFound(status) ? absl::OkStatus() : status;
  }

  absl::Status Give(absl::string_view text, bool in_list, Role role) {
    if (names_.Has(text)) {
      ASSIGN_OR_RETURN(const size_t position, names_.Find(text));
      return Give(position, text, role);
    }
    const std::optional<Range> range = PositionsOf(text);
    if (!range.has_value() || (!in_list && range->first != range->last)) {
      return names_.NoSuchColumn(text);
    }
    const int64_t width = static_cast<int64_t>(roles_.size());
    if (range->last >= width || range->first < -width) {
      return absl::NotFoundError(
          absl::StrCat("there is no column ", text, ": the columns are 0 to ", width - 1));
    }
    for (int64_t at = range->first; at <= range->last; ++at) {
      RETURN_IF_ERROR(Give(static_cast<size_t>(at < 0 ? at + width : at), text, role));
    }
    return absl::OkStatus();
  }

  absl::Status Give(size_t position, absl::string_view text, Role role) {
    if (roles_[position] != Role::kUnused) {
      return absl::InvalidArgumentError(
          absl::StrCat("column ", position, ", stated as ", Excerpt(text), ", is stated twice"));
    }
    roles_[position] = role;
    return absl::OkStatus();
  }

  std::vector<Role> roles_;
  const NameIndex names_;
};

// Where the column at `position` of `names` stands in a file with that header; none when it is a
// label or weight that need not be there.
absl::StatusOr<std::optional<size_t>> PlaceOf(const NameIndex& header, const std::string& name,
                                              bool optional) {
  const absl::StatusOr<size_t> place = header.Find(name);
  if (optional && absl::IsNotFound(place.status())) return std::nullopt;
  if (!place.ok()) return place.status();
  return *place;
}

// NOT_FOUND when a stated column is not there.
absl::StatusOr<ColumnPlan> Plan(const Columns& columns, size_t width,
                                absl::Span<const std::string> header) {
  const absl::Span<const std::string> names = columns.names.empty() ? header : columns.names;
  const bool reordered = !columns.names.empty() && !header.empty() && names != header;
  const size_t known = names.empty() ? width : names.size();
  if (!reordered && known != width) {
    return absl::InvalidArgumentError(
        absl::StrCat("there are ", width, " columns, but columns.names lists ", known));
  }
  ASSIGN_OR_RETURN(const std::vector<Role> roles, RolePlanner(known, names).Plan(columns));
  const NameIndex places(reordered ? header : absl::Span<const std::string>());
  ColumnPlan plan;
  plan.columns.resize(width);
  for (size_t position = 0; position < known; ++position) {
    const Role role = roles[position];
    if (role == Role::kUnused) continue;
    const bool feature = role == Role::kNumeric || role == Role::kCategorical;
    std::optional<size_t> at = position;
    if (reordered) {
      ASSIGN_OR_RETURN(at, PlaceOf(places, names[position], columns.unlabelled && !feature));
    }
    if (!at.has_value() || (columns.unlabelled && !feature)) continue;
    plan.columns[*at].role = role;
    plan.columns[*at].position = static_cast<uint32_t>(position);
    plan.features += feature ? 1 : 0;
  }
  const absl::Span<const std::string> shown = header.empty() ? names : header;
  for (size_t at = 0; at < shown.size(); ++at) plan.columns[at].name = shown[at];
  return plan;
}

}  // namespace

std::string ColumnPlan::Shown(size_t column) const {
  const std::string& name = columns[column].name;
  return absl::StrCat("column ", column,
                      name.empty() ? "" : absl::StrCat(" (", Excerpt(name), ")"));
}

absl::StatusOr<ColumnPlan> PlanColumns(const Columns& columns, size_t width,
                                       absl::Span<const std::string> header) {
  absl::StatusOr<ColumnPlan> plan = Plan(columns, width, header);
  if (!absl::IsNotFound(plan.status())) return plan;
  return absl::InvalidArgumentError(plan.status().message());
}

absl::Status CheckColumns(const Columns& columns, bool header) {
  if (!columns.names.empty()) {
    return PlanColumns(columns, columns.names.size(), columns.names).status();
  }
  if (header) return absl::OkStatus();
  const auto check = [](const std::string& text) {
    if (PositionsOf(text).has_value()) return absl::OkStatus();
    return absl::InvalidArgumentError(
        absl::StrCat("column ", Excerpt(text),
                     " is stated by name, but there is no header and no columns.names"));
  };
  RETURN_IF_ERROR(check(columns.label));
  if (!columns.weight.empty()) RETURN_IF_ERROR(check(columns.weight));
  for (const std::string& text : columns.numeric) RETURN_IF_ERROR(check(text));
  for (const std::string& text : columns.categorical) RETURN_IF_ERROR(check(text));
  return absl::OkStatus();
}

}  // namespace seraph
