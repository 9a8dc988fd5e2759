// SPDX-License-Identifier: Apache-2.0
#include "worker/data/data_set.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/mutex.h"
#include "common/status_macros.h"
#include "worker/data/block_cutter.h"
#include "worker/data/data_file_reader.h"
#include "worker/data/gzip.h"
#include "worker/data/line_reader.h"

namespace seraph {
namespace {

// How much data is looked through for an earlier bad row, once one is met.
constexpr uint64_t kFirstBadRowBytes = uint64_t{1} << 30;
constexpr absl::string_view kByteOrderMark = "\xef\xbb\xbf";

class FileDataSet : public DataSet {
 public:
  explicit FileDataSet(Options options) : options_(std::move(options)) {}

  absl::Status Add(DataFile file);

  absl::StatusOr<DataIndex> BuildIndex() const override;
  absl::Status ReadBlock(
      const Block& block, absl::Span<const uint32_t> want,
      const std::function<absl::Status(uint32_t number, const Row& row)>& visit) const override;
  absl::Status LoadBlock(const Block& block, std::string* buffer,
                         std::vector<absl::string_view>* lines,
                         std::vector<uint64_t>* line_numbers) const override;
  absl::StatusOr<bool> ParseLine(uint32_t file, uint64_t line_number, absl::string_view line,
                                 Row* row) const override;
  uint64_t rows_skipped() const override;

 private:
  // An input as it was found by Open.
  struct Input {
    DataFile file;
    std::unique_ptr<RowFormat> format;
    FileStamp stamp;  // Of the file as it lies on disk, compressed or not.
    bool spilled = false;
    uint64_t begin = 0;  // First byte of the inflated file, in the spill file if it lies there.
    uint64_t bytes = 0;  // Of the inflated file.
  };

  absl::Status Inflate(const DataFileReader& compressed, Input* input);
  // The file that holds the input's bytes: the spill file, or a fresh descriptor in `own`.
  absl::StatusOr<const DataFileReader*> FileOf(const Input& input,
                                               std::unique_ptr<DataFileReader>* own) const;
  absl::Status CheckUnchanged(const Input& input, const DataFileReader& file) const;
  // Returns the number of rows.
  absl::StatusOr<uint64_t> IndexFile(uint32_t number, BlockCutter* cutter) const;
  absl::Status ReadBytes(const Input& input, const Block& block, std::string* buffer) const;
  absl::Status ParseAndMap(const Input& input, absl::string_view line, Row* row) const;
  absl::StatusOr<bool> BadRow(uint32_t file, uint64_t line_number, absl::Status why) const;
  absl::Status NameRow(uint32_t file, uint64_t line_number, const absl::Status& why) const {
    return Annotate(why, absl::StrCat(inputs_[file].file.path, ":", line_number));
  }
  absl::Status FirstBadRow(uint32_t file, uint64_t line_number, absl::Status met) const;

  const Options options_;
  std::vector<Input> inputs_;
  std::unique_ptr<DataFileReader> spill_;
  uint64_t spilled_bytes_ = 0;

