// SPDX-License-Identifier: Apache-2.0
#include "worker/data/epoch_reader.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"

namespace seraph {

EpochReader::EpochReader(const DataSet* data, const DataIndex* index, EpochOrder order,
                         const HoldOut* hold_out)
    : data_(data), index_(index), order_(std::move(order)), hold_out_(hold_out) {}

absl::StatusOr<bool> EpochReader::Read(uint64_t at, Row* row) {
  if (at >= order_.rows()) {
    return absl::OutOfRangeError(
        absl::StrCat("read row ", at, " of an epoch of ", order_.rows(), " rows"));
  }
  const std::vector<EpochOrder::Window>& windows = order_.windows();
  const bool loaded = window_ < windows.size() && at >= windows[window_].first_row &&
                      at - windows[window_].first_row < windows[window_].rows;
  if (!loaded) {
    const auto after = std::upper_bound(
        windows.begin(), windows.end(), at,
        [](uint64_t row, const EpochOrder::Window& window) { return row < window.first_row; });
    RETURN_IF_ERROR(LoadWindow(static_cast<size_t>(after - windows.begin()) - 1));
  }
  const RowPlace place = places_[at - windows[window_].first_row];
  const LoadedBlock& block = loaded_[place.slot];
  const uint32_t number = windows[window_].blocks[place.slot];
  if (hold_out_ != nullptr && hold_out_->Has(number, place.row)) return false;
  return data_->ParseRow(index_->blocks[number].file, block, place.row, row);
}

absl::Status EpochReader::LoadWindow(size_t window) {
  window_ = static_cast<size_t>(-1);
  const std::vector<uint32_t>& blocks = order_.windows()[window].blocks;
  // Sized before it is filled: records point into buffers, which must not move afterwards.
  loaded_.clear();
  loaded_.resize(blocks.size());
  for (uint32_t slot = 0; slot < blocks.size(); ++slot) {
    RETURN_IF_ERROR(data_->LoadBlock(index_->blocks[blocks[slot]], &loaded_[slot]));
  }
  places_ = order_.RowsOf(window);
  window_ = window;
  return absl::OkStatus();
}

}  // namespace seraph
