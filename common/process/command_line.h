// SPDX-License-Identifier: Apache-2.0
// The command line of the daemons: --name=value, --name value, --switch, --noswitch; hyphens and
// underscores are the same. The flags themselves live in each main (gflags); this knows only their
// descriptions, so that libraries stay free of flags and every daemon reports a mistake alike.
#ifndef SERAPH_COMMON_PROCESS_COMMAND_LINE_H_
#define SERAPH_COMMON_PROCESS_COMMAND_LINE_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace seraph {

struct FlagDescription {
  std::string name;        // With underscores.
  bool is_switch = false;  // Takes no value.
  std::string default_value;
  std::string help;
};

enum class CommandLineAction { kRun, kHelp, kVersion };

// Sets each flag through `set` (false: the value does not suit the flag). --help and --version end
// the reading. INVALID_ARGUMENT names an unknown flag (with the nearest valid one), a missing or
// wrong value, and any word that is no flag.
absl::StatusOr<CommandLineAction> ParseCommandLine(
    const std::vector<std::string>& words, const std::vector<FlagDescription>& flags,
    const std::function<bool(const std::string& name, const std::string& value)>& set);

// What --help prints: the summary, then the flags in the order given, written with hyphens.
std::string HelpText(absl::string_view program, absl::string_view summary,
                     const std::vector<FlagDescription>& flags);

}  // namespace seraph

#endif  // SERAPH_COMMON_PROCESS_COMMAND_LINE_H_
