// SPDX-License-Identifier: Apache-2.0
#include "common/score_runs.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"

namespace seraph {
namespace {

// Rows of each class that are counted: 2 * positives * negatives then fits 128 bits.
constexpr uint64_t kMaxRows = uint64_t{1} << 62;

// Entries read at a time from one spilled run while merging; fewer when there are many runs.
constexpr size_t kMaxReadEntries = 16384;
constexpr size_t kMinReadEntries = 64;

bool ByScore(const ScoreCount& a, const ScoreCount& b) { return a.score < b.score; }

// Sorts and makes equal scores one entry.
void SortAndJoin(std::vector<ScoreCount>* entries) {
  std::sort(entries->begin(), entries->end(), ByScore);
  size_t kept = 0;
  for (const ScoreCount& entry : *entries) {
    if (kept > 0 && (*entries)[kept - 1].score == entry.score) {
      (*entries)[kept - 1].positives += entry.positives;
      (*entries)[kept - 1].negatives += entry.negatives;
    } else {
      (*entries)[kept++] = entry;
    }
  }
  entries->resize(kept);
}

// An unlinked file of sorted runs, one after another. The bytes never leave this process.
class SpillFile {
 public:
  struct Run {
    uint64_t first = 0;  // Entries from the file's start.
    uint64_t count = 0;
  };

  explicit SpillFile(std::string folder) : folder_(std::move(folder)) {
    if (folder_.empty()) folder_ = P_tmpdir;
  }
  ~SpillFile() {
    if (fd_ >= 0) close(fd_);
  }
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  const std::vector<Run>& runs() const { return runs_; }

  // After an error the file is as before: a half-written run is overwritten by the next.
  absl::Status Append(absl::Span<const ScoreCount> entries) {
    RETURN_IF_ERROR(Open());
    const char* bytes = reinterpret_cast<const char*>(entries.data());
    size_t left = entries.size() * sizeof(ScoreCount);
    off_t at = static_cast<off_t>(size_ * sizeof(ScoreCount));
    while (left > 0) {
      const ssize_t wrote = pwrite(fd_, bytes, left, at);
      if (wrote < 0 && errno == EINTR) continue;
      if (wrote < 0) return Error("write to");
      bytes += wrote;
      at += wrote;
      left -= static_cast<size_t>(wrote);
    }
    runs_.push_back({size_, entries.size()});
    size_ += entries.size();
    return absl::OkStatus();
  }

  // Fills `out` with the entries from `first` on.
  absl::Status Read(uint64_t first, absl::Span<ScoreCount> out) const {
    char* bytes = reinterpret_cast<char*>(out.data());
    size_t left = out.size() * sizeof(ScoreCount);
    off_t at = static_cast<off_t>(first * sizeof(ScoreCount));
    while (left > 0) {
      const ssize_t got = pread(fd_, bytes, left, at);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return Error("read from");
      if (got == 0) return absl::InternalError(absl::StrCat("spill file ", path_, " was cut"));
      bytes += got;
      at += got;
      left -= static_cast<size_t>(got);
    }
    return absl::OkStatus();
  }

 private:
  absl::Status Open() {
    if (fd_ >= 0) return absl::OkStatus();
    path_ = absl::StrCat(folder_, "/seraph-scores-XXXXXX");
    fd_ = mkostemp(path_.data(), O_CLOEXEC);
    if (fd_ < 0) return Error("create");
    unlink(path_.c_str());
    return absl::OkStatus();
  }

  absl::Status Error(absl::string_view action) const {
    const std::string message =
        absl::StrCat("cannot ", action, " spill file ", path_, ": ", std::strerror(errno));
    return errno == ENOSPC || errno == EDQUOT ? absl::ResourceExhaustedError(message)
                                              : absl::InternalError(message);
  }

  std::string folder_;
  std::string path_;
  int fd_ = -1;
  uint64_t size_ = 0;  // Entries.
  std::vector<Run> runs_;
};

// Walks one sorted run, from the file or (file null) in memory.
class Cursor {
 public:
  Cursor(const SpillFile* file, SpillFile::Run run, size_t read_entries)
      : file_(file), next_(run.first), left_(run.count), read_entries_(read_entries) {}
  explicit Cursor(absl::Span<const ScoreCount> entries) : view_(entries) {}

  // False at the end.
  absl::StatusOr<bool> Fill() {
    if (at_ < view_.size()) return true;
    if (left_ == 0) return false;
    buffer_.resize(std::min<uint64_t>(left_, read_entries_));
    RETURN_IF_ERROR(file_->Read(next_, absl::MakeSpan(buffer_)));
    next_ += buffer_.size();
    left_ -= buffer_.size();
    view_ = buffer_;
    at_ = 0;
    return true;
  }
  const ScoreCount& entry() const { return view_[at_]; }
  void Advance() { ++at_; }

