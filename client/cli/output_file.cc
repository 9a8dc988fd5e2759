// SPDX-License-Identifier: Apache-2.0
#include "client/cli/output_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/process/reader_gone.h"
#include "common/status_macros.h"

namespace seraph {

absl::StatusOr<std::unique_ptr<OutputFile>> OutputFile::Open(const std::string& path,
                                                             std::ostream* standard) {
  if (path == "-") {
    return std::unique_ptr<OutputFile>(new OutputFile("standard output", "", standard));
  }
  struct stat info;
  const bool exists = stat(path.c_str(), &info) == 0;
  const bool in_place = exists && !S_ISREG(info.st_mode);
  // A link stays one: the file that it leads to is written.
  std::error_code error;
  const bool leads = exists && !in_place;
  const std::string target = leads ? std::filesystem::canonical(path, error).string() : path;
  std::string temporary = in_place ? "" : absl::StrCat(target, ".tmp-", getpid());
  std::unique_ptr<OutputFile> file(new OutputFile(target, std::move(temporary), nullptr));
  if (path.empty()) return file->Error("the path is empty");
  if (error) return file->Error(error.message());
  if (exists && S_ISDIR(info.st_mode)) return file->Error("it is a folder");
  errno = 0;
  file->file_.open(in_place ? path : file->temporary_, std::ios::binary | std::ios::trunc);
  if (!file->file_) return file->Error(strerror(errno));
  return file;
}

OutputFile::OutputFile(std::string path, std::string temporary, std::ostream* stream)
    : path_(std::move(path)),
      temporary_(std::move(temporary)),
      stream_(stream != nullptr ? stream : &file_) {}

OutputFile::~OutputFile() {
  if (!committed_ && !temporary_.empty() && file_.is_open()) std::remove(temporary_.c_str());
}

// What errno says of a write.
absl::Status OutputFile::WriteError() const {
  if (errno == EPIPE) return ReaderGoneError(absl::StrCat("output ", path_, ": nobody reads it"));
  return Error(strerror(errno));
}

absl::Status OutputFile::Error(absl::string_view why) const {
  return absl::InvalidArgumentError(absl::StrCat("output ", path_, " cannot be written: ", why));
}

absl::Status OutputFile::Write(absl::string_view bytes) {
  errno = 0;
  stream_->write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return stream_->good() ? absl::OkStatus() : WriteError();
}

absl::Status OutputFile::Commit() {
  errno = 0;
  stream_->flush();
  if (!stream_->good()) return WriteError();
  if (!temporary_.empty() && std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    return Error(strerror(errno));
  }
  committed_ = true;
  return absl::OkStatus();
}

}  // namespace seraph
