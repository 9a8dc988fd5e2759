// SPDX-License-Identifier: Apache-2.0
#include "worker/data/data_set.h"

#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "common/mutex.h"
#include "common/status_macros.h"
#include "worker/data/block_cutter.h"
#include "worker/data/category_key.h"
#include "worker/data/field_map.h"
#include "worker/data/record_reader.h"
#include "worker/data/row_text.h"
#include "worker/data/side_weights.h"
#include "worker/data/text_source.h"

namespace seraph {
namespace {

// How much data is looked through for an earlier bad row, once one is met.
constexpr uint64_t kFirstBadRowBytes = uint64_t{1} << 30;

using VisitBlock = std::function<absl::Status(const Block&)>;

class FileDataSet : public DataSet {
 public:
  explicit FileDataSet(Options options)
      : options_(std::move(options)), spill_(options_.spill_folder) {}

  absl::Status Add(DataFile file);

  absl::StatusOr<DataIndex> BuildIndex() const override;
  absl::Status ForEachBlock(const VisitBlock& visit) const override;
  absl::StatusOr<std::vector<FeatureScale>> FitScales(
      const DataIndex& index, ScaleRule::Method method, const HoldOut* held_out,
      const std::function<absl::Status()>& go_on) const override;
  absl::Status SetScaler(Scaler scaler) override;
  absl::Status ReadBlock(
      const Block& block, absl::Span<const uint32_t> want,
      const std::function<absl::Status(uint32_t number, const Row& row)>& visit) const override;
  absl::Status LoadBlock(const Block& block, LoadedBlock* loaded) const override;
  absl::StatusOr<bool> ParseRow(uint32_t file, const LoadedBlock& loaded, uint32_t number,
                                Row* row) const override;
  absl::Status ParseAnyRow(uint32_t file, const LoadedBlock& loaded, uint32_t number,
                           Row* row) const override;
  uint64_t rows_skipped() const override;

 private:
  // An input as it was found by Open.
  struct Input {
    DataFile file;
    std::unique_ptr<TextSource> text;
    std::unique_ptr<RowFormat> format;  // Bound to the file.
    bool columns = false;               // Else its rows are of indices.
    LabelMap labels;
    std::optional<FieldMap> fields;  // Where rows are to be numbered.
    uint64_t rows_begin = 0;         // In the text: behind the header, if it has one.
    uint64_t first_line = 1;         // Of what stands there.
    std::optional<size_t> weights;   // Into weights_.
  };

  absl::Status Bind(Input* input) const;
  absl::StatusOr<size_t> WeightsOf(const std::string& path);
  // Cuts all rows; blocks that are whole go to `visit`, unless it is null. Returns how many rows.
  absl::StatusOr<uint64_t> IndexFiles(BlockCutter* cutter, const VisitBlock& visit) const;
  // The same for one file, whose first row has number `weight_row` in its weights file.
  absl::StatusOr<uint64_t> IndexFile(uint32_t number, uint64_t weight_row, BlockCutter* cutter,
                                     const VisitBlock& visit) const;
  absl::Status CheckWeights(const std::vector<uint64_t>& rows_of_weights) const;
  absl::Status ReadBytes(const Input& input, const Block& block, std::string* buffer) const;
  absl::Status ParseEntries(const Input& input, absl::string_view record, Row* row) const;
  absl::Status HashKeys(bool drop_fields, Row* row) const;
  absl::Status ParseAndMap(const Input& input, absl::string_view record, Row* row) const;
  // A row that CheckNumber has found.
  absl::Status ParseChecked(uint32_t file, const LoadedBlock& loaded, uint32_t number,
                            Row* row) const;
  // INVALID_ARGUMENT unless the block has such a row.
  absl::Status CheckNumber(uint32_t file, const LoadedBlock& loaded, uint32_t number) const;
  // `why` with the row's place in front.
  absl::Status AtRow(uint32_t file, uint64_t line_number, const absl::Status& why) const;
  // What the policy makes of a bad row.
  absl::StatusOr<bool> BadRow(uint32_t file, uint64_t line_number, const absl::Status& error) const;
  absl::Status WeighByClass(Row* row) const;
  absl::Status ParseUnscaled(const Input& input, absl::string_view record, Row* row) const;
  // Takes the rows of a block that `learned` says yes to.
  absl::Status FitBlock(const Block& block, const std::function<bool(uint32_t row)>& learned,
                        ScaleFitter* fitter) const;
  absl::Status FirstBadRow(uint32_t file, uint64_t line_number, absl::Status met) const;
  // An error if a row of the file before that line is bad.
  absl::Status ParseRowsBefore(uint64_t line_number, const Input& input) const;

