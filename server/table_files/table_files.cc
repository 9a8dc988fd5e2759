// SPDX-License-Identifier: Apache-2.0
#include "server/table_files/table_files.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "server/checkpoint/partition_file.h"
#include "server/checkpoint/partition_file_name.h"

namespace seraph {
namespace {

// One answer of the core, waited for. There is no deadline: executors answer all that they took,
// when they are shut down too.
template <typename T>
class Answer {
 public:
  // Called once; may outlive the Answer.
  absl::AnyInvocable<void(T)> Receiver() {
    return [state = state_](T value) {
      MutexLock lock(&state->mu);
      state->value.emplace(std::move(value));
      state->came.NotifyOne();
    };
  }
  T Wait() {
    MutexLock lock(&state_->mu);
    while (!state_->value.has_value()) state_->came.Wait(&state_->mu);
    return *std::move(state_->value);
  }

 private:
  struct State {
    Mutex mu;
    CondVar came;
    std::optional<T> value ABSL_GUARDED_BY(mu);
  };
  const std::shared_ptr<State> state_ = std::make_shared<State>();
};

uint32_t StateWidth(const ServedTable& table) {
  return table.optimizer->StateWidth(table.spec.dim);
}

std::string PathOf(const std::string& folder, const SavedPartitionFile& file) {
  return absl::StrCat(folder, "/", file.file);
}

bool IsHere(const ServedTable& table, uint32_t partition) {
  return table.executor[partition] != ServedTable::kElsewhere;
}

// A model that diverged is not saved. ABORTED names table and key.
absl::Status CheckFiniteRows(const ServedTable& table, const CoreRows& rows) {
  const auto bad = std::find_if(rows.rows.begin(), rows.rows.end(),
                                [](float value) { return !std::isfinite(value); });
  if (bad == rows.rows.end()) return absl::OkStatus();
  const size_t width = rows.rows.size() / rows.keys.size();
  const auto place = static_cast<size_t>(bad - rows.rows.begin());
  return absl::AbortedError(absl::StrCat("save table ", table.spec.name, ": the row of key ",
                                         rows.keys[place / width], " is not finite: it holds ",
                                         *bad));
}

absl::Status CheckShape(const PartitionHeader& header, const ServedTable& table) {
  if (header.dim == table.spec.dim && header.state_width == StateWidth(table)) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(
      absl::StrCat("has rows of ", header.dim, " weights and ", header.state_width,
                   " floats of optimizer state, table ", table.spec.name, " has ", table.spec.dim,
                   " and ", StateWidth(table), " (optimizer ", table.spec.optimizer.type, ")"));
}

}  // namespace

TableFiles::TableFiles(ServerCore* core, FileSystem* file_system)
    : core_(core), file_system_(file_system), thread_([this] { Run(); }) {}

TableFiles::~TableFiles() {
  {
    MutexLock lock(&mu_);
    stopping_ = true;
    wake_.NotifyOne();
  }
  thread_.join();
}

void TableFiles::Post(Work work) {
  MutexLock lock(&mu_);
  queue_.push_back(std::move(work));
  wake_.NotifyOne();
}

void TableFiles::Run() {
  while (true) {
    Work work;
    {
      MutexLock lock(&mu_);
      while (queue_.empty() && !stopping_) wake_.Wait(&mu_);
      if (queue_.empty()) return;
      work = std::move(queue_.front());
      queue_.pop_front();
    }
    work();
  }
}

void TableFiles::Save(std::shared_ptr<const ServedTable> table, std::string folder, SaveDone done) {
  Post([this, table = std::move(table), folder = std::move(folder),
        done = std::move(done)]() mutable { done(SaveNow(*table, folder)); });
}

absl::StatusOr<SavedTableFiles> TableFiles::SaveNow(const ServedTable& table,
                                                    const std::string& folder) {
  SavedTableFiles saved;
  saved.state_width = StateWidth(table);
  for (uint32_t p = 0; p < table.spec.partitions; ++p) {
    if (!IsHere(table, p)) continue;
    Answer<absl::StatusOr<CoreRows>> exported;
    core_->ExportPartition(table, p, exported.Receiver());
    ASSIGN_OR_RETURN(const CoreRows rows, exported.Wait());
    if (rows.keys.empty()) continue;
    RETURN_IF_ERROR(CheckFiniteRows(table, rows));
    SavedPartitionFile file{.partition = p,
                            .file = PartitionFileName(table.spec.name, p, table.spec.partitions),
                            .rows = rows.keys.size()};
    const PartitionHeader header{.table = table.spec.name,
                                 .partition = p,
                                 .dim = table.spec.dim,
                                 .state_width = saved.state_width,
                                 .seed = table.spec.seed};
    ASSIGN_OR_RETURN(
        const WrittenFile written,
        WritePartitionFile(file_system_, PathOf(folder, file), header, rows.keys, rows.rows));
    file.bytes = written.bytes;
    file.checksum = written.checksum;
    saved.files.push_back(std::move(file));
  }
  return saved;
}

void TableFiles::Load(std::shared_ptr<const ServedTable> table, std::string folder,
                      std::vector<SavedPartitionFile> files, LoadDone done) {
  Post([this, table = std::move(table), folder = std::move(folder), files = std::move(files),
        done = std::move(done)]() mutable { done(LoadNow(*table, folder, files)); });
}

absl::StatusOr<uint64_t> TableFiles::LoadNow(const ServedTable& table, const std::string& folder,
                                             const std::vector<SavedPartitionFile>& files) {
  uint64_t loaded = 0;
  for (const SavedPartitionFile& file : files) {
    if (file.partition >= table.spec.partitions) {
      return absl::InvalidArgumentError(absl::StrCat("load table ", table.spec.name, ": partition ",
                                                     file.partition, " of ",
                                                     table.spec.partitions));
    }
    if (!IsHere(table, file.partition)) continue;
    absl::StatusOr<CoreRows> rows = ReadRows(table, folder, file);
    if (!rows.ok()) return rows.status();
    loaded += rows->keys.size();
    Answer<absl::Status> imported;
    core_->ImportPartition(table, file.partition,
                           std::make_shared<const CoreRows>(*std::move(rows)), imported.Receiver());
    // The store says whether the keys are the partition's.
    RETURN_IF_ERROR(Annotate(imported.Wait(), PathOf(folder, file)));
  }
  return loaded;
}

absl::StatusOr<CoreRows> TableFiles::ReadRows(const ServedTable& table, const std::string& folder,
                                              const SavedPartitionFile& file) const {
  ASSIGN_OR_RETURN(PartitionContents contents,
                   ReadSavedPartition(*file_system_, folder, table.spec.name, file));
  RETURN_IF_ERROR(Annotate(CheckShape(contents.header, table), PathOf(folder, file)));
  return CoreRows{std::move(contents.keys), std::move(contents.rows)};
}

}  // namespace seraph