  mutable Mutex mu_;
  mutable uint64_t rows_skipped_ ABSL_GUARDED_BY(mu_) = 0;
  // Which rows were bad, so that an epoch that meets them again does not count them against the
  // limit. Kept only where there is a limit, which bounds it.
  mutable absl::flat_hash_set<std::pair<uint32_t, uint64_t>> bad_lines_ ABSL_GUARDED_BY(mu_);
};

absl::Status FileDataSet::Add(DataFile file) {
  Input input;
  ASSIGN_OR_RETURN(input.format, NewRowFormat(file.format));
  input.file = std::move(file);
  const std::string& path = input.file.path;
  ASSIGN_OR_RETURN(std::unique_ptr<DataFileReader> reader, DataFileReader::Open(path));
  ASSIGN_OR_RETURN(input.stamp, reader->Stamp());
  input.bytes = input.stamp.bytes;

  std::string magic(static_cast<size_t>(std::min<uint64_t>(input.bytes, 4)), '\0');
  RETURN_IF_ERROR(reader->ReadAt(0, magic.size(), magic.data()));
  if (absl::StartsWith(magic, kGzipMagic)) {
    RETURN_IF_ERROR(Inflate(*reader, &input));
  } else if (absl::EndsWithIgnoreCase(path, ".gz")) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot read ", path, ": it is named .gz but is not gzip data"));
  } else if (absl::StartsWith(magic, kZstdMagic)) {
    return absl::UnimplementedError(
        absl::StrCat("cannot read ", path, ": zstd is not read by this version; use gzip"));
  }
  inputs_.push_back(std::move(input));
  return absl::OkStatus();
}

// All compressed inputs share one spill file, one after another: one descriptor, whatever their
// number.
absl::Status FileDataSet::Inflate(const DataFileReader& compressed, Input* input) {
  if (spill_ == nullptr) {
    ASSIGN_OR_RETURN(spill_, DataFileReader::CreateUnlinked(options_.spill_folder));
  }
  RETURN_IF_ERROR(InflateGzip(input->file.path, compressed, input->stamp.bytes, spill_.get()));
  RETURN_IF_ERROR(CheckUnchanged(*input, compressed));
  ASSIGN_OR_RETURN(const FileStamp spill, spill_->Stamp());
  input->spilled = true;
  input->begin = spilled_bytes_;
  input->bytes = spill.bytes - spilled_bytes_;
  spilled_bytes_ = spill.bytes;
  return absl::OkStatus();
}

absl::StatusOr<const DataFileReader*> FileDataSet::FileOf(
    const Input& input, std::unique_ptr<DataFileReader>* own) const {
  if (input.spilled) return spill_.get();
  absl::StatusOr<std::unique_ptr<DataFileReader>> opened = DataFileReader::Open(input.file.path);
  if (absl::IsNotFound(opened.status())) {
    return absl::DataLossError(
        absl::StrCat("data file ", input.file.path, " is gone since the job began to read it"));
  }
  ASSIGN_OR_RETURN(*own, std::move(opened));
  return own->get();
}

absl::Status FileDataSet::CheckUnchanged(const Input& input, const DataFileReader& file) const {
  if (&file == spill_.get()) return absl::OkStatus();
  ASSIGN_OR_RETURN(const FileStamp now, file.Stamp());
  if (now == input.stamp) return absl::OkStatus();
  return absl::DataLossError(
      absl::StrCat("data file ", input.file.path, " changed since the job began to read it"));
}

absl::StatusOr<DataIndex> FileDataSet::BuildIndex() const {
  DataIndex index;
  BlockCutter cutter;
  for (uint32_t number = 0; number < inputs_.size(); ++number) {
    ASSIGN_OR_RETURN(const uint64_t rows, IndexFile(number, &cutter));
    if (rows == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("data file ", inputs_[number].file.path, " holds no rows"));
    }
    index.rows += rows;
    index.files.push_back(inputs_[number].file);
  }
  index.blocks = cutter.Take();
  return index;
}

absl::StatusOr<uint64_t> FileDataSet::IndexFile(uint32_t number, BlockCutter* cutter) const {
  const Input& input = inputs_[number];
  std::unique_ptr<DataFileReader> own;
  ASSIGN_OR_RETURN(const DataFileReader* file, FileOf(input, &own));
  RETURN_IF_ERROR(CheckUnchanged(input, *file));

  std::string start(static_cast<size_t>(std::min<uint64_t>(input.bytes, kByteOrderMark.size())),
                    '\0');
  RETURN_IF_ERROR(file->ReadAt(input.begin, start.size(), start.data()));
  const uint64_t skip = start == kByteOrderMark ? start.size() : 0;

  LineReader lines(file, input.begin + skip, input.begin + input.bytes);
  cutter->StartFile(number);
  uint64_t rows = 0;
  for (uint64_t line_number = 1;; ++line_number) {
    absl::StatusOr<bool> more = lines.Next();
    if (absl::IsInvalidArgument(more.status())) {
      return Annotate(more.status(), absl::StrCat(input.file.path, ":", line_number));
    }
    RETURN_IF_ERROR(more.status());
    if (!*more) break;
    if (!input.format->IsRow(lines.line())) continue;
    cutter->AddRow(line_number, lines.offset() - input.begin, lines.end_offset() - input.begin);
    ++rows;
  }
  RETURN_IF_ERROR(CheckUnchanged(input, *file));
  return rows;
}

absl::Status FileDataSet::ReadBytes(const Input& input, const Block& block,
                                    std::string* buffer) const {
  if (block.offset > input.bytes || block.bytes > input.bytes - block.offset) {
    return absl::DataLossError(absl::StrCat("data file ", input.file.path, " has ", input.bytes,
                                            " bytes, but its index has a block at byte ",
                                            block.offset, " of ", block.bytes, " bytes"));
  }
  std::unique_ptr<DataFileReader> own;
  ASSIGN_OR_RETURN(const DataFileReader* file, FileOf(input, &own));
  buffer->resize(static_cast<size_t>(block.bytes));
  RETURN_IF_ERROR(file->ReadAt(input.begin + block.offset, buffer->size(), buffer->data()));
  return CheckUnchanged(input, *file);
}

