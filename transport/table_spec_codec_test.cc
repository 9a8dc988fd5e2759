// SPDX-License-Identifier: Apache-2.0
#include "transport/table_spec_codec.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::HasSubstr;

TableSpec EveryFieldSet() {
  TableSpec spec;
  spec.name = "layer/1";
  spec.kind = TableKind::kDense;
  spec.dim = 4096;
  spec.rows = 10;
  spec.partitions = 16;
  spec.seed = ~uint64_t{0};
  spec.initializer = {InitializerSpec::Type::kNormal, 0.25};
  spec.optimizer = {"ftrl", 0.5, 1e-3, 1e-4, 0.125, 1e-7, 2};
  spec.optimizer.schedule = {ScheduleSpec::Type::kStep, 5, 100, 0.25, 0.125, 7};
  spec.sync = {SyncSpec::Mode::kSsp, 4, SyncSpec::Reduce::kSum};
  return spec;
}

TEST(TableSpecCodecTest, RoundTripKeepsEveryField) {
  EXPECT_EQ(FromProto(ToProto(EveryFieldSet())).value(), EveryFieldSet());
}

TEST(TableSpecCodecTest, RoundTripKeepsEveryEnumValue) {
  TableSpec spec;
  spec.name = "t";
  for (const auto mode : {SyncSpec::Mode::kBsp, SyncSpec::Mode::kSsp, SyncSpec::Mode::kAsp}) {
    for (const auto type : {InitializerSpec::Type::kConstant, InitializerSpec::Type::kUniform,
                            InitializerSpec::Type::kNormal}) {
      spec.sync.mode = mode;
      spec.initializer.type = type;
      EXPECT_EQ(FromProto(ToProto(spec)).value(), spec);
    }
  }
}

TEST(TableSpecCodecTest, RoundTripKeepsEveryTypeOfSchedule) {
  TableSpec spec;
  spec.name = "t";
  for (const std::string& name : ScheduleTypeNames()) {
    spec.optimizer.schedule.type = ScheduleTypeOf(name).value();
    EXPECT_EQ(FromProto(ToProto(spec)).value(), spec) << name;
  }
}

TEST(TableSpecCodecTest, ASpecWithoutScheduleHasAConstantRate) {
  v1::TableSpec proto = ToProto(EveryFieldSet());
  proto.mutable_optimizer()->clear_schedule();
  EXPECT_EQ(FromProto(proto).value().optimizer.schedule, ScheduleSpec());
}

TEST(TableSpecCodecTest, RefusesWhatValidationRefuses) {
  v1::TableSpec proto = ToProto(EveryFieldSet());
  proto.set_dim(0);
  EXPECT_THAT(FromProto(proto), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("dim 0")));
}

TEST(TableSpecCodecTest, RefusesEnumValuesOfLaterVersions) {
  v1::TableSpec proto = ToProto(EveryFieldSet());
  proto.set_kind(static_cast<v1::TableSpec::Kind>(7));
  EXPECT_THAT(FromProto(proto), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("kind 7")));
  proto = ToProto(EveryFieldSet());
  proto.mutable_sync()->set_mode(static_cast<v1::SyncSpec::Mode>(8));
  EXPECT_THAT(FromProto(proto),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("sync mode 8")));
  proto = ToProto(EveryFieldSet());
  proto.mutable_sync()->set_reduce(static_cast<v1::SyncSpec::Reduce>(9));
  EXPECT_THAT(FromProto(proto),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("sync reduce 9")));
  proto = ToProto(EveryFieldSet());
  proto.mutable_initializer()->set_type(static_cast<v1::InitializerSpec::Type>(10));
  EXPECT_THAT(FromProto(proto),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("initializer type 10")));
  proto = ToProto(EveryFieldSet());
  proto.mutable_optimizer()->mutable_schedule()->set_type(static_cast<v1::ScheduleSpec::Type>(11));
  EXPECT_THAT(FromProto(proto),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("schedule type 11")));
}

}  // namespace
}  // namespace seraph
