// SPDX-License-Identifier: Apache-2.0
// The client of a group of tables: pull rows, push gradients, commit steps. What `seraph train`
// uses, and the core of the SDK.
#ifndef SERAPH_CLIENT_CLIENT_H_
#define SERAPH_CLIENT_CLIENT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "common/clock.h"
#include "common/table_spec.h"
#include "proto/data.pb.h"
#include "transport/channel.h"

namespace seraph {

class Client;
struct TableState;

// A handle to an open table: cheap to copy, valid while its Client lives.
class Table {
 public:
  const TableSpec& spec() const;
  uint32_t id() const;

 private:
  friend class Client;
  explicit Table(std::shared_ptr<const TableState> state) : state_(std::move(state)) {}
  std::shared_ptr<const TableState> state_;
};

// What to read: `out` is row-major [keys.size(), dim]. Keys in any order, repeats allowed, empty
// allowed.
struct PullSlice {
  const Table* table;
  absl::Span<const uint64_t> keys;
  absl::Span<float> out;
};

// What to write: `values` is row-major [keys.size(), dim]. Repeated keys act as one with the sum of
// their values, in an assign as the last of them.
struct PushSlice {
  const Table* table;
  absl::Span<const uint64_t> keys;
  absl::Span<const float> values;
};

enum class PushKind { kGradient, kAdd, kAssign };

// One rank of a group. Calls wait for their answers; one Client may be used by many threads, but
// Step must not overlap with a Push or another Step of the same client.
//
// Errors of all calls; each names the table, server or key that it concerns:
//   INVALID_ARGUMENT     the caller's sizes or keys (nothing was sent) or values (NaN and Inf);
//                        or the sums of a step's pushes are not finite, which ends the table
//   UNAVAILABLE          a server or the scheduler cannot be reached
//   DEADLINE_EXCEEDED    the ranks that were waited for; or the server that had no memory for a
//                        push until the deadline: it was sent again and again meanwhile
//   RESOURCE_EXHAUSTED   a dense table does not fit what memory a server has left; the cluster has
//                        too many tables
//   NOT_FOUND            a table that is not open on a server: the server has been started anew
//   FAILED_PRECONDITION  a stale map, another clock than this rank's, a table that differs; rows
//                        that the memory of a server can never hold
//   ABORTED              the group was dropped (the reason)
//   INTERNAL             a server or the scheduler answered what is no answer
// After an error of Pull `out` may be filled in part. After one of Push or Step some servers may
// have taken it and others not: the step cannot be repeated, and the group should be dropped.
// clock() has not moved.
class Client {
 public:
  struct Options {
    Network* network = nullptr;  // Required; outlives the client, like the clock.
    Clock* clock = nullptr;      // Required.
    std::string scheduler;       // Address. Required.
    std::string group;           // Required.
    uint32_t rank = 0;           // 0..workers-1.
    uint32_t workers = 1;
    uint64_t incarnation = 1;
    absl::Duration deadline =
        absl::Seconds(60);  // Of every call, waiting for other workers included.
  };

  // UNAVAILABLE when the scheduler does not answer within the deadline.
  static absl::StatusOr<std::unique_ptr<Client>> Connect(const Options& options);
  ~Client();

  // Opens the table on the scheduler and all servers. FAILED_PRECONDITION names how an existing one
  // differs.
  absl::StatusOr<Table> OpenOrCreateTable(const TableSpec& spec);

  // Reads at this client's clock: parked by the tables' consistency modes. Keys of all slices
  // travel together: frames of at most 1 MiB, a few at a time for each server.
  absl::Status Pull(absl::Span<const PullSlice> slices);
  // For scoring: reads what is there, outside any clock. Rows of sparse tables that no push has
  // made are zeros, not their initial values: what training has not seen is as if it were absent.
  absl::Status PullReadOnly(absl::Span<const PullSlice> slices);
  // Buffers are free again on return. Acknowledged: applied (SSP, ASP) or held for the round's fold
  // (BSP). Frames as those of a pull; one that a server has no memory for now is sent again until
  // the deadline.
  absl::Status Push(PushKind kind, absl::Span<const PushSlice> slices);
  // Commits the current clock with `rows` training rows behind this rank's gradients, and moves to
  // the next.
  absl::Status Step(uint64_t rows);
  // SSP and ASP: a last step without rows; nobody waits for this rank until every rank has idled.
  absl::Status StepThenIdle();
  // Then all ranks go on at the largest clock of any. FAILED_PRECONDITION below this client's
  // clock.
  absl::Status ResumeAt(int64_t clock);
  int64_t clock() const;  // Steps committed so far.

  // Every server of the table writes, reads its partitions (docs/CHECKPOINT_FORMAT.md). Nobody
  // pushes meanwhile.
  absl::StatusOr<v1::SaveTableReply> SaveTable(const Table& table, const std::string& folder);
  absl::Status LoadTable(const Table& table, const std::string& folder,
                         absl::Span<const v1::SavedPartition> partitions);

  struct ServerUse {
    std::string address;
    v1::StatsReply stats;
  };
  absl::StatusOr<std::vector<ServerUse>>
  ServerStats();  // Servers of the opened tables, in map order.

  // Calls to servers, at work and later ones, end at once with `reason`, an error; all but
  // DropGroup. From any thread. What is on its way may be handled all the same.
  void Cancel(const absl::Status& reason);

  // Ends the group on its servers: whoever waits there gets ABORTED with `reason`. `deadline` takes
  // the place of the options' one: who gives up a group does not wait long for a server that hangs.
  absl::Status DropGroup(const std::string& reason, absl::Duration deadline);

 private:
  class Impl;
  explicit Client(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLIENT_H_