absl::Status FileDataSet::LoadBlock(const Block& block, std::string* buffer,
                                    std::vector<absl::string_view>* lines,
                                    std::vector<uint64_t>* line_numbers) const {
  if (block.file >= inputs_.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("read block of data file ", block.file, " of ", inputs_.size()));
  }
  const Input& input = inputs_[block.file];
  RETURN_IF_ERROR(ReadBytes(input, block, buffer));
  lines->clear();
  line_numbers->clear();
  uint64_t line_number = block.first_line;
  for (absl::string_view rest = *buffer; !rest.empty(); ++line_number) {
    const absl::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (!input.format->IsRow(line)) continue;
    lines->push_back(line);
    line_numbers->push_back(line_number);
  }
  if (lines->size() != block.rows) {
    return absl::DataLossError(absl::StrCat(
        "data file ", input.file.path, " changed since it was indexed: ", block.rows,
        " rows expected from line ", block.first_line, " on, ", lines->size(), " found"));
  }
  return absl::OkStatus();
}

absl::Status FileDataSet::ReadBlock(
    const Block& block, absl::Span<const uint32_t> want,
    const std::function<absl::Status(uint32_t number, const Row& row)>& visit) const {
  std::string buffer;
  std::vector<absl::string_view> lines;
  std::vector<uint64_t> line_numbers;
  RETURN_IF_ERROR(LoadBlock(block, &buffer, &lines, &line_numbers));
  const size_t count = want.empty() ? lines.size() : want.size();
  Row row;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t number = want.empty() ? static_cast<uint32_t>(i) : want[i];
    if (number >= lines.size()) {
      return absl::InvalidArgumentError(
          absl::StrCat("read row ", number, " of a block of ", lines.size(), " rows"));
    }
    ASSIGN_OR_RETURN(const bool good,
                     ParseLine(block.file, line_numbers[number], lines[number], &row));
    if (good) RETURN_IF_ERROR(visit(number, row));
  }
  return absl::OkStatus();
}

absl::Status FileDataSet::ParseAndMap(const Input& input, absl::string_view line, Row* row) const {
  RETURN_IF_ERROR(input.format->Parse(line, row));
  ASSIGN_OR_RETURN(row->label, options_.labels.Map(row->label));
  return absl::OkStatus();
}

absl::StatusOr<bool> FileDataSet::ParseLine(uint32_t file, uint64_t line_number,
                                            absl::string_view line, Row* row) const {
  if (file >= inputs_.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("parse a line of data file ", file, " of ", inputs_.size()));
  }
  absl::Status status = ParseAndMap(inputs_[file], line, row);
  if (status.ok()) return true;
  return BadRow(file, line_number, std::move(status));
}

absl::StatusOr<bool> FileDataSet::BadRow(uint32_t file, uint64_t line_number,
                                         absl::Status why) const {
  const absl::Status error = NameRow(file, line_number, why);
  const BadRowPolicy& policy = options_.bad_rows;
  if (!policy.skip) return FirstBadRow(file, line_number, error);
  MutexLock lock(&mu_);
  if (policy.max_bad_rows > 0) {
    bad_lines_.emplace(file, line_number);
    if (bad_lines_.size() > policy.max_bad_rows) {
      return absl::InvalidArgumentError(absl::StrCat(
          error.message(), " (more than max_bad_rows: ", policy.max_bad_rows, " bad rows)"));
    }
  }
  ++rows_skipped_;
  return false;
}

// Rows are read in shuffled order by several workers: which bad one is met first is chance. People
// mend a file from its top, and runs are compared, so the error names the first one.
absl::Status FileDataSet::FirstBadRow(uint32_t file, uint64_t line_number, absl::Status met) const {
  uint64_t left = kFirstBadRowBytes;
  std::string buffer;
  std::vector<absl::string_view> lines;
  std::vector<uint64_t> numbers;
  Row row;
  for (uint32_t f = 0; f <= file && inputs_[f].bytes <= left; ++f) {
    left -= inputs_[f].bytes;
    BlockCutter cutter;
    if (!IndexFile(f, &cutter).ok()) return met;
    for (const Block& block : cutter.Take()) {
      if (f == file && block.first_line >= line_number) return met;
      if (!LoadBlock(block, &buffer, &lines, &numbers).ok()) return met;
      for (size_t i = 0; i < lines.size(); ++i) {
        const absl::Status parsed = ParseAndMap(inputs_[f], lines[i], &row);
        if (!parsed.ok()) return NameRow(f, numbers[i], parsed);
      }
    }
  }
  return met;
}

uint64_t FileDataSet::rows_skipped() const {
  MutexLock lock(&mu_);
  return rows_skipped_;
}

}  // namespace

absl::StatusOr<std::unique_ptr<DataSet>> DataSet::Open(std::vector<DataFile> files,
                                                       Options options) {
  if (files.empty()) return absl::InvalidArgumentError("open a data set of no files");
  auto data_set = std::make_unique<FileDataSet>(std::move(options));
  for (DataFile& file : files) RETURN_IF_ERROR(data_set->Add(std::move(file)));
  return data_set;
}

}  // namespace seraph
