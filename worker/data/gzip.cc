// SPDX-License-Identifier: Apache-2.0
#include "worker/data/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"

namespace seraph {
namespace {

constexpr size_t kChunkBytes = 256 << 10;
constexpr int kGzipWindowBits = 15 + 16;  // The largest window, gzip headers only.

absl::Status Damaged(const std::string& path, absl::string_view reason) {
  return absl::DataLossError(absl::StrCat("cannot inflate ", path, ": ", reason));
}

// One pass over a file: refills the input, drains the output, starts anew at each member.
class Inflater {
 public:
  Inflater(const std::string& path, const DataFileReader& in, uint64_t in_bytes,
           absl::FunctionRef<absl::Status(absl::string_view)> sink)
      : path_(path),
        in_(in),
        left_(in_bytes),
        sink_(sink),
        input_(kChunkBytes),
        output_(kChunkBytes) {}
  ~Inflater() { inflateEnd(&stream_); }

  absl::Status Run() {
    if (inflateInit2(&stream_, kGzipWindowBits) != Z_OK) {
      return absl::ResourceExhaustedError(absl::StrCat("no memory to inflate ", path_));
    }
    RETURN_IF_ERROR(Refill());
    do {
      RETURN_IF_ERROR(RunMember());
      RETURN_IF_ERROR(SkipPadding());
      inflateReset(&stream_);
    } while (stream_.avail_in > 0);
    return absl::OkStatus();
  }

 private:
  absl::Status RunMember() {
    int result = Z_OK;
    while (result != Z_STREAM_END) {
      RETURN_IF_ERROR(Refill());
      const bool at_end = stream_.avail_in == 0;
      stream_.next_out = output_.data();
      stream_.avail_out = static_cast<uInt>(output_.size());
      result = inflate(&stream_, Z_NO_FLUSH);
      if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
        return Damaged(path_, stream_.msg != nullptr ? stream_.msg : "the file is damaged");
      }
      const size_t got = output_.size() - stream_.avail_out;
      RETURN_IF_ERROR(sink_({reinterpret_cast<const char*>(output_.data()), got}));
      if (at_end && got == 0 && result != Z_STREAM_END) {
        return Damaged(path_, "the file is truncated");
      }
    }
    return absl::OkStatus();
  }

  // Between members; leaves input at hand unless the file has ended.
  absl::Status SkipPadding() {
    RETURN_IF_ERROR(Refill());
    if (stream_.avail_in == 0 || *stream_.next_in != 0) return absl::OkStatus();
    while (stream_.avail_in > 0) {
      if (*stream_.next_in != 0) return Damaged(path_, "other bytes follow the compressed data");
      ++stream_.next_in;
      --stream_.avail_in;
      RETURN_IF_ERROR(Refill());
    }
    return absl::OkStatus();
  }

  absl::Status Refill() {
    if (stream_.avail_in > 0 || left_ == 0) return absl::OkStatus();
    const size_t size = static_cast<size_t>(std::min<uint64_t>(left_, input_.size()));
    RETURN_IF_ERROR(in_.ReadAt(at_, size, reinterpret_cast<char*>(input_.data())));
    at_ += size;
    left_ -= size;
    stream_.next_in = input_.data();
    stream_.avail_in = static_cast<uInt>(size);
    return absl::OkStatus();
  }

  const std::string& path_;
  const DataFileReader& in_;
  uint64_t at_ = 0;
  uint64_t left_;
  const absl::FunctionRef<absl::Status(absl::string_view)> sink_;
  std::vector<Bytef> input_;
  std::vector<Bytef> output_;
  z_stream stream_{};
};

}  // namespace

absl::Status InflateGzip(const std::string& path, const DataFileReader& in, uint64_t in_bytes,
                         absl::FunctionRef<absl::Status(absl::string_view)> sink) {
  return Inflater(path, in, in_bytes, sink).Run();
}

}  // namespace seraph
