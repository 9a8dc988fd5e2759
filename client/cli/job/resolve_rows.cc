// SPDX-License-Identifier: Apache-2.0
#include "client/cli/job/resolve_rows.h"

#include <limits>
#include <map>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "worker/data/label_lists.h"
#include "worker/data/row_format.h"
#include "worker/data/scale.h"
#include "worker/train/data_entry.h"

namespace seraph {
namespace {

absl::Status Wrong(const std::string& key, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(key, ": ", what));
}

absl::Status CheckLabel(const std::string& key, bool two_classes, const v1::LabelSpec& label) {
  if (!two_classes) {
    return Wrong(key,
                 "the model takes labels as they are; positive and negative belong to models of "
                 "two classes");
  }
  for (const auto& [name, texts] :
       {std::pair(".positive", &label.positive()), std::pair(".negative", &label.negative())}) {
    if (texts->empty()) return Wrong(key + name, "missing: both sides must be stated");
  }
  const absl::Status status = BinaryMapOf(LabelListsOf(label)).status();
  return status.ok() ? status : Wrong(key, status.message());
}

using Entries = google::protobuf::RepeatedPtrField<v1::DataPath>;

// An entry that states none has that of the section.
absl::Status CheckLabelsOf(const std::string& entries_key, bool two_classes,
                           const v1::DataSpec& data, const Entries& entries) {
  for (int i = 0; i < entries.size(); ++i) {
    if (!entries[i].has_label()) continue;
    const LabelLists lists = LabelListsOf(entries[i].label());
    const bool own = !data.has_label() || lists != LabelListsOf(data.label());
    const std::string key = own ? absl::StrCat(entries_key, "[", i, "].label") : "data.label";
    RETURN_IF_ERROR(CheckLabel(key, two_classes, entries[i].label()));
    if (!lists.texts() || HasColumns(entries[i].format())) continue;
    return Wrong(key, absl::StrCat("lists labels that are no numbers, but those of ",
                                   entries[i].format(), " are"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ResolveScale(v1::DataSpec* data) {
  if (!data->has_scale()) data->set_scale("none");
  const absl::StatusOr<ScaleRule> rule = ScaleRule::Of(data->scale());
  if (!rule.ok()) return Wrong("data.scale", rule.status().message());
  if (!rule->fitted()) return absl::OkStatus();
  const std::string& first = data->train(0).format();
  for (const auto* entries : {&data->train(), &data->test()}) {
    for (const v1::DataPath& entry : *entries) {
      if (HasColumns(entry.format()) == HasColumns(first)) continue;
      return Wrong("data.scale", absl::StrCat(data->scale(), " is not for entries of ", first,
                                              " and of ", entry.format(),
                                              " together: columns and "
                                              "indices are scaled unlike"));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckLabels(bool two_classes, const v1::DataSpec& data) {
  if (data.has_label()) RETURN_IF_ERROR(CheckLabel("data.label", two_classes, data.label()));
  RETURN_IF_ERROR(CheckLabelsOf("data.train", two_classes, data, data.train()));
  return CheckLabelsOf("data.test", two_classes, data, data.test());
}

absl::Status TakeClassesOfData(const v1::DataSpec& data, v1::ModelSpec* model) {
  if (!data.has_classes()) return absl::OkStatus();
  if (!model->has_classes()) {
    model->set_classes(data.classes());
  } else if (model->classes() != data.classes()) {
    return Wrong("data.classes", absl::StrCat(data.classes(), " is not model.classes, which is ",
                                              model->classes()));
  }
  return absl::OkStatus();
}

absl::Status CheckClassWeights(uint32_t classes, const v1::DataSpec& data) {
  if (data.class_weights().empty()) return absl::OkStatus();
  if (classes == 0) {
    return Wrong("data.class_weights", "the model has no classes, its labels are numbers");
  }
  std::map<std::string, double> by_name(data.class_weights().begin(), data.class_weights().end());
  for (const auto& [name, weight] : by_name) {
    const std::string key = "data.class_weights." + name;
    uint32_t number = 0;
    if (!absl::SimpleAtoi(name, &number) || absl::StrCat(number) != name || number >= classes) {
      return Wrong(key, absl::StrCat("there is no such class, they are 0 to ", classes - 1));
    }
    if (!(weight >= 0 && weight <= std::numeric_limits<float>::max())) {
      return Wrong(key, absl::StrCat(weight, " is not a finite number of at least 0"));
    }
  }
  return absl::OkStatus();
}

}  // namespace seraph
