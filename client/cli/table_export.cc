// SPDX-License-Identifier: Apache-2.0
#include "client/cli/table_export.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/types/span.h"
#include "client/cli/job/choice.h"
#include "client/cli/npz_writer.h"
#include "common/status_macros.h"
#include "server/checkpoint/model_folder.h"

namespace seraph {
namespace {

constexpr size_t kFlushBytes = size_t{1} << 20;

// The rows of one table, keys ascending.
struct TableRows {
  std::string name;
  uint32_t dim;
  std::vector<uint64_t> keys;
  std::vector<float> values;  // [keys.size(), dim]
};

// Gathers a table's partitions, then sorts.
class TableCollector {
 public:
  TableCollector(std::string name, uint32_t dim) : name_(std::move(name)), dim_(dim) {}

  const std::string& name() const { return name_; }

  void Add(const PartitionContents& partition) {
    const size_t width = partition.header.dim + partition.header.state_width;
    keys_.insert(keys_.end(), partition.keys.begin(), partition.keys.end());
    for (size_t row = 0; row < partition.keys.size(); ++row) {
      const float* weights = partition.rows.data() + row * width;
      values_.insert(values_.end(), weights, weights + dim_);
    }
  }

  TableRows Sorted() && {
    std::vector<size_t> order(keys_.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::sort(order.begin(), order.end(),
              [this](size_t a, size_t b) { return keys_[a] < keys_[b]; });
    TableRows rows{std::move(name_), dim_, {}, {}};
    rows.keys.reserve(keys_.size());
    rows.values.reserve(values_.size());
    for (const size_t at : order) {
      rows.keys.push_back(keys_[at]);
      const auto first = values_.begin() + static_cast<ptrdiff_t>(at * dim_);
      rows.values.insert(rows.values.end(), first, first + dim_);
    }
    return rows;
  }

 private:
  std::string name_;
  uint32_t dim_;
  std::vector<uint64_t> keys_;
  std::vector<float> values_;
};

void AppendFloat(float value, std::string* out) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof(text), value);
  out->append(text, end.ptr);
}

// A format. Tables come sorted by name.
class Exporter {
 public:
  virtual ~Exporter() = default;
  virtual absl::Status Add(const TableRows& table) = 0;
  virtual absl::Status Finish() { return absl::OkStatus(); }
};

class TextExporter : public Exporter {
 public:
  explicit TextExporter(OutputFile* output) : output_(output) {}

  absl::Status Add(const TableRows& table) override {
    std::string text;
    for (size_t row = 0; row < table.keys.size(); ++row) {
      absl::StrAppend(&text, table.name, "\t", table.keys[row]);
      for (uint32_t column = 0; column < table.dim; ++column) {
        text += column == 0 ? '\t' : ' ';
        AppendFloat(table.values[row * table.dim + column], &text);
      }
      text += '\n';
      if (text.size() >= kFlushBytes) {
        RETURN_IF_ERROR(output_->Write(text));
        text.clear();
      }
    }
    return output_->Write(text);
  }

 private:
  OutputFile* const output_;
};

class CsvExporter : public Exporter {
 public:
  explicit CsvExporter(OutputFile* output) : output_(output) {}

  absl::Status Add(const TableRows& table) override {
    std::string text = std::exchange(header_, "");
    for (size_t row = 0; row < table.keys.size(); ++row) {
      for (uint32_t column = 0; column < table.dim; ++column) {
        absl::StrAppend(&text, table.name, ",", table.keys[row], ",", column, ",");
        AppendFloat(table.values[row * table.dim + column], &text);
        text += '\n';
      }
      if (text.size() >= kFlushBytes) {
        RETURN_IF_ERROR(output_->Write(text));
        text.clear();
      }
    }
    return output_->Write(text);
  }
  absl::Status Finish() override { return output_->Write(header_); }

 private:
  OutputFile* const output_;
  std::string header_ = "table,key,column,value\n";
};

class NpzExporter : public Exporter {
 public:
  explicit NpzExporter(OutputFile* output) : writer_(output) {}

  absl::Status Add(const TableRows& table) override {
    const std::string name = absl::StrReplaceAll(table.name, {{"/", "-"}});
    RETURN_IF_ERROR(writer_.Add(name + ".keys", table.keys));
    return writer_.Add(name + ".values", table.dim, table.values);
  }
  absl::Status Finish() override { return writer_.Finish(); }

 private:
  NpzWriter writer_;
};

std::unique_ptr<Exporter> NewExporter(const std::string& format, OutputFile* output) {
  if (format == "csv") return std::make_unique<CsvExporter>(output);
  if (format == "npz") return std::make_unique<NpzExporter>(output);
  return std::make_unique<TextExporter>(output);
}

}  // namespace

std::vector<std::string> ExportFormatNames() { return {"csv", "npz", "text"}; }

absl::Status ExportModel(const FileSystem& files, const std::string& folder,
                         const std::string& format, OutputFile* output) {
  RETURN_IF_ERROR(CheckChoice("--format", format, ExportFormatNames(), {}));
  ASSIGN_OR_RETURN(v1::ModelManifest manifest, ReadManifest(files, folder));
  std::sort(manifest.mutable_tables()->begin(), manifest.mutable_tables()->end(),
            [](const v1::SavedTable& a, const v1::SavedTable& b) {
              return a.spec().name() < b.spec().name();
            });
  const std::unique_ptr<Exporter> exporter = NewExporter(format, output);
  // Tables without rows have no partition, so each is walked by itself.
  for (const v1::SavedTable& table : manifest.tables()) {
    TableCollector rows(table.spec().name(), table.spec().dim());
    v1::ModelManifest one = manifest;
    one.clear_tables();
    *one.add_tables() = table;
    RETURN_IF_ERROR(VisitPartitions(
        files, folder, one, [&rows](const v1::SavedTable&, const PartitionContents& partition) {
          rows.Add(partition);
          return absl::OkStatus();
        }));
    RETURN_IF_ERROR(exporter->Add(std::move(rows).Sorted()));
  }
  return exporter->Finish();
}

}  // namespace seraph
