// SPDX-License-Identifier: Apache-2.0
#include "client/cli/interrupt_watch.h"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <utility>

namespace seraph {
namespace {

int BlockSignals() {
  sigset_t waited;
  sigemptyset(&waited);
  sigaddset(&waited, SIGINT);
  sigaddset(&waited, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &waited, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  return ::signalfd(-1, &waited, SFD_CLOEXEC);
}

int MillisecondsOf(absl::Duration timeout) {
  if (timeout == absl::InfiniteDuration()) return -1;
  return static_cast<int>(absl::ToInt64Milliseconds(timeout));
}

}  // namespace

InterruptWatch::InterruptWatch(absl::Duration settle, absl::Duration grace,
                               std::function<void(int)> force)
    : settle_(settle),
      grace_(grace),
      force_(std::move(force)),
      signals_(BlockSignals()),
      stop_(::eventfd(0, EFD_CLOEXEC)),
      thread_([this] { Run(); }) {}

InterruptWatch::~InterruptWatch() {
  stopping_ = true;
  const uint64_t one = 1;
  // Cannot fail: the counter is far from full.
  [[maybe_unused]] const ssize_t written = ::write(stop_, &one, sizeof(one));
  thread_.join();
  ::close(signals_);
  ::close(stop_);
}

std::optional<int> InterruptWatch::Await(absl::Duration timeout) {
  pollfd entries[] = {{signals_, POLLIN, 0}, {stop_, POLLIN, 0}};
  if (::poll(entries, 2, MillisecondsOf(timeout)) <= 0 || entries[0].revents == 0)
    return std::nullopt;
  signalfd_siginfo info = {};
  if (::read(signals_, &info, sizeof(info)) != sizeof(info)) return std::nullopt;
  return static_cast<int>(info.ssi_signo);
}

void InterruptWatch::Settle() {
  pollfd stop = {stop_, POLLIN, 0};
  ::poll(&stop, 1, MillisecondsOf(settle_));
  while (Await(absl::ZeroDuration()).has_value()) {
  }
}

void InterruptWatch::Run() {
  while (!stopping_ && signal_ == 0) {
    if (const std::optional<int> first = Await(absl::InfiniteDuration())) signal_ = *first;
  }
  if (stopping_) return;
  Settle();
  if (stopping_) return;
  Await(grace_);
  if (!stopping_) force_(signal_);
}

}  // namespace seraph
