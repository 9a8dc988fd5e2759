// SPDX-License-Identifier: Apache-2.0
#include "worker/train/data_entry.h"

#include <string>
#include <vector>

#include "worker/data/csv.h"

namespace seraph {
namespace {

using Texts = google::protobuf::RepeatedPtrField<std::string>;

std::vector<std::string> ToVector(const Texts& texts) { return {texts.begin(), texts.end()}; }

Texts FromVector(const std::vector<std::string>& texts) { return {texts.begin(), texts.end()}; }

Columns ColumnsOf(const v1::ColumnSpec& spec) {
  Columns columns;
  if (spec.has_label()) columns.label = spec.label();
  columns.numeric = ToVector(spec.numeric());
  columns.categorical = ToVector(spec.categorical());
  columns.weight = spec.weight();
  columns.names = ToVector(spec.names());
  return columns;
}

v1::ColumnSpec ToProto(const Columns& columns) {
  v1::ColumnSpec spec;
  spec.set_label(columns.label);
  *spec.mutable_numeric() = FromVector(columns.numeric);
  *spec.mutable_categorical() = FromVector(columns.categorical);
  if (!columns.weight.empty()) spec.set_weight(columns.weight);
  *spec.mutable_names() = FromVector(columns.names);
  return spec;
}

// Fields where the format has none of its own.
Texts FieldsOf(const v1::DataSpec& data, const v1::DataPath& entry, const std::string& format) {
  if (!entry.fields().empty()) return entry.fields();
  return HasOwnFields(format) ? Texts() : data.fields();
}

// What `message`, a section or an entry, says of the dialect.
template <typename Message>
void Override(const Message& message, Dialect* dialect) {
  if (message.has_header()) dialect->header = message.header();
  if (message.has_delimiter()) dialect->delimiter = message.delimiter();
  if (message.has_quote()) dialect->quote = message.quote();
  if (message.has_comment()) dialect->comment = message.comment();
  if (!message.missing().empty()) dialect->missing = ToVector(message.missing());
}

}  // namespace

LabelLists LabelListsOf(const v1::LabelSpec& spec) {
  return {.positive = ToVector(spec.positive()), .negative = ToVector(spec.negative())};
}

RowFormat::Options FormatOf(const v1::DataSpec& data, const v1::DataPath& entry) {
  RowFormat::Options format;
  format.format = entry.has_format() ? entry.format() : data.format();
  format.fields = ToVector(FieldsOf(data, entry, format.format));
  format.labels = LabelListsOf(entry.has_label() ? entry.label() : data.label());
  const bool own = format.format != data.format();
  if (!HasColumns(format.format)) {
    if (entry.has_index_base()) {
      format.index_base = entry.index_base();
    } else if (!own && data.has_index_base()) {
      format.index_base = data.index_base();
    }
    return format;
  }
  Override(data, &format.dialect);
  if (own) format.dialect.delimiter.clear();
  Override(entry, &format.dialect);
  format.columns = ColumnsOf(entry.has_columns() ? entry.columns() : data.columns());
  if (format.columns.names.empty()) format.columns.names = ToVector(data.columns().names());
  return format;
}

void PutFormat(const RowFormat::Options& format, v1::DataPath* entry) {
  entry->set_format(format.format);
  if (!format.labels.empty()) {
    *entry->mutable_label()->mutable_positive() = FromVector(format.labels.positive);
    *entry->mutable_label()->mutable_negative() = FromVector(format.labels.negative);
  }
  *entry->mutable_fields() = FromVector(format.fields);
  if (format.index_base.has_value()) {
    entry->set_index_base(static_cast<uint32_t>(*format.index_base));
  }
  if (!HasColumns(format.format)) return;
  const Dialect& dialect = format.dialect;
  *entry->mutable_columns() = ToProto(format.columns);
  entry->set_header(dialect.header);
  entry->set_delimiter(dialect.delimiter.empty() ? DefaultDelimiter(format.format)
                                                 : dialect.delimiter);
  entry->set_quote(dialect.quote);
  entry->set_comment(dialect.comment);
  *entry->mutable_missing() = FromVector(dialect.missing);
}

}  // namespace seraph
