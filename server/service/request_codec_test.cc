// SPDX-License-Identifier: Apache-2.0
#include "server/service/request_codec.h"

#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "common/partitioning.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/status_matchers.h"
#include "transport/table_spec_codec.h"

namespace seraph {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class RequestCodecTest : public ::testing::Test {
 protected:
  RequestCodecTest() {
    for (uint32_t id = 1; id <= 3; ++id) {
      auto table = std::make_shared<ServedTable>();
      table->id = id;
      table->group = "g";
      table->spec.name = id == 1 ? "weights" : id == 2 ? "factors" : "layer";
      table->spec.dim = id == 2 ? 3 : 1;
      table->spec.partitions = 4;
      if (id == 3) {
        table->spec.kind = TableKind::kDense;
        table->spec.rows = 10;
      }
      tables_.push_back(std::move(table));
    }
  }

  FindServedTable Find() {
    return [this](uint32_t id, uint64_t) -> absl::StatusOr<std::shared_ptr<const ServedTable>> {
      if (id < 1 || id > tables_.size()) return absl::NotFoundError("no such table");
      return tables_[id - 1];
    };
  }

  // A key of partition `partition`, the `n`th from 0.
  uint64_t KeyIn(uint32_t partition, int n = 0) {
    for (uint64_t key = 0;; ++key) {
      if (PartitionOf(tables_[0]->spec, key) == partition && n-- == 0) return key;
    }
  }

  // A request with a payload of these keys and values per slice, in this order.
  std::shared_ptr<RequestMemory> Memory(const std::vector<std::vector<uint64_t>>& keys,
                                        const std::vector<std::vector<float>>& values = {}) {
    std::string bytes;
    for (size_t s = 0; s < keys.size(); ++s) {
      bytes.append(reinterpret_cast<const char*>(keys[s].data()), keys[s].size() * 8);
      if (s < values.size()) {
        bytes.append(reinterpret_cast<const char*>(values[s].data()), values[s].size() * 4);
      }
    }
    auto memory = std::make_shared<RequestMemory>();
    memory->frame.payload = Payload::Uninitialized(bytes.size());
    if (!bytes.empty()) std::memcpy(memory->frame.payload.data(), bytes.data(), bytes.size());
    v1::DataRequest* request = memory->frame.header.mutable_data_request();
    request->set_group("g");
    request->set_timeout_s(1);
    return memory;
  }
  static v1::Pull* PullOf(RequestMemory* m) {
    return m->frame.header.mutable_data_request()->mutable_pull();
  }
  static v1::Push* PushOf(RequestMemory* m) {
    return m->frame.header.mutable_data_request()->mutable_push();
  }
  template <typename Op>
  static v1::TableSlice* AddSlice(Op* op, uint32_t table, const std::vector<uint32_t>& partitions,
                                  const std::vector<uint32_t>& counts) {
    v1::TableSlice* slice = op->add_slices();
    slice->set_table(table);
    for (const uint32_t p : partitions) slice->add_partition(p);
    for (const uint32_t c : counts) slice->add_keys(c);
    return slice;
  }
  absl::Status PullError(const std::vector<uint64_t>& keys, uint32_t table,
                         const std::vector<uint32_t>& partitions,
                         const std::vector<uint32_t>& counts) {
    const auto memory = Memory({keys});
    AddSlice(PullOf(memory.get()), table, partitions, counts);
    return DecodePull(memory.get(), Find()).status();
  }

