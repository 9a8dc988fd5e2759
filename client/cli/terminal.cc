// SPDX-License-Identifier: Apache-2.0
#include "client/cli/terminal.h"

#include <array>
#include <csignal>
#include <filesystem>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/process/error_line.h"
#include "common/process/exit_code.h"
#include "common/process/reader_gone.h"

namespace seraph {

int Terminal::Fail(const absl::Status& status, absl::string_view what,
                   absl::string_view hint) const {
  out->flush();
  if (IsReaderGone(status)) return ExitCodeOfSignal(SIGPIPE);
  *err << ErrorText(what, status, hint);
  err->flush();
  return ExitCode(status);
}

absl::Status Terminal::Finish() const {
  out->flush();
  if (out->good()) return absl::OkStatus();
  if (reader_gone()) return ReaderGoneError("standard output: nobody reads it any more");
  return absl::InvalidArgumentError("standard output: cannot be written");
}

int Terminal::Done() const {
  const absl::Status written = Finish();
  return written.ok() ? kExitDone : Fail(written);
}

std::string WithThousands(uint64_t number) {
  const std::string digits = absl::StrCat(number);
  std::string text;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string ReadableBytes(uint64_t bytes) {
  constexpr std::array<const char*, 5> kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB"};
  if (bytes < 1024) return absl::StrCat(bytes, " B");
  double size = static_cast<double>(bytes) / 1024;
  size_t unit = 0;
  while (size >= 1024 && unit + 1 < kUnits.size()) {
    size /= 1024;
    ++unit;
  }
  return absl::StrFormat("%.1f %s", size, kUnits[unit]);
}

std::string ReadableSeconds(double seconds) {
  if (seconds < 10) return absl::StrFormat("%.2f s", seconds);
  const int64_t whole = static_cast<int64_t>(seconds + 0.5);
  if (whole < 120) return absl::StrCat(whole, " s");
  if (whole < 7200) return absl::StrCat(whole / 60, " min ", whole % 60, " s");
  return absl::StrCat(whole / 3600, " h ", whole % 3600 / 60, " min");
}

std::string ShownPath(const std::string& path) {
  std::error_code error;
  std::string folder = std::filesystem::current_path(error).string();
  if (error || folder.empty()) return path;
  if (folder.back() != '/') folder += '/';
  return absl::StartsWith(path, folder) && path.size() > folder.size() ? path.substr(folder.size())
                                                                       : path;
}

}  // namespace seraph
