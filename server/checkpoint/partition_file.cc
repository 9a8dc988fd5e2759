// SPDX-License-Identifier: Apache-2.0
#include "server/checkpoint/partition_file.h"

#include <bit>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/checksum.h"
#include "common/status_macros.h"

namespace seraph {
namespace {

static_assert(std::endian::native == std::endian::little, "files hold memory as it is");

constexpr absl::string_view kMagic = "SRPHPART";
constexpr uint32_t kVersion = 1;
constexpr size_t kFixedBytes = 8 + 4 * 4 + 8 + 8 + 4;  // Up to the name.
constexpr size_t kChecksumBytes = 8;

size_t RoundUpTo8(size_t bytes) { return (bytes + 7) / 8 * 8; }

template <typename T>
void Put(T value, std::string* out) {
  out->append(reinterpret_cast<const char*>(&value), sizeof(value));
}

template <typename T>
void PutAll(absl::Span<const T> values, std::string* out) {
  if (!values.empty()) {
    out->append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }
}

// Takes a value off the front. REQUIRES: the bytes are there.
template <typename T>
T Take(absl::string_view* in) {
  T value;
  std::memcpy(&value, in->data(), sizeof(value));
  in->remove_prefix(sizeof(value));
  return value;
}

template <typename T>
std::vector<T> TakeAll(size_t count, absl::string_view* in) {
  std::vector<T> values(count);
  if (count > 0) std::memcpy(values.data(), in->data(), count * sizeof(T));
  in->remove_prefix(count * sizeof(T));
  return values;
}

template <typename... Args>
absl::Status Damaged(const Args&... args) {
  return absl::DataLossError(absl::StrCat(args...));
}

std::string Encode(const PartitionHeader& header, absl::Span<const uint64_t> keys,
                   absl::Span<const float> rows) {
  std::string bytes;
  const size_t head = RoundUpTo8(kFixedBytes + header.table.size());
  bytes.reserve(head + keys.size() * sizeof(uint64_t) + rows.size() * sizeof(float) +
                kChecksumBytes);
  bytes.append(kMagic.data(), kMagic.size());
  Put(kVersion, &bytes);
  Put(header.partition, &bytes);
  Put(header.dim, &bytes);
  Put(header.state_width, &bytes);
  Put(uint64_t{keys.size()}, &bytes);
  Put(header.seed, &bytes);
  Put(static_cast<uint32_t>(header.table.size()), &bytes);
  bytes.append(header.table);
  bytes.resize(head, '\0');
  PutAll(keys, &bytes);
  PutAll(rows, &bytes);
  Put(Checksum(bytes), &bytes);
  return bytes;
}

// The header off the front of `in`, checked against the size of the whole file and its checksum.
// `rows` is then safe to allocate for.
absl::StatusOr<PartitionHeader> TakeHeader(absl::string_view* in, uint64_t* rows) {
  const absl::string_view file = *in;
  if (file.size() < kFixedBytes + kChecksumBytes) {
    return Damaged("is cut: ", file.size(), " bytes, and the header alone has ", kFixedBytes);
  }
  if (file.substr(0, kMagic.size()) != kMagic) {
    return Damaged("does not begin with \"", kMagic, "\"");
  }
  in->remove_prefix(kMagic.size());
  if (const auto version = Take<uint32_t>(in); version != kVersion) {
    return absl::FailedPreconditionError(absl::StrCat(
        "is of format version ", version, ", and this program reads version ", kVersion));
  }
  PartitionHeader header;
  header.partition = Take<uint32_t>(in);
  header.dim = Take<uint32_t>(in);
  header.state_width = Take<uint32_t>(in);
  *rows = Take<uint64_t>(in);
  header.seed = Take<uint64_t>(in);
  const auto name_bytes = Take<uint32_t>(in);
  // In 128 bits: no header can make the sum wrap.
  const auto row_bytes = sizeof(uint64_t) + (uint64_t{header.dim} + header.state_width) * 4;
  const unsigned __int128 stated = static_cast<unsigned __int128>(*rows) * row_bytes +
                                   RoundUpTo8(kFixedBytes + size_t{name_bytes}) + kChecksumBytes;
  if (stated != file.size()) {
    return Damaged("has ", file.size(), " bytes, and its header says ", *rows, " rows of ",
                   row_bytes, " bytes after a name of ", name_bytes);
  }
  const size_t body = file.size() - kChecksumBytes;
  absl::string_view tail = file.substr(body);
  if (Take<uint64_t>(&tail) != Checksum(file.substr(0, body))) {
    return Damaged("does not have the checksum that it states");
  }
  header.table = std::string(in->substr(0, name_bytes));
  in->remove_prefix(name_bytes);
  const size_t padding = RoundUpTo8(kFixedBytes + name_bytes) - kFixedBytes - name_bytes;
  if (in->substr(0, padding).find_first_not_of('\0') != absl::string_view::npos) {
    return Damaged("has something else than zeros after the table's name");
  }
  in->remove_prefix(padding);
  return header;
}

}  // namespace

absl::StatusOr<WrittenFile> WritePartitionFile(FileSystem* fs, const std::string& path,
                                               const PartitionHeader& header,
                                               absl::Span<const uint64_t> keys,
                                               absl::Span<const float> rows) {
  const std::string bytes = Encode(header, keys, rows);
  if (const size_t slash = path.rfind('/'); slash != std::string::npos && slash > 0) {
    RETURN_IF_ERROR(fs->CreateFolders(path.substr(0, slash)));
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<WritableFile> file, fs->Create(path));
  RETURN_IF_ERROR(file->Append(bytes));
  RETURN_IF_ERROR(file->Close());
  return WrittenFile{bytes.size(), Checksum(bytes)};
}

absl::StatusOr<PartitionContents> ParsePartitionFile(absl::string_view bytes) {
  PartitionContents contents;
  uint64_t rows = 0;
  ASSIGN_OR_RETURN(contents.header, TakeHeader(&bytes, &rows));
  contents.keys = TakeAll<uint64_t>(rows, &bytes);
  for (size_t i = 1; i < contents.keys.size(); ++i) {
    if (contents.keys[i] <= contents.keys[i - 1]) {
      return Damaged("holds key ", contents.keys[i], " after ", contents.keys[i - 1],
                     ", and keys ascend");
    }
  }
  const size_t width = size_t{contents.header.dim} + contents.header.state_width;
  contents.rows = TakeAll<float>(rows * width, &bytes);
  return contents;
}

}  // namespace seraph