  Options options_;
  SpillFile spill_;
  std::vector<Input> inputs_;
  std::vector<SideWeights> weights_;

  mutable Mutex mu_;
  mutable uint64_t rows_skipped_ ABSL_GUARDED_BY(mu_) = 0;
  // Which rows were bad, so that an epoch that meets them again does not count them against the
  // limit. Kept only where there is a limit, which bounds it.
  mutable absl::flat_hash_set<std::pair<uint32_t, uint64_t>> bad_lines_ ABSL_GUARDED_BY(mu_);
};

// "FILE:LINE: what is wrong" for what is wrong with the text; other errors name the file already.
absl::Status AtLine(const absl::Status& status, const std::string& path, uint64_t line_number) {
  if (!absl::IsInvalidArgument(status)) return status;
  return Annotate(status, absl::StrCat(path, ":", line_number));
}

absl::Status FileDataSet::Add(DataFile file) {
  Input input;
  ASSIGN_OR_RETURN(input.format, NewRowFormat(file.format));
  input.columns = HasColumns(file.format.format);
  input.labels = options_.labels;
  if (options_.labels.binary() && !file.format.labels.empty()) {
    ASSIGN_OR_RETURN(input.labels, BinaryMapOf(file.format.labels));
  }
  if (options_.fields && !file.format.fields.empty()) {
    ASSIGN_OR_RETURN(input.fields, FieldMap::Of(file.format.fields));
  }
  ASSIGN_OR_RETURN(input.text, TextSource::Open(file.path, &spill_));
  input.rows_begin = input.text->text_begin();
  input.file = std::move(file);
  RETURN_IF_ERROR(Bind(&input));
  if (!input.file.weights.empty()) {
    ASSIGN_OR_RETURN(input.weights, WeightsOf(input.file.weights));
  }
  inputs_.push_back(std::move(input));
  return absl::OkStatus();
}

// A file without a record stays unbound: the index pass refuses it.
absl::Status FileDataSet::Bind(Input* input) const {
  const TextSource& text = *input->text;
  ASSIGN_OR_RETURN(const TextSource::View view, text.OpenView());
  RecordReader records(view.file, view.begin + text.text_begin(), view.begin + text.bytes(),
                       input->format.get());
  const absl::StatusOr<bool> more = records.Next();
  if (!more.ok()) return AtLine(more.status(), text.path(), records.line_number());
  if (!*more) return absl::OkStatus();
  absl::StatusOr<std::unique_ptr<RowFormat>> bound = input->format->BindTo(records.record());
  if (!bound.ok()) return AtLine(bound.status(), text.path(), records.line_number());
  if (*bound == nullptr) return absl::OkStatus();
  input->format = std::move(*bound);
  if (input->format->has_header()) {
    input->rows_begin = records.end_offset() - view.begin;
    input->first_line = records.next_line_number();
  }
  return absl::OkStatus();
}

// A weights file that several data files name is loaded once.
absl::StatusOr<size_t> FileDataSet::WeightsOf(const std::string& path) {
  for (size_t i = 0; i < weights_.size(); ++i) {
    if (weights_[i].path() == path) return i;
  }
  ASSIGN_OR_RETURN(SideWeights weights, SideWeights::Load(path, &spill_));
  weights_.push_back(std::move(weights));
  return weights_.size() - 1;
}

absl::StatusOr<DataIndex> FileDataSet::BuildIndex() const {
  DataIndex index;
  BlockCutter cutter;
  ASSIGN_OR_RETURN(index.rows, IndexFiles(&cutter, nullptr));
  for (const Input& input : inputs_) index.files.push_back(input.file);
  index.blocks = cutter.Take();
  return index;
}

absl::Status FileDataSet::ForEachBlock(const VisitBlock& visit) const {
  BlockCutter cutter;
  RETURN_IF_ERROR(IndexFiles(&cutter, visit).status());
  return absl::OkStatus();
}

absl::StatusOr<uint64_t> FileDataSet::IndexFiles(BlockCutter* cutter,
                                                 const VisitBlock& visit) const {
  uint64_t all_rows = 0;
  std::vector<uint64_t> rows_of_weights(weights_.size());
  for (uint32_t number = 0; number < inputs_.size(); ++number) {
    const Input& input = inputs_[number];
    const uint64_t weight_row = input.weights.has_value() ? rows_of_weights[*input.weights] : 0;
    ASSIGN_OR_RETURN(const uint64_t rows, IndexFile(number, weight_row, cutter, visit));
    if (rows == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("data file ", input.file.path, " holds no rows"));
    }
    if (input.weights.has_value()) rows_of_weights[*input.weights] += rows;
    all_rows += rows;
  }
  RETURN_IF_ERROR(CheckWeights(rows_of_weights));
  return all_rows;
}

absl::Status FileDataSet::CheckWeights(const std::vector<uint64_t>& rows_of_weights) const {
  for (size_t i = 0; i < weights_.size(); ++i) {
    if (weights_[i].count() == rows_of_weights[i]) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "weights file ", weights_[i].path(), " holds ", weights_[i].count(),
        " numbers, but the data that it belongs to has ", rows_of_weights[i], " rows"));
  }
  return absl::OkStatus();
}

