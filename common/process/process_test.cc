// SPDX-License-Identifier: Apache-2.0
#include <sys/types.h>
#include <unistd.h>

#include <csignal>
#include <map>
#include <string>
#include <vector>

#include "common/hint.h"
#include "common/process/byte_size.h"
#include "common/process/command_line.h"
#include "common/process/daemon.h"
#include "common/process/error_line.h"
#include "common/process/exit_code.h"
#include "common/process/signal_waiter.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::HasSubstr;

TEST(ExitCodeTest, WrongRequestsAre2UnreachableIs3AndTheRest1) {
  EXPECT_EQ(ExitCode(absl::OkStatus()), 0);
  EXPECT_EQ(ExitCode(absl::AbortedError("")), 1);
  EXPECT_EQ(ExitCode(absl::ResourceExhaustedError("")), 1);
  EXPECT_EQ(ExitCode(absl::InvalidArgumentError("")), 2);
  EXPECT_EQ(ExitCode(absl::DataLossError("")), 2);
  EXPECT_EQ(ExitCode(absl::UnavailableError("")), 3);
  EXPECT_EQ(ExitCode(absl::DeadlineExceededError("")), 3);
  EXPECT_EQ(ExitCodeOfSignal(SIGINT), 130);
  EXPECT_EQ(ExitCodeOfSignal(SIGTERM), 143);
}

TEST(ErrorLineTest, ControlCharactersDoNothingToATerminal) {
  EXPECT_EQ(ErrorText("", absl::UnavailableError("a\x1b[2J\x7f")), "error: a\\x1b[2J\\x7f\n");
}

TEST(ErrorLineTest, AnErrorIsOneLineAndAHintAnother) {
  EXPECT_EQ(ErrorText("start server", absl::UnavailableError("port 1:\nin use"), "take port 0"),
            "error: start server: port 1: in use\nhint: take port 0\n");
  EXPECT_EQ(ErrorText("", absl::UnavailableError("gone")), "error: gone\n");
  EXPECT_EQ(
      ErrorText("train", WithHint(absl::AbortedError("diverged"), "slow down"), "read the manual"),
      "error: train: diverged\nhint: slow down\n");
}

TEST(ByteSizeTest, ReadsUnitsAndNamesWhatIsNone) {
  EXPECT_EQ(ParseByteSize("8GiB").value(), int64_t{8} << 30);
  EXPECT_EQ(ParseByteSize("512 mb").value(), 512000000);
  EXPECT_EQ(ParseByteSize("4096").value(), 4096);
  EXPECT_EQ(ParseByteSize("1B").value(), 1);
  for (const char* wrong : {"", "GiB", "-1", "1.5GiB", "8Gi", "8XB", "99999999999TiB"}) {
    EXPECT_THAT(ParseByteSize(wrong),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(std::string("\"") + wrong)));
  }
}

class CommandLineTest : public ::testing::Test {
 protected:
  absl::StatusOr<CommandLineAction> Parse(const std::vector<std::string>& words) {
    return ParseCommandLine(words, flags_, [this](const std::string& name, const std::string& v) {
      if (name == "executors" && v.find_first_not_of("0123456789") != std::string::npos) {
        return false;
      }
      values_[name] = v;
      return true;
    });
  }
  const std::vector<FlagDescription> flags_ = {{"listen", false, "127.0.0.1:0", "Where."},
                                               {"executors", false, "1", "How many."},
                                               {"die_with_parent", true, "false", "Dies."}};
  std::map<std::string, std::string> values_;
};

TEST_F(CommandLineTest, TakesBothSpellingsOfValuesAndSwitches) {
  ASSERT_OK(Parse({"--listen=a:1", "--executors", "3", "--die-with-parent"}));
  EXPECT_EQ(values_["listen"], "a:1");
  EXPECT_EQ(values_["executors"], "3");
  EXPECT_EQ(values_["die_with_parent"], "true");
  ASSERT_OK(Parse({"--nodie_with_parent"}));
  EXPECT_EQ(values_["die_with_parent"], "false");
}

TEST_F(CommandLineTest, HelpAndVersionEndTheReading) {
  EXPECT_EQ(Parse({"--help", "--nonsense"}).value(), CommandLineAction::kHelp);
  EXPECT_EQ(Parse({"--version"}).value(), CommandLineAction::kVersion);
  EXPECT_THAT(HelpText("p", "does", flags_), HasSubstr("--die-with-parent\n"));
}

TEST_F(CommandLineTest, NamesWhatIsWrong) {
  EXPECT_THAT(Parse({"--lisen=a"}), StatusIs(absl::StatusCode::kInvalidArgument,
                                             HasSubstr("--lisen; did you mean --listen?")));
  EXPECT_THAT(Parse({"--executors=x"}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"x\"")));
  EXPECT_THAT(Parse({"--executors"}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("needs a value")));
  EXPECT_THAT(Parse({"word"}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("word")));
  EXPECT_THAT(Parse({"--nolisten"}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("--nolisten")));
}

TEST(DaemonTest, ReadyLineNamesWhatThereIs) {
  EXPECT_EQ(ReadyLine("seraph_server", "s0", "127.0.0.1:7", 3),
            "seraph_server s0 ready at 127.0.0.1:7 (node 3)\n");
  EXPECT_EQ(ReadyLine("seraph_scheduler", "", "127.0.0.1:7", 0),
            "seraph_scheduler ready at 127.0.0.1:7\n");
}

TEST(DaemonTest, OnlyLoopbackIsServedInTheClearUnlessSaidAloud) {
  for (const char* fine : {"", "127.0.0.1:0", "localhost:80", "[::1]:80", "127.1.2.3"}) {
    EXPECT_OK(CheckMayServe(fine, false)) << fine;
  }
  for (const char* open :
       {"0.0.0.0:0", ":80", "[::]:80", "10.0.0.1:1", "host", "127.evil.example:80"}) {
    EXPECT_THAT(CheckMayServe(open, false),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(open)));
    EXPECT_OK(CheckMayServe(open, true)) << open;
  }
}

TEST(DaemonTest, AParentThatIsGoneIsAnError) {
  EXPECT_OK(DieWithParent(getppid()));
  EXPECT_THAT(DieWithParent(getppid() + 1),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("gone")));
}

TEST(SignalWaiterTest, ReturnsASignalOnceAndNothingAfterTheTimeout) {
  SignalWaiter waiter;
  EXPECT_EQ(waiter.WaitFor(absl::ZeroDuration()), std::nullopt);
  ASSERT_EQ(kill(getpid(), SIGTERM), 0);
  EXPECT_EQ(waiter.WaitFor(absl::Seconds(10)), SIGTERM);
  EXPECT_EQ(waiter.WaitFor(absl::ZeroDuration()), std::nullopt);
}

}  // namespace
}  // namespace seraph
