// SPDX-License-Identifier: Apache-2.0
// Runs programs of the build as a person or a script would: arguments in; exit code, stdout and
// stderr out.
#ifndef SERAPH_TESTS_E2E_COMMAND_H_
#define SERAPH_TESTS_E2E_COMMAND_H_

#include <sys/types.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/time/time.h"

namespace seraph {

struct CommandResult {
  int exit_code =
      -1;  // 128 + signal when a signal ended it; -1 when it did not end in time (and was killed).
  std::string out;
  std::string err;

  // stdout as --json promises it: one object a line. Aborts the test program on anything else.
  std::vector<nlohmann::json> Events() const;
  nlohmann::json LastEvent() const { return Events().back(); }
};

// The seraph command of this build.
std::string SeraphBinary();

// A running program. Not thread-safe. Destroying it kills and reaps it.
class Command {
 public:
  // argv[0] is the program's path.
  explicit Command(const std::vector<std::string>& argv);
  ~Command();
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  pid_t pid() const { return pid_; }
  void Signal(int signal_number) const;
  // What has come on stdout so far.
  std::string OutSoFar() const;
  // Whether `text` comes on stdout within the limit, while the program runs.
  bool AwaitOut(const std::string& text, absl::Duration limit = absl::Minutes(1)) const;
  // Process ids of its children whose command line contains `text`, now.
  std::vector<pid_t> Children(const std::string& text) const;
  CommandResult Wait(absl::Duration limit = absl::Minutes(2));

 private:
  pid_t pid_ = -1;
  bool reaped_ = false;
  std::string out_path_;
  std::string err_path_;
};

// Runs to the end.
CommandResult RunCommand(const std::vector<std::string>& argv,
                         absl::Duration limit = absl::Minutes(2));
// The same for `seraph ARGS...`.
CommandResult RunSeraph(std::vector<std::string> args, absl::Duration limit = absl::Minutes(2));

// Writes a file below the test's folder and returns its path.
std::string WriteFile(const std::string& name, const std::string& text);
// A path below the test's folder where nothing is yet.
std::string FreshPath(const std::string& name);
std::string ReadFile(const std::string& path);

}  // namespace seraph

#endif  // SERAPH_TESTS_E2E_COMMAND_H_