absl::StatusOr<uint64_t> FileDataSet::IndexFile(uint32_t number, uint64_t weight_row,
                                                BlockCutter* cutter,
                                                const VisitBlock& visit) const {
  const Input& input = inputs_[number];
  const TextSource& text = *input.text;
  ASSIGN_OR_RETURN(const TextSource::View view, text.OpenView());
  RecordReader records(view.file, view.begin + input.rows_begin, view.begin + text.bytes(),
                       input.format.get(), input.first_line);
  cutter->StartFile(number);
  uint64_t rows = 0;
  while (true) {
    const absl::StatusOr<bool> more = records.Next();
    if (!more.ok()) return AtLine(more.status(), text.path(), records.line_number());
    if (!*more) break;
    cutter->AddRow(records.line_number(), records.offset() - view.begin,
                   records.end_offset() - view.begin, weight_row + rows);
    ++rows;
    if (visit != nullptr && cutter->blocks() > 1) RETURN_IF_ERROR(visit(cutter->TakeFirst()));
  }
  RETURN_IF_ERROR(text.CheckUnchanged(view));
  if (visit != nullptr && rows > 0) RETURN_IF_ERROR(visit(cutter->TakeFirst()));
  return rows;
}

absl::Status FileDataSet::ReadBytes(const Input& input, const Block& block,
                                    std::string* buffer) const {
  const TextSource& text = *input.text;
  if (block.offset > text.bytes() || block.bytes > text.bytes() - block.offset) {
    return absl::DataLossError(absl::StrCat("data file ", text.path(), " has ", text.bytes(),
                                            " bytes, but its index has a block at byte ",
                                            block.offset, " of ", block.bytes, " bytes"));
  }
  ASSIGN_OR_RETURN(const TextSource::View view, text.OpenView());
  buffer->resize(static_cast<size_t>(block.bytes));
  RETURN_IF_ERROR(view.file->ReadAt(view.begin + block.offset, buffer->size(), buffer->data()));
  return text.CheckUnchanged(view);
}

