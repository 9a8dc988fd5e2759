// SPDX-License-Identifier: Apache-2.0
// Writes partitions of tables to files and reads them back, apart from the threads that serve.
#ifndef SERAPH_SERVER_TABLE_FILES_TABLE_FILES_H_
#define SERAPH_SERVER_TABLE_FILES_TABLE_FILES_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/file_system.h"
#include "common/mutex.h"
#include "server/checkpoint/saved_partition.h"
#include "server/core/server_core.h"

namespace seraph {

struct SavedTableFiles {
  std::vector<SavedPartitionFile> files;  // By partition; those without rows have none.
  uint32_t state_width = 0;
};

// Thread-safe: work is queued and done in turn on one thread of its own. Rows leave and enter
// executors a partition at a time, so pulls wait for the copy of one partition, not for the disk.
class TableFiles {
 public:
  using SaveDone = absl::AnyInvocable<void(absl::StatusOr<SavedTableFiles>)>;
  using LoadDone = absl::AnyInvocable<void(absl::StatusOr<uint64_t>)>;

  // Both outlive this.
  TableFiles(ServerCore* core, FileSystem* file_system);
  // Does what has been asked for before. The core may be shut down already: what needs it then
  // fails.
  ~TableFiles();

  // Writes the partitions that live here into `folder`. Errors name the file; ABORTED names table
  // and key of a row that is not finite.
  void Save(std::shared_ptr<const ServedTable> table, std::string folder, SaveDone done);

  // Reads those of `files` whose partitions live here, and answers with the number of rows read.
  // DATA_LOSS names a file that is damaged, missing or not the one that the manifest means;
  // FAILED_PRECONDITION one of another shape than the table; INVALID_ARGUMENT a path that leaves
  // the folder. Partitions that came before the error have been replaced.
  void Load(std::shared_ptr<const ServedTable> table, std::string folder,
            std::vector<SavedPartitionFile> files, LoadDone done);

 private:
  using Work = absl::AnyInvocable<void()>;
  void Post(Work work);
  void Run();
  absl::StatusOr<SavedTableFiles> SaveNow(const ServedTable& table, const std::string& folder);
  absl::StatusOr<uint64_t> LoadNow(const ServedTable& table, const std::string& folder,
                                   const std::vector<SavedPartitionFile>& files);
  absl::StatusOr<CoreRows> ReadRows(const ServedTable& table, const std::string& folder,
                                    const SavedPartitionFile& file) const;

  ServerCore* const core_;
  FileSystem* const file_system_;
  Mutex mu_;
  CondVar wake_;
  std::deque<Work> queue_ ABSL_GUARDED_BY(mu_);
  bool stopping_ ABSL_GUARDED_BY(mu_) = false;
  std::thread thread_;
};

}  // namespace seraph

#endif  // SERAPH_SERVER_TABLE_FILES_TABLE_FILES_H_
