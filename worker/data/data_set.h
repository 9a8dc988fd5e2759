// SPDX-License-Identifier: Apache-2.0
// Training and test data as blocks of neighbouring rows: found once by an index pass, dealt to
// workers, read back with file and line at hand for messages. Memory stays within a block's bytes,
// whatever the size of the files.
#ifndef SERAPH_WORKER_DATA_DATA_SET_H_
#define SERAPH_WORKER_DATA_DATA_SET_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "worker/data/batch.h"
#include "worker/data/data_index.h"
#include "worker/data/hold_out.h"
#include "worker/data/label_map.h"
#include "worker/data/row_format.h"
#include "worker/data/scale.h"

namespace seraph {

// A path of a job: a file, a folder (its files by name, hidden ones and sub-folders left out) or a
// glob (sorted). NOT_FOUND names a path where nothing is, FAILED_PRECONDITION a folder or glob
// without files.
absl::StatusOr<std::vector<DataFile>> ExpandPath(const std::string& path,
                                                 const RowFormat::Options& format);

// What happens to bad rows. `Parse` errors carry "FILE:LINE: " in front. Where they are not
// skipped, the error is that of the first bad row of the data (of its first gigabyte), whichever
// was met.
struct BadRowPolicy {
  bool skip = false;
  uint64_t max_bad_rows = 0;  // 0: no limit.
};

// The error of a bad row that is one more than the policy leaves out, given its own.
absl::Status TooManyBadRows(const absl::Status& bad_row, const BadRowPolicy& policy);

// The rows of a block as text. Not to be copied or moved once it is filled.
struct LoadedBlock {
  std::string buffer;
  std::vector<absl::string_view> records;  // Views into the buffer.
  std::vector<uint64_t> line_numbers;      // Parallel to records: of their first lines.
  std::vector<float> weights;              // The same; empty when no weights file holds them.
};

// Opens files (compressed ones, told by their magic bytes, are inflated once to an unlinked spill
// file) and reads blocks of them. Thread-safe after Open.
class DataSet {
 public:
  struct Options {
    LabelMap labels;  // Where it is binary, lists of a file's own go first.
    BadRowPolicy bad_rows;
    std::string spill_folder;  // Empty: the system's temporary folder.
    uint32_t hash_bits = 0;    // Not 0: every key becomes HashedKey(key, hash_bits); 1..64.
    // Rows keep the fields that their format has or its options state; without either they have
    // none. Otherwise no row has fields.
    bool fields = false;
    Scaler scaler = {};  // As of SetScaler.
    // By class, as labels are mapped: what a row's weight is multiplied by; 1 for the classes that
    // are left out. Finite, at least 0.
    std::vector<double> class_weights = {};
  };

  // Opens the files and reads what they begin with (headers) and weights files; does not read data
  // files through. NOT_FOUND, PERMISSION_DENIED; DATA_LOSS for a compressed file that ends early or
  // is damaged; INVALID_ARGUMENT for one that is named .gz or .zst and is not, for a header without
  // a column that is stated, for a bad line of a weights file (all name the file).
  static absl::StatusOr<std::unique_ptr<DataSet>> Open(std::vector<DataFile> files,
                                                       Options options);
  virtual ~DataSet() = default;

  // The index pass. INVALID_ARGUMENT names the first file without a row, the line at which a record
  // begins that does not end, or a weights file with another count than its rows'.
  virtual absl::StatusOr<DataIndex> BuildIndex() const = 0;

  // The index pass for whoever goes through the blocks once, while it finds them: none is kept. The
  // blocks of BuildIndex, unless these are so many that they were made longer (BlockCutter); its
  // errors, each behind the blocks before it. An error of `visit` ends the pass.
  virtual absl::Status ForEachBlock(
      const std::function<absl::Status(const Block& block)>& visit) const = 0;
  // Measures the rows, of which the index holds all, in their order, but for those held out (null:
  // none is). `go_on` is asked at each block; its error ends the pass. INVALID_ARGUMENT: files of
  // columns and files of indices, too many features; errors of rows as of ReadBlock.
  virtual absl::StatusOr<std::vector<FeatureScale>> FitScales(
      const DataIndex& index, ScaleRule::Method method, const HoldOut* held_out,
      const std::function<absl::Status()>& go_on) const = 0;
  // Rows are scaled so from now on. Not while others read. INVALID_ARGUMENT names a file of
  // indices, of which absent features stay absent, when the scaler has offsets.
  virtual absl::Status SetScaler(Scaler scaler) = 0;

  // Reads the rows of a block. `want` is empty (all rows) or holds row numbers within the block,
  // ascending: only those are parsed. `visit` gets the row's number within the block; a bad row is
  // an error naming file and line, or counted and left out by policy. A file that changed since the
  // index pass is DATA_LOSS.
  virtual absl::Status ReadBlock(
      const Block& block, absl::Span<const uint32_t> want,
      const std::function<absl::Status(uint32_t number, const Row& row)>& visit) const = 0;

  // The text of a block, for callers that want rows of it in another order than the file's.
  virtual absl::Status LoadBlock(const Block& block, LoadedBlock* loaded) const = 0;
  // Parses row `number` of a block that was loaded from `file`. False: a bad row that the policy
  // leaves out.
  virtual absl::StatusOr<bool> ParseRow(uint32_t file, const LoadedBlock& loaded, uint32_t number,
                                        Row* row) const = 0;
  // The same without policy: for callers that go through all rows in order and count bad ones
  // themselves. The error of a bad row is its own.
  virtual absl::Status ParseAnyRow(uint32_t file, const LoadedBlock& loaded, uint32_t number,
                                   Row* row) const = 0;

  virtual uint64_t rows_skipped() const = 0;  // Bad rows that the policy has left out so far.
};

}  // namespace seraph

#endif  // SERAPH_WORKER_DATA_DATA_SET_H_