absl::Status FileDataSet::LoadBlock(const Block& block, LoadedBlock* loaded) const {
  if (block.file >= inputs_.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("read block of data file ", block.file, " of ", inputs_.size()));
  }
  const Input& input = inputs_[block.file];
  RETURN_IF_ERROR(ReadBytes(input, block, &loaded->buffer));
  loaded->records.clear();
  loaded->line_numbers.clear();
  loaded->weights.clear();
  uint64_t line_number = block.first_line;
  uint64_t lines = 0;
  for (absl::string_view rest = loaded->buffer; !rest.empty(); line_number += lines) {
    const absl::string_view record = TakeRecord(*input.format, &rest, &lines);
    if (!input.format->IsRow(record)) continue;
    loaded->records.push_back(record);
    loaded->line_numbers.push_back(line_number);
  }
  if (loaded->records.size() != block.rows) {
    return absl::DataLossError(absl::StrCat(
        "data file ", input.file.path, " changed since it was indexed: ", block.rows,
        " rows expected from line ", block.first_line, " on, ", loaded->records.size(), " found"));
  }
  if (!input.weights.has_value()) return absl::OkStatus();
  return weights_[*input.weights].Read(block.weight_row, block.rows, &loaded->weights);
}

absl::Status FileDataSet::ReadBlock(
    const Block& block, absl::Span<const uint32_t> want,
    const std::function<absl::Status(uint32_t number, const Row& row)>& visit) const {
  LoadedBlock loaded;
  RETURN_IF_ERROR(LoadBlock(block, &loaded));
  const size_t count = want.empty() ? loaded.records.size() : want.size();
  Row row;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t number = want.empty() ? static_cast<uint32_t>(i) : want[i];
    ASSIGN_OR_RETURN(const bool good, ParseRow(block.file, loaded, number, &row));
    if (good) RETURN_IF_ERROR(visit(number, row));
  }
  return absl::OkStatus();
}

// Parses a row of which something hangs on how its entries stand in the file.
absl::Status FileDataSet::ParseEntries(const Input& input, absl::string_view record,
                                       Row* row) const {
  RETURN_IF_ERROR(input.format->ParseEntries(record, row));
  // Before zeros go: one that is written may be a value by its scale, and one that is none needs no
  // field.
  if (input.columns) RETURN_IF_ERROR(options_.scaler.ScaleColumns(options_.hash_bits, row));
  if (input.fields.has_value()) RETURN_IF_ERROR(input.fields->Number(row));
  return NormaliseRow("key", 0, row);
}

absl::Status FileDataSet::HashKeys(bool drop_fields, Row* row) const {
  const bool drops_fields = drop_fields && !row->fields.empty();
  if (drops_fields) row->fields.clear();
  if (options_.hash_bits > 0) {
    for (uint64_t& key : row->keys) key = HashedKey(key, options_.hash_bits);
  }
  if (options_.hash_bits == 0 && !drops_fields) return absl::OkStatus();
  return NormaliseRow("key", 0, row);
}

absl::Status FileDataSet::ParseAndMap(const Input& input, absl::string_view record,
                                      Row* row) const {
  const bool scales = !options_.scaler.idle();
  const bool plain = !input.fields.has_value() && !(input.columns && scales);
  RETURN_IF_ERROR(plain ? input.format->Parse(record, row) : ParseEntries(input, record, row));
  ASSIGN_OR_RETURN(row->label, input.labels.Map(row->label));
  RETURN_IF_ERROR(HashKeys(!options_.fields, row));
  return scales && !input.columns ? options_.scaler.ScaleRow(row) : absl::OkStatus();
}

