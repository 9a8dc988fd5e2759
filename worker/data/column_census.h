// SPDX-License-Identifier: Apache-2.0
// What the columns of csv and tsv files hold, for a user who has to say what they are.
#ifndef SERAPH_WORKER_DATA_COLUMN_CENSUS_H_
#define SERAPH_WORKER_DATA_COLUMN_CENSUS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "worker/data/row_format.h"

namespace seraph {

// Counts, in memory that the data does not decide: distinct values are counted up to a limit a
// column and one for all. Not thread-safe.
class ColumnCensus {
 public:
  static constexpr size_t kMostDistinct = 10'000;
  static constexpr size_t kMostDistinctOfAll = 2'000'000;

  struct Column {
    std::string name;                      // Empty without a header.
    uint64_t numbers = 0;                  // Fields that are numbers.
    uint64_t texts = 0;                    // Other fields, without missing ones.
    uint64_t missing = 0;                  // Empty fields and missing tokens.
    double smallest = 0, largest = 0;      // Of the numbers.
    bool whole = true;                     // All numbers are whole.
    absl::flat_hash_set<uint64_t> values;  // Hashes of numbers and texts.
    bool more_values = false;              // Than `values` was allowed to hold.
    std::vector<std::string> tokens;       // Texts that may mean "no value".

    bool numeric() const { return numbers > 0 && texts == 0; }
  };

  // `names`: those of the header, or as many empty ones as there are columns. `missing`: tokens
  // that are known to mean "no value".
  ColumnCensus(const std::vector<std::string>& names, const std::vector<std::string>& missing);

  // A record; ignored when it has another number of columns.
  void Add(const std::vector<std::string>& fields);

  const std::vector<Column>& columns() const { return columns_; }

  // Tokens, of those that people use, that stand in columns of numbers and make them unreadable.
  std::vector<std::string> MissingTokens() const;

  // The likely roles: a label by its name, else the first or last column of few whole numbers, else
  // the first; a weight by its name; texts are categories. Columns are named where each has a name
  // of its own, else they are positions.
  Columns Guess() const;

 private:
  std::string NameOf(size_t column) const;
  size_t GuessLabel() const;
  std::vector<std::string> Listed(const std::vector<size_t>& columns) const;

  std::vector<Column> columns_;
  const absl::flat_hash_set<std::string> missing_;
  bool named_ = false;
  size_t distinct_ = 0;  // In all columns.
};

}  // namespace seraph

#endif  // SERAPH_WORKER_DATA_COLUMN_CENSUS_H_
