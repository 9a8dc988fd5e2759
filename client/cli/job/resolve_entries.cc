// SPDX-License-Identifier: Apache-2.0
#include "client/cli/job/resolve_entries.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "client/cli/job/choice.h"
#include "common/status_macros.h"
#include "worker/data/field_map.h"
#include "worker/data/row_format.h"
#include "worker/train/data_entry.h"

namespace seraph {
namespace {

constexpr uint32_t kMaxHashBits = 64;

absl::Status Wrong(const std::string& key, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(key, ": ", what));
}

std::string FormatsWithColumns() {
  std::vector<std::string> names = RowFormatNames();
  names.erase(std::remove_if(names.begin(), names.end(),
                             [](const std::string& name) { return !HasColumns(name); }),
              names.end());
  return absl::StrJoin(names, " and ");
}

// The first option of formats with columns that a section or an entry states; empty without.
template <typename Message>
std::string StatedColumnOption(const Message& message) {
  if (message.has_columns()) return "columns";
  if (message.has_header()) return "header";
  if (message.has_delimiter()) return "delimiter";
  if (message.has_quote()) return "quote";
  if (!message.missing().empty()) return "missing";
  if (message.has_comment()) return "comment";
  return "";
}

bool States(const v1::DataPath& entry, absl::string_view option) {
  if (option == "columns") return entry.has_columns();
  if (option == "delimiter") return entry.has_delimiter();
  if (option == "quote") return entry.has_quote();
  return entry.has_comment();
}

absl::Status ResolveFormat(const std::string& key, const v1::DataSpec& data, v1::DataPath* entry) {
  const std::vector<std::string> later = {"parquet"};
  if (entry->has_format()) {
    return CheckChoice(key + ".format", entry->format(), RowFormatNames(), later);
  }
  if (data.format().empty()) {
    return Wrong("data.format", absl::StrCat("missing: state the format of the files, ",
                                             absl::StrJoin(RowFormatNames(), " or ")));
  }
  RETURN_IF_ERROR(CheckChoice("data.format", data.format(), RowFormatNames(), later));
  entry->set_format(data.format());
  return absl::OkStatus();
}

absl::Status ResolveIndexBase(const std::string& key, const v1::DataSpec& data,
                              v1::DataPath* entry) {
  const bool own = entry->has_index_base() || entry->format() != data.format();
  const std::string base_key = (own ? key : "data") + ".index_base";
  if (const std::string option = StatedColumnOption(*entry); !option.empty()) {
    return Wrong(absl::StrCat(key, ".", option), absl::StrCat("belongs to ", FormatsWithColumns(),
                                                              ", the format is ", entry->format()));
  }
  RowFormat::Options format = FormatOf(data, *entry);
  if (!format.index_base.has_value()) format.index_base = DefaultIndexBase(format.format);
  if (!format.index_base.has_value()) {
    return Wrong(base_key, absl::StrCat("missing: state whether the ", entry->format(),
                                        " files count indices from 0 or from 1"));
  }
  if (*format.index_base > 1) {
    return Wrong(base_key, absl::StrCat(*format.index_base, " is not 0 or 1"));
  }
  PutFormat(format, entry);
  return absl::OkStatus();
}

// "delimiter is `ab`, ..." in the words of job files: "data.delimiter: is `ab`, ...".
absl::Status Reword(const std::string& key, const v1::DataPath& entry, const absl::Status& status) {
  absl::string_view what(status.message().data(), status.message().size());
  std::string option = "columns";
  for (const char* const name : {"delimiter", "quote", "comment"}) {
    if (absl::ConsumePrefix(&what, absl::StrCat(name, " "))) option = name;
  }
  return Wrong(absl::StrCat(States(entry, option) ? key : "data", ".", option), what);
}

absl::Status ResolveColumns(const std::string& key, const v1::DataSpec& data, v1::DataPath* entry) {
  if (entry->has_index_base()) {
    return Wrong(key + ".index_base", absl::StrCat(entry->format(), " has no indices"));
  }
  const RowFormat::Options format = FormatOf(data, *entry);
  RowFormat::Options without_labels = format;  // They have rules of their own (resolve_rows.h).
  without_labels.labels = {};
  const absl::Status status = NewRowFormat(without_labels).status();
  if (!status.ok()) return Reword(key, *entry, status);
  PutFormat(format, entry);
  return absl::OkStatus();
}

absl::Status CheckFields(const std::string& key, const v1::DataSpec& data,
                         const v1::DataPath& entry) {
  const std::vector<std::string> fields = FormatOf(data, entry).fields;
  if (fields.empty()) return absl::OkStatus();
  const std::string fields_key = (entry.fields().empty() ? "data" : key) + ".fields";
  if (HasOwnFields(entry.format())) {
    return Wrong(fields_key, absl::StrCat("the rows of ", entry.format(), " state their own"));
  }
  const absl::Status status = FieldMap::Of(fields).status();
  return status.ok() ? status : Wrong(fields_key, status.message());
}

absl::Status ResolveEntry(const std::string& key, const v1::DataSpec& data, v1::DataPath* entry) {
  if (entry->path().empty()) return Wrong(key, "the path is empty");
  RETURN_IF_ERROR(ResolveFormat(key, data, entry));
  RETURN_IF_ERROR(CheckFields(key, data, *entry));
  RETURN_IF_ERROR(HasColumns(entry->format()) ? ResolveColumns(key, data, entry)
                                              : ResolveIndexBase(key, data, entry));
  if (entry->has_weights() && entry->weights().empty()) {
    return Wrong(key + ".weights", "the path is empty");
  }
  if (entry->has_weights() && entry->columns().has_weight()) {
    return Wrong(key + ".weights",
                 "rows have their weights from a file or from a column, not both");
  }
  return absl::OkStatus();
}

// What the section states must serve an entry.
absl::Status CheckSection(const v1::DataSpec& data) {
  bool columns = false;
  bool indices = false;
  bool own_fields = true;
  for (const auto* entries : {&data.train(), &data.test()}) {
    for (const v1::DataPath& entry : *entries) {
      (HasColumns(entry.format()) ? columns : indices) = true;
      own_fields = own_fields && HasOwnFields(entry.format());
    }
  }
  if (const std::string option = StatedColumnOption(data); !columns && !option.empty()) {
    return Wrong("data." + option,
                 absl::StrCat("belongs to ", FormatsWithColumns(), ", and no entry is one"));
  }
  if (data.has_index_base() && !indices) {
    return Wrong("data.index_base",
                 absl::StrCat(data.train(0).format(), " has no indices, and no entry has"));
  }
  if (data.index_base() > 1) {
    return Wrong("data.index_base", absl::StrCat(data.index_base(), " is not 0 or 1"));
  }
  if (!data.fields().empty() && own_fields) {
    return Wrong("data.fields",
                 absl::StrCat("the rows of ", data.train(0).format(), " state their own"));
  }
  if (data.has_hash_bits() && (data.hash_bits() < 1 || data.hash_bits() > kMaxHashBits)) {
    return Wrong("data.hash_bits", absl::StrCat(data.hash_bits(), " is not in 1..", kMaxHashBits));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ResolveEntries(v1::DataSpec* data) {
  if (data->train().empty()) return Wrong("data.train", "missing: state the files to train on");
  if (data->has_weights() && data->weights().empty()) {
    return Wrong("data.weights", "the path is empty");
  }
  for (int i = 0; i < data->train_size(); ++i) {
    v1::DataPath* const entry = data->mutable_train(i);
    if (data->has_weights() && !entry->has_weights()) entry->set_weights(data->weights());
    RETURN_IF_ERROR(ResolveEntry(absl::StrCat("data.train[", i, "]"), *data, entry));
  }
  for (int i = 0; i < data->test_size(); ++i) {
    RETURN_IF_ERROR(ResolveEntry(absl::StrCat("data.test[", i, "]"), *data, data->mutable_test(i)));
  }
  RETURN_IF_ERROR(CheckSection(*data));
  // What the entries did not need is filled from the first one, so that the section reads whole.
  const v1::DataPath& first = data->train(0);
  if (data->format().empty()) data->set_format(first.format());
  RETURN_IF_ERROR(CheckChoice("data.format", data->format(), RowFormatNames(), {}));
  if (!data->has_index_base() && data->format() == first.format() && first.has_index_base()) {
    data->set_index_base(first.index_base());
  }
  return absl::OkStatus();
}

}  // namespace seraph
