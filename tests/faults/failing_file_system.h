// SPDX-License-Identifier: Apache-2.0
// A file system whose k-th change fails, for every k in turn: what a full disk, a vanished mount or
// a killed process leaves behind.
#ifndef SERAPH_TESTS_FAULTS_FAILING_FILE_SYSTEM_H_
#define SERAPH_TESTS_FAULTS_FAILING_FILE_SYSTEM_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/file_system.h"
#include "common/status_macros.h"
#include "tests/faults/forwarding_file_system.h"

namespace seraph {

// Counts every call that changes something or waits for the disk, appends and closes of its files
// included. Reads pass. An append that fails has written half of its bytes; any other call that
// fails has done nothing. Not thread-safe. Files must not outlive it.
class FailingFileSystem : public ForwardingFileSystem {
 public:
  enum class Mode {
    kOnce,   // The k-th fails, later ones work again: the caller's clean-up is carried out.
    kCrash,  // The k-th and all later ones fail: as if the process had died there.
  };
  static constexpr int64_t kNever = -1;

  FailingFileSystem(FileSystem* behind, int64_t fail_at, Mode mode)
      : ForwardingFileSystem(behind), fail_at_(fail_at), mode_(mode) {}

  int64_t operations() const { return operations_; }  // Counted so far; the first is number 0.

  absl::StatusOr<std::unique_ptr<WritableFile>> Create(const std::string& path) override {
    RETURN_IF_ERROR(Count("create", path));
    ASSIGN_OR_RETURN(auto file, ForwardingFileSystem::Create(path));
    return std::make_unique<File>(this, path, std::move(file));
  }
  absl::Status CreateFolders(const std::string& path) override {
    RETURN_IF_ERROR(Count("create folders", path));
    return ForwardingFileSystem::CreateFolders(path);
  }
  absl::Status CreateFolder(const std::string& path) override {
    RETURN_IF_ERROR(Count("create folder", path));
    return ForwardingFileSystem::CreateFolder(path);
  }
  absl::Status RemoveTree(const std::string& path) override {
    RETURN_IF_ERROR(Count("remove", path));
    return ForwardingFileSystem::RemoveTree(path);
  }
  absl::Status Publish(const std::string& from, const std::string& to) override {
    RETURN_IF_ERROR(Count("publish", to));
    return ForwardingFileSystem::Publish(from, to);
  }
  absl::Status SyncTree(const std::string& folder) override {
    RETURN_IF_ERROR(Count("sync tree", folder));
    return ForwardingFileSystem::SyncTree(folder);
  }

 private:
  class File : public WritableFile {
   public:
    File(FailingFileSystem* owner, std::string path, std::unique_ptr<WritableFile> behind)
        : owner_(owner), path_(std::move(path)), behind_(std::move(behind)) {}

    absl::Status Append(absl::string_view bytes) override {
      if (absl::Status failed = owner_->Count("append", path_); !failed.ok()) {
        (void)behind_->Append(bytes.substr(0, bytes.size() / 2));
        return failed;
      }
      return behind_->Append(bytes);
    }
    absl::Status Close() override {
      RETURN_IF_ERROR(owner_->Count("close", path_));
      return behind_->Close();
    }

   private:
    FailingFileSystem* const owner_;
    const std::string path_;
    const std::unique_ptr<WritableFile> behind_;
  };

  absl::Status Count(absl::string_view action, const std::string& path) {
    const int64_t number = operations_++;
    const bool fails =
        fail_at_ != kNever && (number == fail_at_ || (mode_ == Mode::kCrash && number > fail_at_));
    if (!fails) return absl::OkStatus();
    return absl::ResourceExhaustedError(
        absl::StrCat("cannot ", action, " ", path, ": operation ", number, " fails by plan"));
  }

  const int64_t fail_at_;
  const Mode mode_;
  int64_t operations_ = 0;
};

}  // namespace seraph

#endif  // SERAPH_TESTS_FAULTS_FAILING_FILE_SYSTEM_H_