  std::vector<std::shared_ptr<ServedTable>> tables_;
};

TEST_F(RequestCodecTest, APullKnowsItsKeysAndTheirPlacesInTheReply) {
  const std::vector<uint64_t> weights = {KeyIn(0), KeyIn(2), KeyIn(2, 1)}, factors = {KeyIn(3)};
  const auto memory = Memory({weights, factors});
  v1::DataRequest* request = memory->frame.header.mutable_data_request();
  request->set_rank(2);
  request->set_clock(7);
  request->set_timeout_s(0.5);
  AddSlice(PullOf(memory.get()), 1, {0, 2}, {1, 2});
  AddSlice(PullOf(memory.get()), 2, {3}, {1});
  const DecodedPull decoded = DecodePull(memory.get(), Find()).value();
  EXPECT_EQ(decoded.pull.session.rank, 2u);
  EXPECT_EQ(decoded.pull.session.clock, 7);
  EXPECT_EQ(decoded.pull.session.timeout, absl::Milliseconds(500));
  EXPECT_EQ(decoded.pull.slices[0].keys.keys, absl::MakeConstSpan(weights));
  EXPECT_THAT(decoded.pull.slices[0].keys.partitions, ElementsAre(0, 2));
  EXPECT_EQ(decoded.pull.slices[1].out.size(), 3u);
  EXPECT_EQ(decoded.reply.size(), (3 + 3) * 4u);
  EXPECT_EQ(reinterpret_cast<const uint8_t*>(decoded.pull.slices[1].out.data()),
            decoded.reply.data() + 12);
}

TEST_F(RequestCodecTest, APushReadsKeysThatDoNotStandAligned) {
  const std::vector<uint64_t> first = {KeyIn(1)}, second = {KeyIn(0), KeyIn(2)};
  const auto memory = Memory({first, second}, {{5}, {1, 2}});
  AddSlice(PushOf(memory.get()), 1, {1}, {1})->add_sequence(9);
  AddSlice(PushOf(memory.get()), 1, {0, 2}, {1, 1});
  PushOf(memory.get())->set_kind(v1::Push::ADD);
  const CorePush push = DecodePush(memory, Find()).value();
  EXPECT_EQ(push.kind, CorePushKind::kAdd);
  EXPECT_THAT(push.slices[0].sequences, ElementsAre(9));
  EXPECT_EQ(push.slices[1].keys.keys, absl::MakeConstSpan(second));
  EXPECT_THAT(push.slices[1].values, ElementsAre(1, 2));
  EXPECT_EQ(push.memory, memory);
}

TEST_F(RequestCodecTest, EmptyRequestsAreRequests) {
  const auto memory = Memory({});
  PullOf(memory.get());
  EXPECT_TRUE(DecodePull(memory.get(), Find()).value().pull.slices.empty());
  EXPECT_OK(PullError({}, 1, {}, {}));
  EXPECT_OK(PullError({}, 1, {2}, {0}));
}

TEST_F(RequestCodecTest, SizesThatDoNotAddUpAreBothNamed) {
  EXPECT_THAT(PullError({KeyIn(0)}, 1, {0}, {2}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("has 8 bytes"), HasSubstr("announce 16"))));
  EXPECT_THAT(PullError({KeyIn(0), KeyIn(0)}, 1, {0}, {1}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("has 16 bytes"), HasSubstr("announce 8"))));
  EXPECT_THAT(PullError({}, 1, {0}, {1}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("has 0 bytes")));
  for (const size_t values : {0, 2, 4}) {
    const auto memory = Memory({{KeyIn(3)}}, {std::vector<float>(values, 1)});
    AddSlice(PushOf(memory.get()), 2, {3}, {1});
    EXPECT_THAT(DecodePush(memory, Find()),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         AllOf(HasSubstr(absl::StrCat("has ", 8 + 4 * values, " bytes")),
                               HasSubstr("announce 20"))));
  }
}

TEST_F(RequestCodecTest, AnnouncedSizesBeyondAllNumbersAreRefusedWithoutAnAllocation) {
  const auto memory = Memory({});
  tables_[1]->spec.dim = 4096;
  tables_[1]->spec.partitions = 65536;
  const std::vector<uint32_t> counts(65536, std::numeric_limits<uint32_t>::max());
  std::vector<uint32_t> partitions(65536);
  for (uint32_t p = 0; p < partitions.size(); ++p) partitions[p] = p;
  for (int i = 0; i < 5; ++i) AddSlice(PushOf(memory.get()), 2, partitions, counts);
  EXPECT_THAT(DecodePush(memory, Find()),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("announce 18446744073709")));
}

