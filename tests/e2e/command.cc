// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/command.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "gtest/gtest.h"

namespace seraph {
namespace {

[[noreturn]] void RunChild(const std::vector<std::string>& argv, const std::string& out,
                           const std::string& err) {
  const int in_fd = ::open("/dev/null", O_RDONLY);
  const int out_fd = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  const int err_fd = ::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  ::dup2(in_fd, 0);
  ::dup2(out_fd, 1);
  ::dup2(err_fd, 2);
  std::vector<char*> words;
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::execv(words[0], words.data());
  std::perror(words[0]);
  ::_exit(127);
}

// Waits for the process by its descriptor: no polling, and a limit.
bool AwaitExit(pid_t pid, absl::Duration limit) {
  const int fd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  struct pollfd entry = {fd, POLLIN, 0};
  const int ready = ::poll(&entry, 1, static_cast<int>(absl::ToInt64Milliseconds(limit)));
  ::close(fd);
  return ready > 0;
}

std::string CommandLineOf(const std::string& pid) {
  std::string line = ReadFile(absl::StrCat("/proc/", pid, "/cmdline"));
  for (char& c : line) {
    if (c == '\0') c = ' ';
  }
  return line;
}

}  // namespace

std::vector<nlohmann::json> CommandResult::Events() const {
  std::vector<nlohmann::json> events;
  for (const absl::string_view line : absl::StrSplit(out, '\n', absl::SkipEmpty())) {
    events.push_back(nlohmann::json::parse(line.begin(), line.end()));
  }
  if (events.empty()) events.emplace_back();
  return events;
}

std::string SeraphBinary() { return std::filesystem::absolute("client/cli/seraph").string(); }

Command::Command(const std::vector<std::string>& argv)
    : out_path_(FreshPath("stdout")), err_path_(FreshPath("stderr")) {
  std::ofstream(out_path_).flush();  // There to be watched before the child has opened it.
  pid_ = ::fork();
  if (pid_ == 0) RunChild(argv, out_path_, err_path_);
}

Command::~Command() {
  if (!reaped_) {
    Signal(SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
}

void Command::Signal(int signal_number) const { ::kill(pid_, signal_number); }

std::string Command::OutSoFar() const { return ReadFile(out_path_); }

bool Command::AwaitOut(const std::string& text, absl::Duration limit) const {
  const absl::Time end = absl::Now() + limit;
  const int changes = ::inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  ::inotify_add_watch(changes, out_path_.c_str(), IN_MODIFY);
  const int exit = static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0));
  bool found = false;
  bool more = true;
  while (!(found = OutSoFar().find(text) != std::string::npos) && more) {
    pollfd entries[] = {{changes, POLLIN, 0}, {exit, POLLIN, 0}};
    const int64_t left = absl::ToInt64Milliseconds(end - absl::Now());
    more = left > 0 && ::poll(entries, 2, static_cast<int>(left)) > 0 && entries[1].revents == 0;
    char events[4096];
    while (::read(changes, events, sizeof(events)) > 0) {
    }
  }
  ::close(changes);
  ::close(exit);
  return found || OutSoFar().find(text) != std::string::npos;
}

std::vector<pid_t> Command::Children(const std::string& text) const {
  std::vector<pid_t> children;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    // "pid (name) state ppid ...": the name may hold blanks, so look behind its bracket.
    const std::string stat = ReadFile(absl::StrCat("/proc/", name, "/stat"));
    const size_t bracket = stat.rfind(')');
    if (bracket == std::string::npos) continue;
    const std::vector<std::string> fields = absl::StrSplit(stat.substr(bracket + 2), ' ');
    if (fields.size() < 2 || std::atoi(fields[1].c_str()) != pid_) continue;
    if (CommandLineOf(name).find(text) != std::string::npos)
      children.push_back(std::atoi(name.c_str()));
  }
  return children;
}

CommandResult Command::Wait(absl::Duration limit) {
  CommandResult result;
  const bool ended = AwaitExit(pid_, limit);
  if (!ended) Signal(SIGKILL);
  int status = 0;
  ::waitpid(pid_, &status, 0);
  reaped_ = true;
  if (ended) result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = ReadFile(out_path_);
  result.err = ReadFile(err_path_);
  return result;
}

CommandResult RunCommand(const std::vector<std::string>& argv, absl::Duration limit) {
  return Command(argv).Wait(limit);
}

CommandResult RunSeraph(std::vector<std::string> args, absl::Duration limit) {
  args.insert(args.begin(), SeraphBinary());
  return RunCommand(args, limit);
}

std::string FreshPath(const std::string& name) {
  static std::atomic<int> count{0};
  return absl::StrCat(::testing::TempDir(),  // Ends with a slash.
                      ::testing::UnitTest::GetInstance()->current_test_info()->name(), "-", count++,
                      "-", name);
}

std::string WriteFile(const std::string& name, const std::string& text) {
  const std::string path = FreshPath(name);
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

std::string ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace seraph
