// SPDX-License-Identifier: Apache-2.0
// A program run as a child: started, watched and, at the latest by the destructor, ended.
#ifndef SERAPH_CLIENT_CLI_CLUSTER_CHILD_PROCESS_H_
#define SERAPH_CLIENT_CLI_CLUSTER_CHILD_PROCESS_H_

#include <sys/types.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/clock.h"
#include "common/mutex.h"

namespace seraph {

// How a child ended.
struct ChildExit {
  int code = 0;           // Exit code; meaningless after a signal.
  int signal_number = 0;  // 0: it ended by itself.

  bool clean() const { return signal_number == 0 && code == 0; }
  std::string Describe() const;  // "was killed by signal 9", "exited with code 3"
};

// Thread-safe. A thread of its own reads the child's stdout and stderr, keeps the last lines and
// notices the end at once.
class ChildProcess {
 public:
  struct Options {
    std::string name;     // For messages: "server 0".
    std::string program;  // Path of the executable.
    std::vector<std::string> arguments;
    Clock* clock = nullptr;  // Required; outlives the child.
    // Called once on the child's thread when it has ended; it must not destroy the ChildProcess.
    std::function<void(const ChildProcess&)> on_exit;
  };

  // The child gets a process group of its own, so that a terminal's Ctrl-C reaches its parent
  // alone, an unblocked signal mask, no stdin, and SIGKILL when the calling *thread* ends: call
  // from one that lasts as long as the child. NOT_FOUND no such program; INTERNAL it cannot be run.
  static absl::StatusOr<std::unique_ptr<ChildProcess>> Start(Options options);

  ~ChildProcess();  // Kills it if it still runs, and collects it.
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Waits for the child's first line on stdout, which it returns without line end. UNAVAILABLE it
  // ended first, with how it did and its last error line; DEADLINE_EXCEEDED. Both name the child.
  absl::StatusOr<std::string> AwaitFirstLine(absl::Time deadline);

  // Nothing while it runs.
  std::optional<ChildExit> exited() const;
  // False when it still runs at `deadline`.
  bool AwaitExit(absl::Time deadline);
  // "server 0 was killed by signal 9: error: ...". REQUIRES: it has ended.
  std::string DescribeExit() const;

  // Nothing happens when it has ended.
  void Signal(int signal_number);

  const std::string& name() const { return options_.name; }
  pid_t pid() const { return pid_; }

 private:
  struct Pipe;
  ChildProcess(Options options, pid_t pid, int pid_fd, int out, int err);
  void Watch();
  void ReadFrom(int fd, Pipe* pipe);
  void Collect();

  const Options options_;
  const pid_t pid_;
  const int pid_fd_;
  const int out_;
  const int err_;
  mutable Mutex mu_;
  CondVar changed_;
  std::optional<std::string> first_line_ ABSL_GUARDED_BY(mu_);
  std::string error_line_ ABSL_GUARDED_BY(mu_);  // The last "error: ..." of stderr, else its last.
  std::optional<ChildExit> exit_ ABSL_GUARDED_BY(mu_);
  std::thread watcher_;
};

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_CLUSTER_CHILD_PROCESS_H_
