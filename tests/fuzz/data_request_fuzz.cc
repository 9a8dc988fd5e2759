// SPDX-License-Identifier: Apache-2.0
// Bytes of a stranger against a server: they are read as a frame and handled with two tables open.
// Every request is answered, and nothing crashes.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "common/clock.h"
#include "common/file_system.h"
#include "server/core/server_core.h"
#include "server/service/data_service.h"
#include "server/table_files/table_files.h"
#include "transport/frame_codec.h"

namespace {

constexpr uint64_t kNode = 1;

seraph::CoreTableRequest Table(uint32_t id, seraph::TableKind kind, seraph::SyncSpec::Mode mode) {
  seraph::CoreTableRequest table{.id = id,
                                 .group = "g",
                                 .workers = 2,
                                 .map_epoch = 0,
                                 .spec = {},
                                 .owned = {true, true, true, false}};
  table.spec.name = kind == seraph::TableKind::kDense ? "dense" : "sparse";
  table.spec.kind = kind;
  table.spec.rows = kind == seraph::TableKind::kDense ? 8 : 0;
  table.spec.dim = 2;
  table.spec.partitions = 4;
  table.spec.sync.mode = mode;
  return table;
}

// A file system without files: what is fuzzed is the request, not the disk.
class NoFiles : public seraph::FileSystem {
  absl::Status None() const { return absl::PermissionDeniedError("no files here"); }

 public:
  absl::StatusOr<std::unique_ptr<seraph::WritableFile>> Create(const std::string&) override {
    return None();
  }
  absl::StatusOr<std::string> Read(const std::string&, uint64_t) const override { return None(); }
  absl::Status CreateFolders(const std::string&) override { return None(); }
  absl::Status CreateFolder(const std::string&) override { return None(); }
  absl::StatusOr<std::vector<std::string>> List(const std::string&) const override {
    return None();
  }
  bool Exists(const std::string&) const override { return false; }
  absl::StatusOr<std::string> FollowLinks(const std::string& path) const override { return path; }
  absl::Status RemoveTree(const std::string&) override { return None(); }
  absl::Status Publish(const std::string&, const std::string&) override { return None(); }
  absl::Status SyncTree(const std::string&) override { return None(); }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view bytes(reinterpret_cast<const char*>(data), size);
  absl::StatusOr<seraph::Frame> frame = seraph::DecodeFrame({bytes});
  if (!frame.ok()) return 0;
  seraph::SystemClock clock;
  NoFiles no_files;
  int answers = 0;
  {
    seraph::ServerCore core({.clock = &clock, .executors = 1, .memory_bytes = 1 << 20});
    auto files = std::make_unique<seraph::TableFiles>(&core, &no_files);
    seraph::DataService service(&core, files.get());
    service.set_node(kNode);
    core.OpenTable(Table(1, seraph::TableKind::kSparse, seraph::SyncSpec::Mode::kBsp),
                   [](absl::Status) {});
    core.OpenTable(Table(2, seraph::TableKind::kDense, seraph::SyncSpec::Mode::kSsp),
                   [](absl::Status) {});
    service.Handle(*std::move(frame), "fuzz",
                   [&answers](absl::StatusOr<seraph::Frame>) { ++answers; });
    core.Shutdown(absl::UnavailableError("over"));
    files.reset();
  }
  if (answers != 1) std::abort();
  return 0;
}