TEST_F(RequestCodecTest, AReplyLargerThanAFrameIsRefused) {
  tables_[1]->spec.dim = 4096;
  const std::vector<uint64_t> keys(5000, KeyIn(3));
  EXPECT_THAT(PullError(keys, 2, {3}, {5000}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("81920000"), HasSubstr("67108864"))));
}

TEST_F(RequestCodecTest, PartitionsAscendEachOnceAndExist) {
  const uint64_t a = KeyIn(1), b = KeyIn(2);
  EXPECT_THAT(PullError({b, a}, 1, {2, 1}, {1, 1}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("partition 1")));
  EXPECT_THAT(PullError({a, a}, 1, {1, 1}, {1, 1}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("partition 1")));
  EXPECT_THAT(PullError({a}, 1, {4}, {1}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("partition 4")));
  EXPECT_THAT(PullError({a}, 1, {1, 2}, {1}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("2 partitions with 1 numbers of keys")));
  const auto memory = Memory({{a}}, {{1}});
  v1::TableSlice* slice = AddSlice(PushOf(memory.get()), 1, {1}, {1});
  slice->add_sequence(1);
  slice->add_sequence(2);
  EXPECT_THAT(DecodePush(memory, Find()),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("2 sequence numbers")));
}

TEST_F(RequestCodecTest, AKeyOfAnotherPartitionIsNamed) {
  const uint64_t key = KeyIn(1);
  EXPECT_THAT(PullError({KeyIn(0), key}, 1, {0}, {2}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr(absl::StrCat("table weights: key ", key, " is of partition 1"))));
  EXPECT_OK(PullError({9}, 3, {3}, {1}));
  EXPECT_THAT(PullError({10}, 3, {3}, {1}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("row 10 does not exist")));
}

TEST_F(RequestCodecTest, ErrorsOfTheTableComeBack) {
  EXPECT_THAT(PullError({}, 9, {}, {}),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("no such table")));
}

TEST_F(RequestCodecTest, SessionsOfAnotherWorldAreRefused) {
  v1::DataRequest request;
  EXPECT_THAT(DecodeSession(request),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("no group")));
  request.set_group("g");
  EXPECT_OK(DecodeSession(request));
  for (const double wrong :
       {-1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    request.set_timeout_s(wrong);
    EXPECT_THAT(DecodeSession(request),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("timeout_s")));
  }
  request.set_timeout_s(1);
  request.set_generation(3);
  EXPECT_THAT(DecodeSession(request),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("generation 3")));
}

TEST_F(RequestCodecTest, ATableIsOwnedWhereItsMapSaysSo) {
  v1::DataRequest request;
  request.set_group("g");
  v1::TableInfo* info = request.mutable_open_table()->mutable_table();
  info->set_id(5);
  info->set_group("g");
  info->set_workers(2);
  info->set_map_epoch(4);
  *info->mutable_spec() = ToProto(tables_[0]->spec);
  info->add_servers()->set_node(11);
  info->add_servers()->set_node(12);
  for (const uint32_t owner : {1, 0, 1, 1}) info->add_owner(owner);
  const CoreTableRequest table = DecodeOpenTable(request, 12).value();
  EXPECT_THAT(table.owned, ElementsAre(true, false, true, true));
  EXPECT_EQ(table.spec, tables_[0]->spec);
  EXPECT_EQ(table.map_epoch, 4u);
  info->set_owner(3, 2);
  EXPECT_THAT(DecodeOpenTable(request, 12),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("server 2 of 2")));
  info->mutable_owner()->RemoveLast();
  EXPECT_THAT(DecodeOpenTable(request, 12),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("3 owners for 4")));
  info->set_workers(0);
  EXPECT_THAT(DecodeOpenTable(request, 12),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("0 workers")));
  info->set_group("h");
  EXPECT_THAT(DecodeOpenTable(request, 12),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("opened by group g")));
}

}  // namespace
}  // namespace seraph
