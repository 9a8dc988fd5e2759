// SPDX-License-Identifier: Apache-2.0
#include "worker/data/zstd.h"

#include <zstd.h>

#include <algorithm>
#include <memory>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"

namespace seraph {
namespace {

absl::Status Damaged(const std::string& path, absl::string_view reason) {
  return absl::DataLossError(absl::StrCat("cannot inflate ", path, ": ", reason));
}

struct FreeStream {
  void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
};

}  // namespace

bool IsZstdMagic(absl::string_view first) {
  if (first.size() < 4) return false;
  if (first.substr(0, 4) == "\x28\xb5\x2f\xfd") return true;
  // 0x184D2A50 to 0x184D2A5F, little-endian: a skippable frame, as parallel compressors write.
  return (static_cast<unsigned char>(first[0]) & 0xf0) == 0x50 &&
         first.substr(1, 3) == "\x2a\x4d\x18";
}

absl::Status InflateZstd(const std::string& path, const DataFileReader& in, uint64_t in_bytes,
                         absl::FunctionRef<absl::Status(absl::string_view)> sink) {
  const std::unique_ptr<ZSTD_DStream, FreeStream> stream(ZSTD_createDStream());
  if (stream == nullptr) {
    return absl::ResourceExhaustedError(absl::StrCat("no memory to inflate ", path));
  }
  std::string input(ZSTD_DStreamInSize(), '\0');
  std::string output(ZSTD_DStreamOutSize(), '\0');
  size_t in_frame = 0;  // Not 0: the frame has not ended.
  for (uint64_t at = 0; at < in_bytes;) {
    const size_t size = static_cast<size_t>(std::min<uint64_t>(in_bytes - at, input.size()));
    RETURN_IF_ERROR(in.ReadAt(at, size, input.data()));
    at += size;
    ZSTD_inBuffer from{input.data(), size, 0};
    bool full = false;  // The output was, in the middle of a frame: more of it may be waiting.
    while (from.pos < from.size || full) {
      ZSTD_outBuffer to{output.data(), output.size(), 0};
      in_frame = ZSTD_decompressStream(stream.get(), &to, &from);
      if (ZSTD_isError(in_frame)) return Damaged(path, ZSTD_getErrorName(in_frame));
      RETURN_IF_ERROR(sink({output.data(), to.pos}));
      full = in_frame != 0 && to.pos == to.size;
    }
  }
  return in_frame == 0 ? absl::OkStatus() : Damaged(path, "the file is truncated");
}

}  // namespace seraph