 private:
  const SpillFile* file_ = nullptr;
  uint64_t next_ = 0;
  uint64_t left_ = 0;
  size_t read_entries_ = 0;
  std::vector<ScoreCount> buffer_;
  absl::Span<const ScoreCount> view_;
  size_t at_ = 0;
};

// Visits the entries of all cursors in ascending order, equal scores joined.
absl::Status Merge(std::vector<Cursor>* cursors,
                   const std::function<absl::Status(const ScoreCount&)>& visit) {
  std::vector<Cursor*> heap;
  const auto later = [](const Cursor* a, const Cursor* b) {
    return a->entry().score > b->entry().score;
  };
  for (Cursor& cursor : *cursors) {
    ASSIGN_OR_RETURN(const bool more, cursor.Fill());
    if (more) heap.push_back(&cursor);
  }
  std::make_heap(heap.begin(), heap.end(), later);
  while (!heap.empty()) {
    ScoreCount joined{heap.front()->entry().score, 0, 0};
    while (!heap.empty() && heap.front()->entry().score == joined.score) {
      std::pop_heap(heap.begin(), heap.end(), later);
      Cursor* const cursor = heap.back();
      joined.positives += cursor->entry().positives;
      joined.negatives += cursor->entry().negatives;
      cursor->Advance();
      ASSIGN_OR_RETURN(const bool more, cursor->Fill());
      if (more) {
        std::push_heap(heap.begin(), heap.end(), later);
      } else {
        heap.pop_back();
      }
    }
    RETURN_IF_ERROR(visit(joined));
  }
  return absl::OkStatus();
}

}  // namespace

struct ScoreRuns::Impl {
  explicit Impl(Options options)
      : limit(std::max<size_t>(options.memory_bytes / sizeof(ScoreCount), 2)),
        spill(std::move(options.spill_folder)) {}

  absl::Status Add(ScoreCount entry) {
    if (std::isnan(entry.score)) return absl::InvalidArgumentError("a score is NaN");
    if (entry.positives > kMaxRows - positives || entry.negatives > kMaxRows - negatives) {
      return absl::InvalidArgumentError(
          absl::StrCat("more rows than can be counted (", kMaxRows, ") at score ", entry.score));
    }
    if (entry.positives == 0 && entry.negatives == 0) return absl::OkStatus();
    if (buffer.size() >= limit) RETURN_IF_ERROR(MakeRoom());
    if (entry.score == 0) entry.score = 0;  // -0 is 0.
    buffer.push_back(entry);
    positives += entry.positives;
    negatives += entry.negatives;
    return absl::OkStatus();
  }

  // Joining equal scores may be enough; else the buffer becomes a run of the file.
  absl::Status MakeRoom() {
    SortAndJoin(&buffer);
    if (buffer.size() <= limit / 2) return absl::OkStatus();
    RETURN_IF_ERROR(spill.Append(buffer));
    buffer.clear();
    return absl::OkStatus();
  }

  const size_t limit;  // Entries.
  std::vector<ScoreCount> buffer;
  uint64_t positives = 0;
  uint64_t negatives = 0;
  SpillFile spill;
};

ScoreRuns::ScoreRuns(Options options) : impl_(std::make_unique<Impl>(std::move(options))) {}
ScoreRuns::~ScoreRuns() = default;

absl::Status ScoreRuns::Add(float score, bool positive) {
  return impl_->Add({score, positive ? uint64_t{1} : 0, positive ? uint64_t{0} : 1});
}

absl::Status ScoreRuns::AddCounts(absl::Span<const ScoreCount> counts) {
  for (const ScoreCount& entry : counts) RETURN_IF_ERROR(impl_->Add(entry));
  return absl::OkStatus();
}

absl::Status ScoreRuns::ForEach(const std::function<absl::Status(const ScoreCount&)>& visit) {
  SortAndJoin(&impl_->buffer);
  const std::vector<SpillFile::Run>& runs = impl_->spill.runs();
  const size_t read_entries =
      std::clamp(impl_->limit / (runs.size() + 1), kMinReadEntries, kMaxReadEntries);
  std::vector<Cursor> cursors;
  cursors.reserve(runs.size() + 1);
  cursors.emplace_back(absl::MakeConstSpan(impl_->buffer));
  for (const SpillFile::Run& run : runs) cursors.emplace_back(&impl_->spill, run, read_entries);
  return Merge(&cursors, visit);
}

absl::StatusOr<std::optional<double>> ScoreRuns::Auc() {
  if (impl_->positives == 0 || impl_->negatives == 0) return std::optional<double>();
  // Twice Mann-Whitney's U: each pair (positive above negative) counts 2, each tie 1.
  unsigned __int128 twice_u = 0;
  uint64_t negatives_below = 0;
  RETURN_IF_ERROR(ForEach([&](const ScoreCount& entry) {
    twice_u +=
        static_cast<unsigned __int128>(entry.positives) * (2 * negatives_below + entry.negatives);
    negatives_below += entry.negatives;
    return absl::OkStatus();
  }));
  const unsigned __int128 pairs =
      static_cast<unsigned __int128>(impl_->positives) * impl_->negatives;
  return std::optional<double>(static_cast<double>(twice_u) / 2 / static_cast<double>(pairs));
}

}  // namespace seraph
