// SPDX-License-Identifier: Apache-2.0
#include "server/checkpoint/manifest_file.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "common/checksum.h"
#include "google/protobuf/util/message_differencer.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

v1::ModelManifest Sample() {
  v1::ModelManifest manifest;
  manifest.set_format_version(1);
  manifest.set_epochs(3);
  manifest.set_steps((uint64_t{1} << 53) + 1);
  manifest.set_written_by("seraph 0.1");
  for (const char* name : {"weights", "factors", "bias", "layer/one", "layer/two"}) {
    (*manifest.mutable_job()->mutable_tables())[name].mutable_optimizer()->set_l2(1e-6);
  }
  v1::SavedTable* table = manifest.add_tables();
  table->mutable_spec()->set_name("layer/one");
  table->mutable_spec()->set_dim(8);
  table->mutable_spec()->set_partitions(256);
  table->mutable_spec()->set_seed(~uint64_t{0});
  table->mutable_spec()->mutable_optimizer()->set_learning_rate(0.1);
  table->set_state_width(8);
  for (const uint32_t partition : {3, 200}) {
    v1::SavedPartition* saved = table->add_partitions();
    saved->set_partition(partition);
    saved->set_file(absl::StrCat("layer+one/part-00", partition == 3 ? "003" : "200", "-of-00256"));
    saved->set_rows(12);
    saved->set_bytes(900);
    saved->set_checksum(0xfedcba9876543210u);
  }
  return manifest;
}

// `json` behind a first line whose checksum is right.
std::string Sealed(const std::string& json) {
  return absl::StrCat("seraph-model 1 ", ChecksumHex(json), "\n", json);
}

std::string Encoded(const v1::ModelManifest& manifest) {
  const auto bytes = EncodeManifest(manifest);
  EXPECT_OK(bytes);
  return *bytes;
}

TEST(ManifestFileTest, ReadsBackEqual) {
  const auto manifest = ParseManifest(Encoded(Sample()));
  ASSERT_OK(manifest);
  EXPECT_TRUE(google::protobuf::util::MessageDifferencer::Equals(*manifest, Sample()))
      << manifest->DebugString();
}

TEST(ManifestFileTest, EqualManifestsGiveEqualBytes) {
  v1::ModelManifest other;
  for (const char* name : {"layer/two", "bias", "layer/one", "factors", "weights"}) {
    (*other.mutable_job()->mutable_tables())[name];  // Another history of the map.
  }
  other.MergeFrom(Sample());
  EXPECT_EQ(Encoded(other), Encoded(Sample()));
}

TEST(ManifestFileTest, IsAFirstLineThenJsonWithTheFieldNamesOfTheProto) {
  const std::string bytes = Encoded(Sample());
  EXPECT_THAT(bytes, AllOf(StartsWith("seraph-model 1 "), HasSubstr("\"format_version\": 1"),
                           HasSubstr("\"state_width\": 8"),
                           HasSubstr("\"file\": \"layer+one/part-00003-of-00256\"")));
  EXPECT_EQ(bytes, Sealed(bytes.substr(bytes.find('\n') + 1)));
}

TEST(ManifestFileTest, EveryFlippedBitIsNoticed) {
  const std::string bytes = Encoded(Sample());
  for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] ^= static_cast<char>(1 << bit % 8);
    EXPECT_FALSE(ParseManifest(flipped).ok()) << "bit " << bit;
  }
}

TEST(ManifestFileTest, EveryTruncationIsNoticed) {
  const std::string bytes = Encoded(Sample());
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THAT(ParseManifest(bytes.substr(0, size)).status(),
                StatusIs(absl::StatusCode::kDataLoss, ::testing::_))
        << size;
  }
}

TEST(ManifestFileTest, AnotherVersionIsRefusedByNumberWhateverFollows) {
  for (const char* bytes : {"seraph-model 2 whatever\n{}", "seraph-model 2", "seraph-model 2\n"}) {
    EXPECT_THAT(ParseManifest(bytes).status(),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         AllOf(HasSubstr("version 2"), HasSubstr("reads version 1"))));
  }
}

TEST(ManifestFileTest, WhatIsNoManifestIsDamaged) {
  for (const std::string& bytes :
       {std::string(), std::string("Manifest-Version: 1.0\n"), std::string(100000, 'x'), Sealed(""),
        Sealed("[]"), Sealed("{\"format_version\": \"many\"}"), Sealed("{}")}) {
    EXPECT_THAT(ParseManifest(bytes).status(), StatusIs(absl::StatusCode::kDataLoss, ::testing::_))
        << bytes.substr(0, 60);
  }
}

TEST(ManifestFileTest, FieldsOfLaterProgramsArePassedOver) {
  EXPECT_OK(ParseManifest(Sealed("{\"format_version\": 1, \"colour\": {\"shade\": [1, 2]}}")));
}

// No manifest, however well sealed, makes a reader leave the folder or read a file twice.
TEST(ManifestFileTest, FilesThatCannotBeAModelsAreRefused) {
  const std::string bytes = Encoded(Sample());
  const std::string json = bytes.substr(bytes.find('\n') + 1);
  const auto with = [&json](absl::string_view from, absl::string_view to) {
    const std::string changed = absl::StrReplaceAll(json, {{from, to}});
    EXPECT_NE(changed, json);
    return ParseManifest(Sealed(changed)).status();
  };
  EXPECT_THAT(with("layer+one/part-00003-of-00256", "../../secret"),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("../../secret")));
  EXPECT_THAT(with("layer/one", ".."), StatusIs(absl::StatusCode::kDataLoss, HasSubstr("\"..\"")));
  EXPECT_THAT(with("\"partition\": 3", "\"partition\": 256"),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("256 of 256")));
  EXPECT_THAT(with("\"partition\": 200", "\"partition\": 3"),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("partition 3")));
}

TEST(ManifestFileTest, TableListedTwiceIsRefused) {
  v1::ModelManifest manifest = Sample();
  v1::SavedTable* other = manifest.add_tables();
  other->mutable_spec()->set_name("other");
  const std::string bytes = Encoded(manifest);
  const std::string json = absl::StrReplaceAll(
      bytes.substr(bytes.find('\n') + 1), {{"\"name\": \"other\"", "\"name\": \"layer/one\""}});
  EXPECT_THAT(ParseManifest(Sealed(json)).status(),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("layer/one twice")));
}

TEST(ManifestFileTest, NothingIsWrittenThatCannotBeReadBack) {
  v1::ModelManifest manifest = Sample();
  manifest.mutable_tables(0)->mutable_partitions()->SwapElements(0, 1);
  EXPECT_THAT(EncodeManifest(manifest).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("partition 3")));
}

TEST(ManifestFileTest, VersionIsThatOfTheWriter) {
  v1::ModelManifest manifest = Sample();
  manifest.clear_format_version();
  EXPECT_EQ(Encoded(manifest), Encoded(Sample()));
}

}  // namespace
}  // namespace seraph