// A row as a fitter takes it.
absl::Status FileDataSet::ParseUnscaled(const Input& input, absl::string_view record,
                                        Row* row) const {
  RETURN_IF_ERROR(input.columns ? input.format->ParseEntries(record, row)
                                : input.format->Parse(record, row));
  RETURN_IF_ERROR(input.labels.Map(row->label).status());
  return input.columns ? absl::OkStatus() : HashKeys(/*drop_fields=*/true, row);
}

absl::Status FileDataSet::FitBlock(const Block& block,
                                   const std::function<bool(uint32_t row)>& learned,
                                   ScaleFitter* fitter) const {
  LoadedBlock loaded;
  RETURN_IF_ERROR(LoadBlock(block, &loaded));
  const Input& input = inputs_[block.file];
  Row row;
  for (size_t i = 0; i < loaded.records.size(); ++i) {
    if (!learned(static_cast<uint32_t>(i))) continue;
    const absl::Status status = ParseUnscaled(input, loaded.records[i], &row);
    if (!status.ok()) {
      const uint64_t line = loaded.line_numbers[i];
      RETURN_IF_ERROR(BadRow(block.file, line, AtRow(block.file, line, status)).status());
      continue;
    }
    RETURN_IF_ERROR(input.columns ? fitter->AddColumns(options_.hash_bits, row)
                                  : fitter->AddRow(row));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<FeatureScale>> FileDataSet::FitScales(
    const DataIndex& index, ScaleRule::Method method, const HoldOut* held_out,
    const std::function<absl::Status()>& go_on) const {
  for (const Input& input : inputs_) {
    if (input.columns == inputs_[0].columns) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("data files ", inputs_[0].file.path, " and ", input.file.path,
                     " are measured for scaling together, but rows of columns and rows of indices "
                     "are scaled unlike"));
  }
  ScaleFitter fitter(method);
  for (uint32_t b = 0; b < index.blocks.size(); ++b) {
    RETURN_IF_ERROR(go_on());
    const auto learned = [&](uint32_t row) {
      return held_out == nullptr || !held_out->Has(b, row);
    };
    RETURN_IF_ERROR(FitBlock(index.blocks[b], learned, &fitter));
  }
  return fitter.Scales();
}

absl::Status FileDataSet::SetScaler(Scaler scaler) {
  for (const Input& input : inputs_) {
    if (!scaler.has_offsets() || input.columns) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("data file ", input.file.path,
                     " has rows of indices, but the model was "
                     "trained on columns that are scaled with offsets (data.scale)"));
  }
  options_.scaler = std::move(scaler);
  return absl::OkStatus();
}

absl::Status FileDataSet::WeighByClass(Row* row) const {
  const std::vector<double>& weights = options_.class_weights;
  if (!(row->label >= 0 && row->label < static_cast<float>(weights.size()))) {
    return absl::OkStatus();
  }
  row->weight = static_cast<float>(row->weight * weights[static_cast<size_t>(row->label)]);
  if (std::isfinite(row->weight)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "the weight, multiplied by that of its class, is more than a 32-bit float holds");
}

absl::Status FileDataSet::ParseAnyRow(uint32_t file, const LoadedBlock& loaded, uint32_t number,
                                      Row* row) const {
  RETURN_IF_ERROR(CheckNumber(file, loaded, number));
  return ParseChecked(file, loaded, number, row);
}

absl::Status FileDataSet::ParseChecked(uint32_t file, const LoadedBlock& loaded, uint32_t number,
                                       Row* row) const {
  absl::Status status = ParseAndMap(inputs_[file], loaded.records[number], row);
  if (status.ok()) {
    if (!loaded.weights.empty()) row->weight = loaded.weights[number];
    status = WeighByClass(row);
  }
  return status.ok() ? status : AtRow(file, loaded.line_numbers[number], status);
}

absl::Status FileDataSet::AtRow(uint32_t file, uint64_t line_number,
                                const absl::Status& why) const {
  return Annotate(why, absl::StrCat(inputs_[file].file.path, ":", line_number));
}

