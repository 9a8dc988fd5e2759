// SPDX-License-Identifier: Apache-2.0
#include "client/cli/cluster/spawn.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/status_macros.h"

namespace seraph {
namespace {

constexpr unsigned kCloseOnExec = 1u << 2;  // CLOSE_RANGE_CLOEXEC, newer than some headers.

absl::Status SystemError(const std::string& action, int error) {
  const std::string message = absl::StrCat(action, ": ", strerror(error));
  if (error == ENOENT || error == ENOTDIR) return absl::NotFoundError(message);
  return absl::InternalError(message);
}

// A pipe whose ends close themselves.
struct PipeEnds {
  int read_end = -1;
  int write_end = -1;

  ~PipeEnds() {
    CloseRead();
    CloseWrite();
  }
  absl::Status Open() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return SystemError("make a pipe", errno);
    read_end = ends[0];
    write_end = ends[1];
    return absl::OkStatus();
  }
  void CloseRead() { Close(&read_end); }
  void CloseWrite() { Close(&write_end); }
  int TakeRead() {
    const int fd = read_end;
    read_end = -1;
    return fd;
  }

 private:
  static void Close(int* fd) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
  }
};

// Runs in the child between fork and exec, where other threads may have held any lock: system calls
// only. `failure` tells the parent errno.
[[noreturn]] void RunChild(const char* program, char* const* argv, pid_t parent, int out, int err,
                           int failure) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // It ended before the call above.
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);
  const int null_fd = open("/dev/null", O_RDONLY);
  const bool joined = null_fd >= 0 && dup2(null_fd, STDIN_FILENO) >= 0 &&
                      dup2(out, STDOUT_FILENO) >= 0 && dup2(err, STDERR_FILENO) >= 0;
  if (joined) {
    // Descriptors that a library opened without close-on-exec stay here. Best effort: an old kernel
    // has no such call.
    syscall(SYS_close_range, 3u, ~0u, kCloseOnExec);
    execv(program, argv);
  }
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(failure, &error, sizeof(error));
  _exit(127);
}

int OpenPidFd(pid_t pid) { return static_cast<int>(syscall(SYS_pidfd_open, pid, 0u)); }

void SetNonBlocking(int fd) { fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK); }

// 0 once exec has closed the pipe; else the child's errno.
int ReadFailure(int fd) {
  int error = 0;
  ssize_t got;
  do {
    got = read(fd, &error, sizeof(error));
  } while (got < 0 && errno == EINTR);
  return got == static_cast<ssize_t>(sizeof(error)) ? error : 0;
}

}  // namespace

absl::StatusOr<Spawned> Spawn(const std::string& program,
                              const std::vector<std::string>& arguments) {
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  PipeEnds out, err, failure;
  RETURN_IF_ERROR(out.Open());
  RETURN_IF_ERROR(err.Open());
  RETURN_IF_ERROR(failure.Open());

  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) return SystemError("fork", errno);
  if (pid == 0) {
    RunChild(program.c_str(), argv.data(), parent, out.write_end, err.write_end, failure.write_end);
  }
  out.CloseWrite();
  err.CloseWrite();
  failure.CloseWrite();
  int error = ReadFailure(failure.read_end);
  const int pid_fd = error == 0 ? OpenPidFd(pid) : -1;
  if (pid_fd < 0) {
    const std::string action = error == 0 ? "watch " : "run ";
    if (error == 0) error = errno;
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
    return SystemError(action + program, error);
  }
  SetNonBlocking(out.read_end);
  SetNonBlocking(err.read_end);
  return Spawned{pid, pid_fd, out.TakeRead(), err.TakeRead()};
}

}  // namespace seraph
