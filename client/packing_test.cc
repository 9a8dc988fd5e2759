// SPDX-License-Identifier: Apache-2.0
#include "client/packing.h"

#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/partitioning.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::ElementsAre;

// Two tables of different width over two servers.
class PackingTest : public ::testing::Test {
 protected:
  PackingTest() {
    for (uint32_t t = 0; t < 2; ++t) {
      auto state = std::make_shared<TableState>();
      state->spec.name = std::string(1, static_cast<char>('a' + t));
      state->spec.dim = t + 1;
      state->spec.partitions = 4;
      state->info.set_id(10 + t);
      state->info.set_map_epoch(3);
      state->owner = {0, 0, 1, 1};
      MutexLock lock(&state->mu);
      state->sequence.assign(4, 0);
      tables_.push_back(std::move(state));
    }
    for (uint64_t key = 0; key < 40; ++key) keys_.push_back(key * 7 % 40);
  }
  RoutePlan Route(const std::vector<RequestSlice>& slices, uint64_t frame_bytes) {
    std::vector<RouteSlice> routes;
    for (const RequestSlice& slice : slices) {
      routes.push_back({{&slice.table->spec, slice.table->owner}, slice.keys});
    }
    RoutePlan plan;
    EXPECT_OK(RouteKeys(routes, frame_bytes, &plan));
    return plan;
  }

  std::vector<std::shared_ptr<TableState>> tables_;
  std::vector<uint64_t> keys_;
};

float ValueOf(uint64_t key, uint32_t column) { return static_cast<float>(key * 10 + column); }

TEST_F(PackingTest, APushedFrameHoldsWhatItsDescriptionSays) {
  std::vector<std::vector<float>> values(2);
  for (const uint64_t key : keys_) {
    values[0].push_back(ValueOf(key, 0));
    values[1].push_back(ValueOf(key, 0));
    values[1].push_back(ValueOf(key, 1));
  }
  const std::vector<RequestSlice> slices = {{tables_[0], keys_, values[0], {}},
                                            {tables_[1], keys_, values[1], {}}};
  const RoutePlan plan = Route(slices, 200);
  EXPECT_GT(plan.frames.size(), 2u);
  std::map<uint32_t, size_t> keys_of_table;
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> last_sequence;
  for (const RouteFrame& frame : plan.frames) {
    google::protobuf::RepeatedPtrField<v1::TableSlice> described;
    DescribeSlices(frame, slices, true, &described);
    const Payload payload = PackFrame(frame, plan, slices);
    size_t at = 0;
    for (const v1::TableSlice& slice : described) {
      EXPECT_EQ(slice.map_epoch(), 3u);
      const uint32_t dim = slice.table() - 9;
      std::vector<uint64_t> keys;
      for (int i = 0; i < slice.partition_size(); ++i) {
        const std::pair<uint32_t, uint32_t> place = {slice.table(), slice.partition(i)};
        EXPECT_EQ(slice.sequence(i), ++last_sequence[place]);
        for (uint32_t k = 0; k < slice.keys(i); ++k, at += sizeof(uint64_t)) {
          ASSERT_LE(at + sizeof(uint64_t), payload.size());
          uint64_t key = 0;
          std::memcpy(&key, payload.data() + at, sizeof(key));
          EXPECT_EQ(PartitionOf(tables_[slice.table() - 10]->spec, key), slice.partition(i));
          keys.push_back(key);
        }
      }
      for (const uint64_t key : keys) {
        for (uint32_t d = 0; d < dim; ++d, at += sizeof(float)) {
          ASSERT_LE(at + sizeof(float), payload.size());
          float value = 0;
          std::memcpy(&value, payload.data() + at, sizeof(value));
          EXPECT_EQ(value, ValueOf(key, d));
        }
      }
      keys_of_table[slice.table()] += keys.size();
    }
    EXPECT_EQ(at, payload.size());
  }
  EXPECT_EQ(keys_of_table[10], keys_.size());
  EXPECT_EQ(keys_of_table[11], keys_.size());
}

TEST_F(PackingTest, PulledRowsReturnToTheirKeysPlaces) {
  std::vector<float> narrow(keys_.size()), wide(2 * keys_.size());
  const std::vector<RequestSlice> slices = {{tables_[0], keys_, {}, absl::MakeSpan(narrow)},
                                            {tables_[1], keys_, {}, absl::MakeSpan(wide)}};
  const RoutePlan plan = Route(slices, 200);
  for (const RouteFrame& frame : plan.frames) {
    const Payload request = PackFrame(frame, plan, slices);
    std::vector<float> reply;
    size_t key = 0;
    for (const RouteRange& range : frame.ranges) {
      for (uint64_t k = 0; k < range.keys; ++k, ++key) {
        for (uint32_t d = 0; d <= range.slice; ++d) {
          reply.push_back(ValueOf(request.View<uint64_t>(0, key + 1)[key], d));
        }
      }
    }
    EXPECT_EQ(request.size(), key * sizeof(uint64_t));
    ASSERT_EQ(ReplyBytes(frame, slices), reply.size() * sizeof(float));
    UnpackRows(frame, plan, slices, reinterpret_cast<const uint8_t*>(reply.data()));
  }
  for (size_t i = 0; i < keys_.size(); ++i) {
    EXPECT_EQ(narrow[i], ValueOf(keys_[i], 0));
    EXPECT_THAT(absl::MakeConstSpan(wide).subspan(2 * i, 2),
                ElementsAre(ValueOf(keys_[i], 0), ValueOf(keys_[i], 1)));
  }
}

}  // namespace
}  // namespace seraph
