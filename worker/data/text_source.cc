// SPDX-License-Identifier: Apache-2.0
#include "worker/data/text_source.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "worker/data/gzip.h"
#include "worker/data/zstd.h"

namespace seraph {
namespace {

constexpr absl::string_view kByteOrderMark = "\xef\xbb\xbf";

absl::StatusOr<std::string> FirstBytes(const DataFileReader& file, uint64_t offset, uint64_t bytes,
                                       uint64_t wanted) {
  std::string first(static_cast<size_t>(std::min(bytes, wanted)), '\0');
  RETURN_IF_ERROR(file.ReadAt(offset, first.size(), first.data()));
  return first;
}

absl::Status CheckName(const std::string& path, absl::string_view ending, absl::string_view kind) {
  if (!absl::EndsWithIgnoreCase(path, ending)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("cannot read ", path, ": it is named ", ending, " but is not ", kind, " data"));
}

}  // namespace

absl::StatusOr<DataFileReader*> SpillFile::file() {
  if (file_ == nullptr) {
    ASSIGN_OR_RETURN(file_, DataFileReader::CreateUnlinked(folder_));
  }
  return file_.get();
}

absl::StatusOr<uint64_t> SpillFile::bytes() const {
  if (file_ == nullptr) return uint64_t{0};
  ASSIGN_OR_RETURN(const FileStamp stamp, file_->Stamp());
  return stamp.bytes;
}

absl::StatusOr<std::unique_ptr<TextSource>> TextSource::Open(const std::string& path,
                                                             SpillFile* spill) {
  ASSIGN_OR_RETURN(const std::unique_ptr<DataFileReader> file, DataFileReader::Open(path));
  ASSIGN_OR_RETURN(const FileStamp stamp, file->Stamp());
  std::unique_ptr<TextSource> source(new TextSource(path, stamp));
  source->bytes_ = stamp.bytes;
  ASSIGN_OR_RETURN(const std::string magic, FirstBytes(*file, 0, stamp.bytes, 4));
  const bool gzip = absl::StartsWith(magic, kGzipMagic);
  if (!gzip) RETURN_IF_ERROR(CheckName(path, ".gz", "gzip"));
  const bool zstd = IsZstdMagic(magic);
  if (!zstd) RETURN_IF_ERROR(CheckName(path, ".zst", "zstd"));
  if (!gzip && !zstd) {
    RETURN_IF_ERROR(source->SkipByteOrderMark(*file));
    return source;
  }
  RETURN_IF_ERROR(source->Inflate(*file, spill, gzip));
  RETURN_IF_ERROR(source->SkipByteOrderMark(*source->spilled_));
  return source;
}

absl::Status TextSource::Inflate(const DataFileReader& compressed, SpillFile* spill, bool gzip) {
  ASSIGN_OR_RETURN(DataFileReader* const out, spill->file());
  ASSIGN_OR_RETURN(begin_, spill->bytes());
  RETURN_IF_ERROR(gzip ? InflateGzip(path_, compressed, stamp_.bytes, out)
                       : InflateZstd(path_, compressed, stamp_.bytes, out));
  RETURN_IF_ERROR(CheckUnchanged({.file = &compressed, .begin = 0, .own = nullptr}));
  ASSIGN_OR_RETURN(const uint64_t end, spill->bytes());
  spilled_ = out;
  bytes_ = end - begin_;
  return absl::OkStatus();
}

absl::Status TextSource::SkipByteOrderMark(const DataFileReader& file) {
  ASSIGN_OR_RETURN(const std::string start,
                   FirstBytes(file, begin_, bytes_, kByteOrderMark.size()));
  if (start == kByteOrderMark) text_begin_ = start.size();
  return absl::OkStatus();
}

absl::StatusOr<TextSource::View> TextSource::OpenView() const {
  View view{.file = spilled_, .begin = begin_, .own = nullptr};
  if (spilled_ == nullptr) {
    absl::StatusOr<std::unique_ptr<DataFileReader>> opened = DataFileReader::Open(path_);
    if (absl::IsNotFound(opened.status())) {
      return absl::DataLossError(
          absl::StrCat("data file ", path_, " is gone since the job began to read it"));
    }
    ASSIGN_OR_RETURN(view.own, std::move(opened));
    view.file = view.own.get();
  }
  RETURN_IF_ERROR(CheckUnchanged(view));
  return view;
}

absl::Status TextSource::CheckUnchanged(const View& view) const {
  if (view.file == spilled_) return absl::OkStatus();
  ASSIGN_OR_RETURN(const FileStamp now, view.file->Stamp());
  if (now == stamp_) return absl::OkStatus();
  return absl::DataLossError(
      absl::StrCat("data file ", path_, " changed since the job began to read it"));
}

}  // namespace seraph
