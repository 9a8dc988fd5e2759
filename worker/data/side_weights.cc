// SPDX-License-Identifier: Apache-2.0
#include "worker/data/side_weights.h"

#include <memory>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "worker/data/line_reader.h"
#include "worker/data/row_text.h"

namespace seraph {
namespace {

constexpr size_t kChunkFloats = 16 << 10;

absl::string_view AsBytes(const std::vector<float>& floats) {
  return {reinterpret_cast<const char*>(floats.data()), floats.size() * sizeof(float)};
}

}  // namespace

absl::StatusOr<SideWeights> SideWeights::Load(const std::string& path, SpillFile* spill) {
  ASSIGN_OR_RETURN(const std::unique_ptr<TextSource> text, TextSource::Open(path, spill));
  ASSIGN_OR_RETURN(const TextSource::View view, text->OpenView());
  ASSIGN_OR_RETURN(DataFileReader* const out, spill->file());
  SideWeights weights;
  weights.path_ = path;
  weights.file_ = out;
  ASSIGN_OR_RETURN(weights.begin_, spill->bytes());
  LineReader lines(view.file, view.begin + text->text_begin(), view.begin + text->bytes());
  std::vector<float> chunk;
  for (uint64_t line_number = 1;; ++line_number) {
    const absl::StatusOr<bool> more = lines.Next();
    absl::Status status = more.status();
    if (more.ok() && !*more) break;
    const absl::string_view number = absl::StripAsciiWhitespace(lines.line());
    if (status.ok() && number.empty()) continue;
    chunk.push_back(0);
    if (status.ok()) status = ParseWeight(number, &chunk.back());
    if (!status.ok()) return Annotate(status, absl::StrCat(path, ":", line_number));
    ++weights.count_;
    if (chunk.size() == kChunkFloats) {
      RETURN_IF_ERROR(out->Append(AsBytes(chunk)));
      chunk.clear();
    }
  }
  RETURN_IF_ERROR(text->CheckUnchanged(view));
  RETURN_IF_ERROR(out->Append(AsBytes(chunk)));
  return weights;
}

absl::Status SideWeights::Read(uint64_t first, size_t count, std::vector<float>* weights) const {
  if (first > count_ || count > count_ - first) {
    return absl::DataLossError(absl::StrCat("weights file ", path_, " holds ", count_,
                                            " numbers, but rows ", first, " to ", first + count,
                                            " need theirs"));
  }
  weights->resize(count);
  return file_->ReadAt(begin_ + first * sizeof(float), count * sizeof(float),
                       reinterpret_cast<char*>(weights->data()));
}

}  // namespace seraph
