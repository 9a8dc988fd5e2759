// SPDX-License-Identifier: Apache-2.0
#include "server/checkpoint/manifest_file.h"

#include <memory>
#include <set>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/checksum.h"
#include "common/status_macros.h"
#include "common/table_spec.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/util/json_util.h"
#include "google/protobuf/util/type_resolver.h"
#include "google/protobuf/util/type_resolver_util.h"
#include "server/checkpoint/partition_file_name.h"

namespace seraph {
namespace {

constexpr absl::string_view kMagic = "seraph-model";
constexpr uint32_t kVersion = 1;
constexpr size_t kLongestFirstLine = 64;

// Map fields in the order of their keys, unlike SerializeAsString.
std::string SerializeInOrder(const v1::ModelManifest& manifest) {
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  manifest.SerializeToCodedStream(&coded);
  coded.Trim();
  return bytes;
}

absl::StatusOr<std::string> ToJson(const v1::ModelManifest& manifest) {
  constexpr char kPrefix[] = "type.googleapis.com";
  const std::unique_ptr<google::protobuf::util::TypeResolver> resolver(
      google::protobuf::util::NewTypeResolverForDescriptorPool(
          kPrefix, google::protobuf::DescriptorPool::generated_pool()));
  google::protobuf::util::JsonPrintOptions options;
  options.add_whitespace = true;
  options.always_print_primitive_fields = true;
  options.preserve_proto_field_names = true;
  std::string json;
  const auto status = google::protobuf::util::BinaryToJsonString(
      resolver.get(), absl::StrCat(kPrefix, "/", manifest.GetDescriptor()->full_name()),
      SerializeInOrder(manifest), &json, options);
  if (!status.ok()) {
    return absl::InternalError(
        absl::StrCat("cannot write the manifest as JSON: ", std::string(status.message())));
  }
  return json;
}

absl::Status Damaged(absl::string_view what) { return absl::DataLossError(what); }

// "seraph-model 1 CHECKSUM"; returns the checksum.
absl::StatusOr<std::string> ParseFirstLine(absl::string_view line) {
  const std::vector<std::string> words = absl::StrSplit(line, ' ');
  uint32_t version = 0;
  if (words.size() < 2 || words[0] != kMagic || !absl::SimpleAtoi(words[1], &version)) {
    return Damaged(absl::StrCat("does not begin with \"", kMagic, " ", kVersion, "\""));
  }
  if (version != kVersion) {
    return absl::FailedPreconditionError(absl::StrCat(
        "is of format version ", version, ", and this program reads version ", kVersion));
  }
  // Spelled exactly, so that no flipped byte of the line goes unnoticed ("01", a second space).
  if (words.size() != 3 || words[1] != absl::StrCat(kVersion)) {
    return Damaged(absl::StrCat("has a first line of another form than \"", kMagic, " ", kVersion,
                                " CHECKSUM\""));
  }
  return words[2];
}

// The files of a table lie where they must, so that no manifest makes a reader leave the folder or
// read a partition twice.
absl::Status CheckTable(const v1::SavedTable& table) {
  const std::string& name = table.spec().name();
  const uint32_t partitions = table.spec().partitions();
  if (!IsTableName(name)) {
    return Damaged(absl::StrCat("lists a table with the name \"", name, "\""));
  }
  int64_t last = -1;
  for (const v1::SavedPartition& saved : table.partitions()) {
    if (saved.partition() >= partitions || int64_t{saved.partition()} <= last) {
      return Damaged(absl::StrCat("lists partition ", saved.partition(), " of ", partitions,
                                  " of table ", name, " after ", last));
    }
    last = saved.partition();
    const std::string expected = PartitionFileName(name, saved.partition(), partitions);
    if (saved.file() != expected) {
      return Damaged(absl::StrCat("lists file ", saved.file(), " where ", expected, " belongs"));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckContents(const v1::ModelManifest& manifest) {
  if (manifest.format_version() != kVersion) {
    return Damaged(absl::StrCat("states format_version ", manifest.format_version(),
                                " after a first line of version ", kVersion));
  }
  std::set<std::string> names;
  for (const v1::SavedTable& table : manifest.tables()) {
    RETURN_IF_ERROR(CheckTable(table));
    if (!names.insert(table.spec().name()).second) {
      return Damaged(absl::StrCat("lists table ", table.spec().name(), " twice"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> EncodeManifest(v1::ModelManifest manifest) {
  manifest.set_format_version(kVersion);
  if (const absl::Status fits = CheckContents(manifest); !fits.ok()) {
    return absl::InvalidArgumentError(absl::StrCat("the manifest to write ", fits.message()));
  }
  ASSIGN_OR_RETURN(const std::string json, ToJson(manifest));
  return absl::StrCat(kMagic, " ", kVersion, " ", ChecksumHex(json), "\n", json);
}

absl::StatusOr<v1::ModelManifest> ParseManifest(absl::string_view bytes) {
  const size_t line_end = bytes.substr(0, kLongestFirstLine).find('\n');
  if (line_end == absl::string_view::npos) {
    // A version we do not know may have a longer line.
    RETURN_IF_ERROR(ParseFirstLine(bytes.substr(0, kLongestFirstLine)).status());
    return Damaged("is cut in its first line");
  }
  ASSIGN_OR_RETURN(const std::string checksum, ParseFirstLine(bytes.substr(0, line_end)));
  const absl::string_view json = bytes.substr(line_end + 1);
  if (ChecksumHex(json) != checksum) return Damaged("does not have the checksum that it states");
  v1::ModelManifest manifest;
  google::protobuf::util::JsonParseOptions options;
  options.ignore_unknown_fields = true;
  const auto parsed =
      google::protobuf::util::JsonStringToMessage(std::string(json), &manifest, options);
  if (!parsed.ok()) {
    return Damaged(absl::StrCat("is no manifest: ", std::string(parsed.message())));
  }
  RETURN_IF_ERROR(CheckContents(manifest));
  return manifest;
}

}  // namespace seraph
