// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/compressed_fuzz.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "tests/fuzz/row_format_fuzz.h"

namespace seraph {
namespace {

// A few bytes can hold gigabytes.
constexpr size_t kMostText = 1 << 20;
constexpr char kPath[] = "/data/x";

void Require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

// What comes out, of a damaged file too.
std::string TextOf(Inflate inflate, const DataFileReader& file, uint64_t bytes) {
  std::string text;
  const absl::Status status =
      inflate(kPath, file, bytes, [&text](absl::string_view piece) -> absl::Status {
        text.append(piece.data(), piece.size());
        return text.size() < kMostText ? absl::OkStatus() : absl::CancelledError("enough");
      });
  if (absl::IsCancelled(status)) {
    Require(text.size() >= kMostText, "the sink's error ends it, and nothing else does");
  } else if (!status.ok()) {
    Require(absl::IsDataLoss(status), "damage is DATA_LOSS");
    Require(status.message().find(kPath) != absl::string_view::npos, "errors name the file");
  }
  return text;
}

}  // namespace

void FuzzInflate(Inflate inflate, const uint8_t* data, size_t size) {
  const std::unique_ptr<DataFileReader> file = DataFileReader::CreateUnlinked("").value();
  const bool written = file->Append({reinterpret_cast<const char*>(data), size}).ok();
  Require(written, "the disk has room");
  const std::string text = TextOf(inflate, *file, size);
  Require(text == TextOf(inflate, *file, size), "a file holds one text");
  FuzzIndexedFormat("libsvm", reinterpret_cast<const uint8_t*>(text.data()), text.size());
}

}  // namespace seraph