absl::Status FileDataSet::CheckNumber(uint32_t file, const LoadedBlock& loaded,
                                      uint32_t number) const {
  if (file >= inputs_.size() || number >= loaded.records.size()) {
    return absl::InvalidArgumentError(absl::StrCat("read row ", number, " of a block of ",
                                                   loaded.records.size(), " rows, of data file ",
                                                   file, " of ", inputs_.size()));
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> FileDataSet::ParseRow(uint32_t file, const LoadedBlock& loaded,
                                           uint32_t number, Row* row) const {
  RETURN_IF_ERROR(CheckNumber(file, loaded, number));
  const absl::Status status = ParseChecked(file, loaded, number, row);
  if (!status.ok()) return BadRow(file, loaded.line_numbers[number], status);
  return true;
}

absl::StatusOr<bool> FileDataSet::BadRow(uint32_t file, uint64_t line_number,
                                         const absl::Status& error) const {
  const BadRowPolicy& policy = options_.bad_rows;
  if (!policy.skip) return FirstBadRow(file, line_number, error);
  MutexLock lock(&mu_);
  if (policy.max_bad_rows > 0) {
    bad_lines_.emplace(file, line_number);
    if (bad_lines_.size() > policy.max_bad_rows) return TooManyBadRows(error, policy);
  }
  ++rows_skipped_;
  return false;
}

// Rows are read in shuffled order by several workers: which bad one is met first is chance. People
// mend a file from its top, and runs are compared, so the error names the first one.
absl::Status FileDataSet::FirstBadRow(uint32_t file, uint64_t line_number, absl::Status met) const {
  uint64_t left = kFirstBadRowBytes;
  for (uint32_t f = 0; f <= file && inputs_[f].text->bytes() <= left; ++f) {
    left -= inputs_[f].text->bytes();
    const uint64_t end = f == file ? line_number : std::numeric_limits<uint64_t>::max();
    const absl::Status first = ParseRowsBefore(end, inputs_[f]);
    if (absl::IsInvalidArgument(first)) return first;
    if (!first.ok()) return met;
  }
  return met;
}

absl::Status FileDataSet::ParseRowsBefore(uint64_t line_number, const Input& input) const {
  const TextSource& text = *input.text;
  ASSIGN_OR_RETURN(const TextSource::View view, text.OpenView());
  RecordReader records(view.file, view.begin + input.rows_begin, view.begin + text.bytes(),
                       input.format.get(), input.first_line);
  Row row;
  while (true) {
    const absl::StatusOr<bool> more = records.Next();
    if (!more.ok()) return AtLine(more.status(), text.path(), records.line_number());
    if (!*more || records.line_number() >= line_number) return absl::OkStatus();
    const absl::Status parsed = ParseAndMap(input, records.record(), &row);
    if (!parsed.ok())
      return Annotate(parsed, absl::StrCat(text.path(), ":", records.line_number()));
  }
}

uint64_t FileDataSet::rows_skipped() const {
  MutexLock lock(&mu_);
  return rows_skipped_;
}

}  // namespace

absl::Status TooManyBadRows(const absl::Status& bad_row, const BadRowPolicy& policy) {
  return absl::InvalidArgumentError(absl::StrCat(
      bad_row.message(), " (more than max_bad_rows: ", policy.max_bad_rows, " bad rows)"));
}

absl::StatusOr<std::unique_ptr<DataSet>> DataSet::Open(std::vector<DataFile> files,
                                                       Options options) {
  if (files.empty()) return absl::InvalidArgumentError("open a data set of no files");
  if (options.hash_bits > 64) {
    return absl::InvalidArgumentError(
        absl::StrCat("hash_bits is ", options.hash_bits, ", must be 1 to 64"));
  }
  auto data_set = std::make_unique<FileDataSet>(options);
  for (DataFile& file : files) RETURN_IF_ERROR(data_set->Add(std::move(file)));
  RETURN_IF_ERROR(data_set->SetScaler(options.scaler));
  return data_set;
}

}  // namespace seraph
