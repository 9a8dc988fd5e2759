// SPDX-License-Identifier: Apache-2.0
#include "common/process/command_line.h"

#include <algorithm>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "common/nearest_name.h"
#include "common/status_macros.h"

namespace seraph {
namespace {

struct Word {
  std::string name;  // With underscores.
  std::optional<std::string> value;
};

std::string Hyphens(absl::string_view name) { return absl::StrReplaceAll(name, {{"_", "-"}}); }

absl::StatusOr<Word> SplitWord(absl::string_view word) {
  absl::string_view rest = word;
  if (!absl::ConsumePrefix(&rest, "-")) {
    return absl::InvalidArgumentError(absl::StrCat("unexpected argument \"", word, "\""));
  }
  absl::ConsumePrefix(&rest, "-");
  const size_t equals = rest.find('=');
  Word split;
  split.name = absl::StrReplaceAll(rest.substr(0, equals), {{"-", "_"}});
  if (equals != absl::string_view::npos) split.value = std::string(rest.substr(equals + 1));
  return split;
}

const FlagDescription* Find(const std::vector<FlagDescription>& flags, const std::string& name) {
  const auto it = std::find_if(flags.begin(), flags.end(),
                               [&name](const FlagDescription& f) { return f.name == name; });
  return it == flags.end() ? nullptr : &*it;
}

absl::Status UnknownFlag(const std::string& name, const std::vector<FlagDescription>& flags) {
  std::vector<std::string> names = {"help", "version"};
  for (const FlagDescription& flag : flags) names.push_back(flag.name);
  std::string message = absl::StrCat("unknown flag --", Hyphens(name));
  const std::string nearest = NearestName(name, names);
  if (!nearest.empty()) absl::StrAppend(&message, "; did you mean --", Hyphens(nearest), "?");
  return absl::InvalidArgumentError(message);
}

}  // namespace

absl::StatusOr<CommandLineAction> ParseCommandLine(
    const std::vector<std::string>& words, const std::vector<FlagDescription>& flags,
    const std::function<bool(const std::string& name, const std::string& value)>& set) {
  for (size_t i = 0; i < words.size(); ++i) {
    ASSIGN_OR_RETURN(Word word, SplitWord(words[i]));
    if (word.name == "help") return CommandLineAction::kHelp;
    if (word.name == "version") return CommandLineAction::kVersion;
    const FlagDescription* flag = Find(flags, word.name);
    if (flag == nullptr && absl::StartsWith(word.name, "no") && !word.value.has_value()) {
      flag = Find(flags, word.name.substr(2));
      if (flag != nullptr && !flag->is_switch) flag = nullptr;
      word.value = "false";
    }
    if (flag == nullptr) return UnknownFlag(word.name, flags);
    if (!word.value.has_value()) {
      if (flag->is_switch) {
        word.value = "true";
      } else if (i + 1 < words.size()) {
        word.value = words[++i];
      } else {
        return absl::InvalidArgumentError(
            absl::StrCat("flag --", Hyphens(flag->name), " needs a value"));
      }
    }
    if (!set(flag->name, *word.value)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "flag --", Hyphens(flag->name), " does not take the value \"", *word.value, "\""));
    }
  }
  return CommandLineAction::kRun;
}

std::string HelpText(absl::string_view program, absl::string_view summary,
                     const std::vector<FlagDescription>& flags) {
  std::string text = absl::StrCat(program, " - ", summary, "\n\n");
  for (const FlagDescription& flag : flags) {
    absl::StrAppend(&text, "  --", Hyphens(flag.name));
    if (!flag.is_switch) {
      absl::StrAppend(&text, "=", flag.default_value.empty() ? "VALUE" : flag.default_value);
    }
    absl::StrAppend(&text, "\n      ", flag.help, "\n");
  }
  absl::StrAppend(&text, "  --help\n      Prints this and exits.\n",
                  "  --version\n      Prints the version and exits.\n");
  return text;
}

}  // namespace seraph
