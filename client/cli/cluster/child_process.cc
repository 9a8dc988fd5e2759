// SPDX-License-Identifier: Apache-2.0
#include "client/cli/cluster/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "client/cli/cluster/spawn.h"
#include "common/status_macros.h"

namespace seraph {
namespace {

constexpr size_t kMaxLineBytes = 4096;  // The rest of a longer line is dropped.

}  // namespace

std::string ChildExit::Describe() const {
  if (signal_number != 0) return absl::StrCat("was killed by signal ", signal_number);
  return absl::StrCat("exited with code ", code);
}

// One stream of the child, cut into lines.
struct ChildProcess::Pipe {
  int fd;
  std::function<void(const std::string&)> on_line;  // Called with the object's lock held.
  std::string partial = {};

  void Take(absl::string_view bytes) {
    for (const char c : bytes) {
      if (c == '\n') {
        on_line(std::exchange(partial, ""));
      } else if (partial.size() < kMaxLineBytes) {
        partial += c;
      }
    }
  }
};

absl::StatusOr<std::unique_ptr<ChildProcess>> ChildProcess::Start(Options options) {
  absl::StatusOr<Spawned> spawned = Spawn(options.program, options.arguments);
  if (!spawned.ok()) return Annotate(spawned.status(), absl::StrCat("start ", options.name));
  return std::unique_ptr<ChildProcess>(new ChildProcess(
      std::move(options), spawned->pid, spawned->pid_fd, spawned->out, spawned->err));
}

ChildProcess::ChildProcess(Options options, pid_t pid, int pid_fd, int out, int err)
    : options_(std::move(options)), pid_(pid), pid_fd_(pid_fd), out_(out), err_(err) {
  watcher_ = std::thread([this] { Watch(); });
}

ChildProcess::~ChildProcess() {
  Signal(SIGKILL);
  watcher_.join();
  close(pid_fd_);
  close(out_);
  close(err_);
}

void ChildProcess::ReadFrom(int fd, Pipe* pipe) {
  char bytes[4096];
  ssize_t got;
  while ((got = read(fd, bytes, sizeof(bytes))) > 0 || (got < 0 && errno == EINTR)) {
    if (got < 0) continue;
    MutexLock lock(&mu_);
    pipe->Take(absl::string_view(bytes, static_cast<size_t>(got)));
    changed_.NotifyAll();
  }
  // The end of the stream: poll would report it again and again.
  if (got == 0) pipe->fd = -1;
}

void ChildProcess::Watch() {
  Pipe out{out_, [this](const std::string& line) ABSL_NO_THREAD_SAFETY_ANALYSIS {
             if (!first_line_.has_value()) first_line_ = line;
           }};
  Pipe err{err_, [this](const std::string& line) ABSL_NO_THREAD_SAFETY_ANALYSIS {
             const bool is_error = absl::StartsWith(line, "error: ");
             if (is_error || !absl::StartsWith(error_line_, "error: ")) error_line_ = line;
           }};
  bool running = true;
  while (running) {
    pollfd fds[] = {{pid_fd_, POLLIN, 0}, {out.fd, POLLIN, 0}, {err.fd, POLLIN, 0}};
    if (poll(fds, 3, -1) < 0) continue;  // Interrupted.
    running = fds[0].revents == 0;
    // Also after the end: what it wrote last waits in the pipes.
    if (out.fd >= 0) ReadFrom(out_, &out);
    if (err.fd >= 0) ReadFrom(err_, &err);
  }
  Collect();
  if (options_.on_exit) options_.on_exit(*this);
}

void ChildProcess::Collect() {
  int status = 0;
  MutexLock lock(&mu_);
  // With the lock held: once collected, its number may belong to another process, which Signal must
  // not reach.
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  exit_ = WIFSIGNALED(status) ? ChildExit{0, WTERMSIG(status)} : ChildExit{WEXITSTATUS(status), 0};
  changed_.NotifyAll();
}

absl::StatusOr<std::string> ChildProcess::AwaitFirstLine(absl::Time deadline) {
  bool in_time = true;
  {
    MutexLock lock(&mu_);
    while (!first_line_.has_value() && !exit_.has_value() && in_time) {
      in_time = options_.clock->WaitUntil(&changed_, &mu_, deadline);
    }
    if (first_line_.has_value()) return *first_line_;
    if (!exit_.has_value()) {
      return absl::DeadlineExceededError(absl::StrCat(options_.name, " did not get ready in time"));
    }
  }
  return absl::UnavailableError(DescribeExit());
}

std::optional<ChildExit> ChildProcess::exited() const {
  MutexLock lock(&mu_);
  return exit_;
}

bool ChildProcess::AwaitExit(absl::Time deadline) {
  MutexLock lock(&mu_);
  bool in_time = true;
  while (!exit_.has_value() && in_time) {
    in_time = options_.clock->WaitUntil(&changed_, &mu_, deadline);
  }
  return exit_.has_value();
}

std::string ChildProcess::DescribeExit() const {
  MutexLock lock(&mu_);
  const std::string how = exit_.has_value() ? exit_->Describe() : "is running";
  absl::string_view why = error_line_;
  absl::ConsumePrefix(&why, "error: ");
  return absl::StrCat(options_.name, " ", how, why.empty() ? "" : ": ", why);
}

void ChildProcess::Signal(int signal_number) {
  MutexLock lock(&mu_);
  if (!exit_.has_value()) kill(pid_, signal_number);
}

}  // namespace seraph
