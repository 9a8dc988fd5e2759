// SPDX-License-Identifier: Apache-2.0
// The data plane's face: frames in, the core's answers out as frames.
#ifndef SERAPH_SERVER_SERVICE_DATA_SERVICE_H_
#define SERAPH_SERVER_SERVICE_DATA_SERVICE_H_

#include <atomic>
#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "server/core/server_core.h"
#include "server/service/request_codec.h"
#include "server/table_files/table_files.h"
#include "transport/channel.h"

namespace seraph {

// Decodes, asks the core, encodes; nothing else. Thread-safe.
class DataService : public FrameHandler {
 public:
  // Both outlive the service, and answer everything before it is destroyed.
  DataService(ServerCore* core, TableFiles* files) : core_(core), files_(files) {}

  // This server's number in the cluster, by which it finds its partitions in a table's map. Tables
  // cannot be opened before it is set (UNAVAILABLE).
  void set_node(uint64_t node) { node_.store(node); }

  void Handle(Frame request, absl::string_view peer, Respond respond) override;

 private:
  using Memory = std::shared_ptr<RequestMemory>;

  void Dispatch(const Memory& memory, Respond respond);
  void Pull(const Memory& memory, Respond respond);
  void Push(const Memory& memory, Respond respond);
  void Commit(const Memory& memory, Respond respond);
  void OpenTable(const Memory& memory, Respond respond);
  void DropGroup(const Memory& memory, Respond respond);
  void SaveTable(const Memory& memory, Respond respond);
  void LoadTable(const Memory& memory, Respond respond);
  void Stats(Respond respond);
  FindServedTable Finder(const Memory& memory) const;

  ServerCore* const core_;
  TableFiles* const files_;
  std::atomic<uint64_t> node_{0};
  // Of pulls, pushes and commits.
  std::atomic<uint64_t> requests_{0};
  std::atomic<uint64_t> received_bytes_{0};
  std::atomic<uint64_t> sent_bytes_{0};
};

}  // namespace seraph

#endif  // SERAPH_SERVER_SERVICE_DATA_SERVICE_H_
