// SPDX-License-Identifier: Apache-2.0
// The files of ../shared/data/nasty and what comes of each, by its INDEX.tsv: one table for the
// readers (tests/contract/row_format_nasty_test.cc) and for the commands
// (tests/nasty/nasty_commands_test.cc).
#ifndef SERAPH_TESTS_NASTY_NASTY_CASES_H_
#define SERAPH_TESTS_NASTY_NASTY_CASES_H_

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace seraph {

// Of reading a file through: either an error, or rows.
struct NastyOutcome {
  uint64_t rows = 0;     // Good ones. None: commands refuse a file whose rows are all bad.
  uint64_t skipped = 0;  // Bad ones that were left out.
  std::string error;     // A part of its text. Empty: there is none.
  int line = 0;          // That it names, with the file; 0: no line.
};

// A file, read in one way.
struct NastyCase {
  int number;                                // In INDEX.tsv.
  std::string name;                          // What the way is, in CamelCase.
  std::string path;                          // Below nasty/: a file or a folder.
  std::string data;                          // The rest of the job's data section.
  NastyOutcome outcome;                      // Of whoever reads labels.
  std::optional<NastyOutcome> predict = {};  // Of who does not, where it is another.
  std::string model = "lr";                  // model.type: it says what labels may be.
  std::string good_rows = "1 1:1\n0 2:1\n";  // A file that the same data section reads.
  std::string good_data = "format: libsvm, index_base: 1";  // If not `data` itself, for a format
                                                            // that is not offered.
  bool offered = true;
};

const std::vector<NastyCase>& NastyCases();

std::string NameOf(const NastyCase& nasty);  // "Case01IndexZeroInBase0"
void PrintTo(const NastyCase& nasty, std::ostream* out);

// The job that reads `path` as the case does, as YAML; one epoch.
std::string JobOf(const NastyCase& nasty, const std::string& path, const std::string& model);

// Where the files lie, with a slash behind; nothing when SERAPH_SHARED_DATA does not say it.
std::optional<std::string> NastyFolder();

}  // namespace seraph

#endif  // SERAPH_TESTS_NASTY_NASTY_CASES_H_
