// SPDX-License-Identifier: Apache-2.0
#include "client/cli/npz_writer.h"

#include <zlib.h>

#include <limits>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"

namespace seraph {
namespace {

constexpr uint64_t kMaxZip = std::numeric_limits<uint32_t>::max();
constexpr uint16_t kVersion = 20;       // Of the zip format that a reader needs.
constexpr uint16_t kDate = 1 << 5 | 1;  // 1 January 1980, the format's first day.

void Put16(uint16_t value, std::string* out) {
  out->push_back(static_cast<char>(value & 0xff));
  out->push_back(static_cast<char>(value >> 8));
}

void Put32(uint64_t value, std::string* out) {
  Put16(static_cast<uint16_t>(value & 0xffff), out);
  Put16(static_cast<uint16_t>(value >> 16 & 0xffff), out);
}

uint32_t Crc(uint32_t crc, absl::string_view bytes) {
  return static_cast<uint32_t>(
      crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

// The part that an entry's own header and its line in the directory share.
std::string EntryFields(uint32_t crc, uint64_t bytes, size_t name_bytes) {
  std::string fields;
  Put16(kVersion, &fields);
  Put16(0, &fields);  // Flags.
  Put16(0, &fields);  // Stored.
  Put16(0, &fields);  // Time.
  Put16(kDate, &fields);
  Put32(crc, &fields);
  Put32(bytes, &fields);
  Put32(bytes, &fields);
  Put16(static_cast<uint16_t>(name_bytes), &fields);
  Put16(0, &fields);  // Extra field.
  return fields;
}

// NumPy's array header, version 1.0, padded so that the data begin at a multiple of 64.
std::string ArrayHeader(absl::string_view type, const std::string& shape) {
  std::string text =
      absl::StrCat("{'descr': '", type, "', 'fortran_order': False, 'shape': (", shape, "), }");
  constexpr size_t kPreamble = 10;
  while ((kPreamble + text.size() + 1) % 64 != 0) text += ' ';
  text += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  Put16(static_cast<uint16_t>(text.size()), &header);
  return header + text;
}

template <typename T>
absl::string_view BytesOf(absl::Span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

}  // namespace

absl::Status NpzWriter::Write(absl::string_view bytes) {
  offset_ += bytes.size();
  return output_->Write(bytes);
}

absl::Status NpzWriter::AddArray(const std::string& name, const std::string& header,
                                 absl::string_view content) {
  const std::string file = name + ".npy";
  const uint64_t bytes = header.size() + content.size();
  if (offset_ + bytes + directory_.size() + 1024 > kMaxZip) {
    return absl::InvalidArgumentError("the arrays do not fit in 4 GiB of npz, use text or csv");
  }
  const std::string fields = EntryFields(Crc(Crc(0, header), content), bytes, file.size());
  directory_.append("PK\x01\x02", 4);
  Put16(kVersion, &directory_);  // Made by.
  directory_ += fields;
  Put16(0, &directory_);  // Comment.
  Put16(0, &directory_);  // Disk.
  Put16(0, &directory_);  // Internal and external attributes.
  Put32(0, &directory_);
  Put32(offset_, &directory_);
  directory_ += file;
  ++entries_;
  RETURN_IF_ERROR(Write(absl::StrCat(absl::string_view("PK\x03\x04", 4), fields, file, header)));
  return Write(content);
}

absl::Status NpzWriter::Add(const std::string& name, absl::Span<const uint64_t> keys) {
  return AddArray(name, ArrayHeader("<u8", absl::StrCat(keys.size(), ",")), BytesOf(keys));
}

absl::Status NpzWriter::Add(const std::string& name, uint32_t dim, absl::Span<const float> values) {
  return AddArray(name, ArrayHeader("<f4", absl::StrCat(values.size() / dim, ", ", dim)),
                  BytesOf(values));
}

absl::Status NpzWriter::Finish() {
  std::string end("PK\x05\x06", 4);
  Put32(0, &end);  // Disks.
  Put16(entries_, &end);
  Put16(entries_, &end);
  Put32(directory_.size(), &end);
  Put32(offset_, &end);
  Put16(0, &end);  // Comment.
  RETURN_IF_ERROR(Write(directory_));
  return Write(end);
}

}  // namespace seraph
