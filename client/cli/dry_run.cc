// SPDX-License-Identifier: Apache-2.0
#include "client/cli/dry_run.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "client/cli/estimate.h"
#include "client/cli/job/resolve.h"
#include "client/cli/json_line.h"
#include "client/cli/message_json.h"
#include "common/status_macros.h"

namespace seraph {
namespace {

std::string RowsText(uint64_t rows, uint64_t bytes) {
  return absl::StrCat(WithThousands(rows), " rows (", ReadableBytes(bytes), ")");
}

void PrintText(const v1::JobSpec& job, const JobEstimate& estimate, std::ostream* out) {
  *out << JobToYaml(job);
  *out << "# expected to train on: " << RowsText(estimate.train_rows, estimate.train_bytes)
       << " in " << estimate.train_files << (estimate.train_files == 1 ? " file\n" : " files\n");
  if (estimate.test_rows > 0) {
    *out << "# expected to test on: " << RowsText(estimate.test_rows, estimate.test_bytes) << "\n";
  }
  const char* least = estimate.all_features ? "" : "at least ";
  *out << "# expected memory of tables: " << least << ReadableBytes(estimate.table_bytes) << " for "
       << least << WithThousands(estimate.features) << " features, on all servers together\n";
}

void PrintJson(const v1::JobSpec& job, const JobEstimate& estimate, std::ostream* out) {
  Json object;
  object["event"] = "dry_run";
  object["job"] = MessageToJson(job);
  object["rows"] = estimate.train_rows;
  object["bytes"] = estimate.train_bytes;
  object["test_rows"] = estimate.test_rows;
  object["test_bytes"] = estimate.test_bytes;
  object["features"] = estimate.features;
  object["features_exact"] = estimate.all_features;
  object["memory_bytes"] = estimate.table_bytes;
  PrintLine(out, object);
}

}  // namespace

absl::Status PrintDryRun(const v1::JobSpec& job, bool json, const Terminal& terminal) {
  ASSIGN_OR_RETURN(const JobEstimate estimate, EstimateJob(job));
  if (json) {
    PrintJson(job, estimate, terminal.out);
  } else {
    PrintText(job, estimate, terminal.out);
  }
  return terminal.Finish();
}

}  // namespace seraph
