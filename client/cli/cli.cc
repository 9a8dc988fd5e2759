// SPDX-License-Identifier: Apache-2.0
#include "client/cli/cli.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/cli/data_command.h"
#include "client/cli/evaluate_command.h"
#include "client/cli/model_command.h"
#include "client/cli/predict_command.h"
#include "client/cli/train_command.h"
#include "common/nearest_name.h"
#include "common/process/exit_code.h"
#include "common/version.h"

namespace seraph {
namespace {

// The flags of all commands: CLI11 writes into them while it parses.
struct Flags {
  TrainFlags train;
  ScoreFlags score;
  DataInspectFlags data;
  bool json = false;
  std::string output;
  std::string model;
  std::string export_format = "text";
  std::string export_output = "-";
};

using Run = std::function<int(const CommandContext&)>;

void AddTrain(CLI::App* app, Flags* flags, Run* run) {
  CLI::App* train = app->add_subcommand("train", "train a model as a job file says");
  train->add_option("JOB", flags->train.job, "job file: YAML, JSON or protobuf text")->required();
  train
      ->add_option("--set", flags->train.overrides,
                   "override a key of the job, as in --set train.epochs=3; may be repeated")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  train->add_flag("--processes", flags->train.processes,
                  "run scheduler, servers and workers as processes on loopback");
  train->add_flag("--json", flags->train.json, "print one JSON object an event");
  train->add_flag("--dry-run", flags->train.dry_run,
                  "check the job and print it with every default filled in");
  train->callback([flags, run] {
    *run = [flags](const CommandContext& context) { return RunTrain(flags->train, context); };
  });
}

void AddScoreOptions(CLI::App* command, Flags* flags) {
  command->add_option("--model", flags->score.model, "folder of a saved model")
      ->type_name("DIR")
      ->required();
  command->add_option("--data", flags->score.data, "file, folder or glob; may be repeated")
      ->type_name("PATH")
      ->required()
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--format", flags->score.format,
                      "format of the data, if not the model's own");
  command
      ->add_option("--index-base", flags->score.index_base,
                   "0 or 1: what the data counts indices from, if not as the model's own")
      ->check(CLI::IsMember({"0", "1"}));
}

void AddEvaluate(CLI::App* app, Flags* flags, Run* run) {
  CLI::App* evaluate = app->add_subcommand("evaluate", "measure a saved model on labelled rows");
  AddScoreOptions(evaluate, flags);
  evaluate->add_flag("--json", flags->json, "print one JSON object");
  evaluate->callback([flags, run] {
    *run = [flags](const CommandContext& context) {
      return RunEvaluate(flags->score, flags->json, context);
    };
  });
}

void AddPredict(CLI::App* app, Flags* flags, Run* run) {
  CLI::App* predict = app->add_subcommand("predict", "score rows with a saved model");
  AddScoreOptions(predict, flags);
  predict->add_option("--output", flags->output, "file for one line a row; - is standard output")
      ->type_name("FILE")
      ->required();
  predict->callback([flags, run] {
    *run = [flags](const CommandContext& context) {
      return RunPredict(flags->score, flags->output, context);
    };
  });
}

void AddModelFolder(CLI::App* command, Flags* flags) {
  command->add_option("DIR", flags->model, "folder of a saved model")->required();
}

void AddModel(CLI::App* app, Flags* flags, Run* run) {
  CLI::App* model = app->add_subcommand("model", "look into a saved model");
  model->require_subcommand(1);
  CLI::App* inspect = model->add_subcommand("inspect", "print tables, sizes and the job");
  AddModelFolder(inspect, flags);
  inspect->add_flag("--json", flags->json, "print one JSON object");
  inspect->callback([flags, run] {
    *run = [flags](const CommandContext& context) {
      return RunModelInspect(flags->model, flags->json, context);
    };
  });
  CLI::App* verify = model->add_subcommand("verify", "read every checksum");
  AddModelFolder(verify, flags);
  verify->add_flag("--json", flags->json, "print one JSON object");
  verify->callback([flags, run] {
    *run = [flags](const CommandContext& context) {
      return RunModelVerify(flags->model, flags->json, context);
    };
  });
  CLI::App* exporting = model->add_subcommand("export", "write the weights for other programs");
  AddModelFolder(exporting, flags);
  exporting->add_option("--format", flags->export_format, "text, csv or npz; text by default");
  exporting->add_option("--output", flags->export_output, "file; standard output by default")
      ->type_name("FILE");
  exporting->callback([flags, run] {
    *run = [flags](const CommandContext& context) {
      return RunModelExport(flags->model, flags->export_format, flags->export_output, context);
    };
  });
}

void AddData(CLI::App* app, Flags* flags, Run* run) {
  CLI::App* data = app->add_subcommand("data", "look into data files");
  data->require_subcommand(1);
  CLI::App* inspect = data->add_subcommand(
      "inspect", "say what data files hold, and the data section of a job that reads them");
  inspect->add_option("PATH", flags->data.path, "file, folder or glob")->required();
  inspect->add_option("--format", flags->data.format, "format of the data; guessed by default");
  inspect
      ->add_option("--index-base", flags->data.index_base,
                   "0 or 1: what the data counts indices from; by default 0 if one is 0, else 1")
      ->check(CLI::IsMember({"0", "1"}));
  inspect->add_flag("--json", flags->json, "print one JSON object");
  inspect->callback([flags, run] {
    *run = [flags](const CommandContext& context) {
      return RunDataInspect(flags->data, flags->json, context);
    };
  });
}

// --dry_run means --dry-run. Values stay as they are.
std::vector<std::string> WithHyphens(std::vector<std::string> words) {
  for (std::string& word : words) {
    if (word == "--") break;
    if (!absl::StartsWith(word, "--")) continue;
    const size_t end = std::min(word.find('='), word.size());
    std::replace(word.begin(), word.begin() + static_cast<ptrdiff_t>(end), '_', '-');
  }
  return words;
}

const CLI::App* DeepestParsed(const CLI::App& app) {
  const CLI::App* deepest = &app;
  while (!deepest->get_subcommands().empty()) deepest = deepest->get_subcommands()[0];
  return deepest;
}

// "seraph model inspect"
std::string FullName(const CLI::App* app) {
  return app->get_parent() == nullptr
             ? app->get_name()
             : absl::StrCat(FullName(app->get_parent()), " ", app->get_name());
}

std::vector<std::string> ValidWords(const CLI::App* app, bool flags) {
  std::vector<std::string> words;
  if (flags) {
    for (const CLI::Option* option : app->get_options()) {
      for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
    }
  } else {
    for (const CLI::App* command : app->get_subcommands([](const CLI::App*) { return true; })) {
      words.push_back(command->get_name());
    }
  }
  return words;
}

// The word that nobody knew, and the nearest one that is known there.
int FailUnknown(const CLI::App& root, const std::string& word, const Terminal& terminal) {
  const CLI::App* app = DeepestParsed(root);
  const bool is_flag = absl::StartsWith(word, "-");
  const std::string name = word.substr(0, word.find('='));
  const std::vector<std::string> valid = ValidWords(app, is_flag);
  const char* what = is_flag         ? "unknown flag"
                     : valid.empty() ? "unexpected word"
                                     : "unknown command";
  const std::string nearest = NearestName(name, valid);
  const std::string hint = !nearest.empty() ? absl::StrCat("did you mean ", nearest, "?")
                           : is_flag || valid.empty()
                               ? absl::StrCat(FullName(app), " --help lists what it takes")
                               : absl::StrCat("commands are ", absl::StrJoin(valid, ", "));
  return terminal.Fail(absl::InvalidArgumentError(absl::StrCat(what, " ", name)), FullName(app),
                       hint);
}

int FailParsing(const CLI::App& root, const CLI::ParseError& error, const Terminal& terminal) {
  const std::vector<std::string> remaining = root.remaining(/*recurse=*/true);
  if (!remaining.empty()) return FailUnknown(root, remaining.front(), terminal);
  const CLI::App* app = DeepestParsed(root);
  return terminal.Fail(absl::InvalidArgumentError(error.what()), FullName(app),
                       absl::StrCat(FullName(app), " --help lists what it takes"));
}

}  // namespace

int RunCli(const std::vector<std::string>& words, const CommandContext& context) {
  const Terminal& terminal = context.terminal;
  Flags flags;
  Run run;
  CLI::App app("Seraph trains models whose parameters live on a cluster of servers.", "seraph");
  app.set_version_flag("--version", absl::StrCat("seraph ", kVersion));
  app.require_subcommand(1);
  AddTrain(&app, &flags, &run);
  AddEvaluate(&app, &flags, &run);
  AddPredict(&app, &flags, &run);
  AddModel(&app, &flags, &run);
  AddData(&app, &flags, &run);
  try {
    std::vector<std::string> reversed = WithHyphens(words);
    std::reverse(reversed.begin(), reversed.end());
    app.parse(std::move(reversed));
  } catch (const CLI::CallForHelp&) {
    *terminal.out << app.help();
    return terminal.Done();
  } catch (const CLI::CallForVersion& version) {
    *terminal.out << version.what() << "\n";
    return terminal.Done();
  } catch (const CLI::ParseError& error) {
    return FailParsing(app, error, terminal);
  }
  return run(context);
}

}  // namespace seraph
