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

bool IsGzip(absl::string_view magic) { return absl::StartsWith(magic, kGzipMagic); }

// Whether a file that begins with `magic` is compressed. INVALID_ARGUMENT when it is not and its
// name says that it is.
absl::StatusOr<bool> IsCompressed(const std::string& path, absl::string_view magic) {
  const char* missed = nullptr;
  if (absl::EndsWithIgnoreCase(path, ".gz") && !IsGzip(magic)) missed = ".gz but is not gzip";
  if (absl::EndsWithIgnoreCase(path, ".zst") && !IsZstdMagic(magic))
    missed = ".zst but is not zstd";
  if (missed != nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot read ", path, ": it is named ", missed, " data"));
  }
  return IsGzip(magic) || IsZstdMagic(magic);
}

absl::Status InflateFile(const std::string& path, const DataFileReader& file, uint64_t bytes,
                         absl::string_view magic,
                         absl::FunctionRef<absl::Status(absl::string_view)> sink) {
  return IsGzip(magic) ? InflateGzip(path, file, bytes, sink)
                       : InflateZstd(path, file, bytes, sink);
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
  ASSIGN_OR_RETURN(const bool compressed, IsCompressed(path, magic));
  if (compressed) RETURN_IF_ERROR(source->Inflate(*file, spill, magic));
  RETURN_IF_ERROR(source->SkipByteOrderMark(compressed ? *source->spilled_ : *file));
  return source;
}

absl::Status TextSource::Inflate(const DataFileReader& compressed, SpillFile* spill,
                                 absl::string_view magic) {
  ASSIGN_OR_RETURN(DataFileReader* const out, spill->file());
  ASSIGN_OR_RETURN(begin_, spill->bytes());
  RETURN_IF_ERROR(InflateFile(path_, compressed, stamp_.bytes, magic,
                              [out](absl::string_view bytes) { return out->Append(bytes); }));
  RETURN_IF_ERROR(CheckUnchanged({.file = &compressed, .begin = 0, .own = nullptr}));
  ASSIGN_OR_RETURN(const uint64_t end, spill->bytes());
  spilled_ = out;
  bytes_ = end - begin_;
  return absl::OkStatus();
}

absl::StatusOr<std::string> TextSource::ReadStart(const std::string& path, size_t most) {
  ASSIGN_OR_RETURN(const std::unique_ptr<DataFileReader> file, DataFileReader::Open(path));
  ASSIGN_OR_RETURN(const FileStamp stamp, file->Stamp());
  ASSIGN_OR_RETURN(const std::string magic, FirstBytes(*file, 0, stamp.bytes, 4));
  ASSIGN_OR_RETURN(const bool compressed, IsCompressed(path, magic));
  const size_t wanted = most + kByteOrderMark.size();
  std::string text;
  if (compressed) {
    const absl::Status status =
        InflateFile(path, *file, stamp.bytes, magic, [&](absl::string_view bytes) {
          absl::StrAppend(&text, bytes.substr(0, wanted - text.size()));
          return text.size() < wanted ? absl::OkStatus() : absl::CancelledError("enough");
        });
    if (!status.ok() && text.size() < wanted) return status;
  } else {
    ASSIGN_OR_RETURN(text, FirstBytes(*file, 0, stamp.bytes, wanted));
  }
  if (absl::StartsWith(text, kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  text.resize(std::min(text.size(), most));
  return text;
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
