// SPDX-License-Identifier: Apache-2.0
// A file system that hands every call on: the base of those that break one of them.
#ifndef SERAPH_TESTS_FAULTS_FORWARDING_FILE_SYSTEM_H_
#define SERAPH_TESTS_FAULTS_FORWARDING_FILE_SYSTEM_H_

#include <memory>
#include <string>
#include <vector>

#include "common/file_system.h"

namespace seraph {

// As thread-safe as the one behind it, which outlives it.
class ForwardingFileSystem : public FileSystem {
 public:
  explicit ForwardingFileSystem(FileSystem* behind) : behind_(behind) {}

  absl::StatusOr<std::unique_ptr<WritableFile>> Create(const std::string& path) override {
    return behind_->Create(path);
  }
  absl::StatusOr<std::string> Read(const std::string& path, uint64_t max_bytes) const override {
    return behind_->Read(path, max_bytes);
  }
  absl::Status CreateFolders(const std::string& path) override {
    return behind_->CreateFolders(path);
  }
  absl::Status CreateFolder(const std::string& path) override {
    return behind_->CreateFolder(path);
  }
  absl::StatusOr<std::vector<std::string>> List(const std::string& folder) const override {
    return behind_->List(folder);
  }
  bool Exists(const std::string& path) const override { return behind_->Exists(path); }
  absl::StatusOr<std::string> FollowLinks(const std::string& path) const override {
    return behind_->FollowLinks(path);
  }
  absl::Status RemoveTree(const std::string& path) override { return behind_->RemoveTree(path); }
  absl::Status Publish(const std::string& from, const std::string& to) override {
    return behind_->Publish(from, to);
  }
  absl::Status SyncTree(const std::string& folder) override { return behind_->SyncTree(folder); }

 private:
  FileSystem* const behind_;
};

}  // namespace seraph

#endif  // SERAPH_TESTS_FAULTS_FORWARDING_FILE_SYSTEM_H_
