// SPDX-License-Identifier: Apache-2.0
#include "scheduler/scheduler_app.h"

#include <random>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/status_macros.h"
#include "scheduler/service/control_service.h"

namespace seraph {
namespace {

constexpr absl::Duration kShortestLease = absl::Milliseconds(1);
constexpr absl::Duration kLongestLease = absl::Hours(24);

absl::Status CheckOptions(const SchedulerApp::Options& options) {
  if (options.network == nullptr || options.clock == nullptr) {
    return absl::InvalidArgumentError("start scheduler: network and clock are required");
  }
  if (options.lease < kShortestLease || options.lease > kLongestLease) {
    return absl::InvalidArgumentError(absl::StrCat(
        "start scheduler: lease is ", absl::FormatDuration(options.lease), ", not ",
        absl::FormatDuration(kShortestLease), "..", absl::FormatDuration(kLongestLease)));
  }
  return absl::OkStatus();
}

std::string RandomClusterName() {
  std::random_device device;
  return absl::StrFormat("%08x%08x", device(), device());
}

class App : public SchedulerApp {
 public:
  explicit App(const Options& options)
      : service_(
            {.clock = options.clock,
             .lease = options.lease,
             .cluster = RandomClusterName(),
             .scores = {.memory_bytes = size_t{64} << 20, .spill_folder = options.spill_folder}}) {}
  ~App() override { Shutdown(absl::ZeroDuration()); }

  absl::Status Listen(const Options& options) {
    ASSIGN_OR_RETURN(listener_, options.network->Listen(options.listen, &service_));
    return absl::OkStatus();
  }

  const std::string& address() const override { return listener_->address(); }

  void Shutdown(absl::Duration grace) override {
    service_.Shutdown();
    if (listener_ != nullptr) listener_->Shutdown(grace);
  }

 private:
  ControlService service_;
  std::unique_ptr<Listener> listener_;  // Ends before the service.
};

}  // namespace

absl::StatusOr<std::unique_ptr<SchedulerApp>> SchedulerApp::Start(const Options& options) {
  RETURN_IF_ERROR(CheckOptions(options));
  auto app = std::make_unique<App>(options);
  RETURN_IF_ERROR(app->Listen(options));
  return std::unique_ptr<SchedulerApp>(std::move(app));
}

}  // namespace seraph
