// SPDX-License-Identifier: Apache-2.0
#include "client/cli/model_command.h"

#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/cli/job/resolve.h"
#include "client/cli/json_line.h"
#include "client/cli/message_json.h"
#include "client/cli/output_file.h"
#include "client/cli/table_export.h"
#include "common/process/exit_code.h"
#include "common/status_macros.h"
#include "server/checkpoint/model_folder.h"

namespace seraph {
namespace {

struct Size {
  uint64_t files = 0;
  uint64_t rows = 0;
  uint64_t bytes = 0;
};

Size SizeOf(const v1::SavedTable& table) {
  Size size;
  for (const v1::SavedPartition& partition : table.partitions()) {
    ++size.files;
    size.rows += partition.rows();
    size.bytes += partition.bytes();
  }
  return size;
}

Size SizeOf(const v1::ModelManifest& manifest) {
  Size all;
  for (const v1::SavedTable& table : manifest.tables()) {
    const Size size = SizeOf(table);
    all.files += size.files;
    all.rows += size.rows;
    all.bytes += size.bytes;
  }
  return all;
}

const char* KindName(const v1::TableSpec& spec) {
  return spec.kind() == v1::TableSpec::DENSE ? "dense" : "sparse";
}

void PrintInspection(const v1::ModelManifest& manifest, std::ostream* out) {
  const Size all = SizeOf(manifest);
  *out << "model    " << manifest.job().model().type() << ", trained by job "
       << manifest.job().name() << "\n";
  *out << "epochs   " << manifest.epochs() << " (" << WithThousands(manifest.steps())
       << " steps)\n";
  *out << "written  by " << manifest.written_by() << ", format " << manifest.format_version()
       << "\n";
  *out << "size     " << WithThousands(all.rows) << " rows, " << ReadableBytes(all.bytes) << " in "
       << all.files << " files\n\n";
  *out << absl::StrFormat("%-12s %-7s %5s %12s %12s  %s\n", "table", "kind", "dim", "rows", "bytes",
                          "optimizer");
  for (const v1::SavedTable& table : manifest.tables()) {
    const Size size = SizeOf(table);
    *out << absl::StrFormat("%-12s %-7s %5d %12s %12s  %s (learning rate %g)\n",
                            table.spec().name(), KindName(table.spec()), table.spec().dim(),
                            WithThousands(size.rows), ReadableBytes(size.bytes),
                            table.spec().optimizer().type(),
                            table.spec().optimizer().learning_rate());
  }
  *out << "\n" << JobToYaml(manifest.job());
}

Json InspectionJson(const v1::ModelManifest& manifest) {
  const Size all = SizeOf(manifest);
  Json tables = Json::array();
  for (const v1::SavedTable& table : manifest.tables()) {
    const Size size = SizeOf(table);
    Json entry;
    entry["name"] = table.spec().name();
    entry["kind"] = KindName(table.spec());
    entry["dim"] = table.spec().dim();
    entry["rows"] = size.rows;
    entry["bytes"] = size.bytes;
    entry["partitions"] = table.spec().partitions();
    entry["optimizer"] = MessageToJson(table.spec().optimizer());
    tables.push_back(std::move(entry));
  }
  Json object;
  object["model"] = manifest.job().model().type();
  object["format_version"] = manifest.format_version();
  object["written_by"] = manifest.written_by();
  object["epochs"] = manifest.epochs();
  object["steps"] = manifest.steps();
  object["rows"] = all.rows;
  object["bytes"] = all.bytes;
  object["tables"] = std::move(tables);
  object["job"] = MessageToJson(manifest.job());
  return object;
}

absl::StatusOr<v1::ModelManifest> Verify(const FileSystem& files, const std::string& folder) {
  v1::ModelManifest manifest;
  RETURN_IF_ERROR(RetryIfReplaced(files, folder, [&]() -> absl::Status {
    ASSIGN_OR_RETURN(manifest, ReadManifest(files, folder));
    return VisitPartitions(
        files, folder, manifest,
        [](const v1::SavedTable&, const PartitionContents&) { return absl::OkStatus(); });
  }));
  return manifest;
}

absl::Status Export(const std::string& folder, const std::string& format, const std::string& output,
                    const CommandContext& context) {
  if (format == "npz" && output == "-" && context.terminal.live) {
    return absl::InvalidArgumentError("npz is not for a terminal, name a file with --output");
  }
  // What has gone to standard output cannot be taken back: the model is checked as a whole first.
  // A file appears only when all is well.
  if (output == "-") RETURN_IF_ERROR(Verify(*context.files, folder).status());
  return RetryIfReplaced(*context.files, folder, [&]() -> absl::Status {
    ASSIGN_OR_RETURN(const std::unique_ptr<OutputFile> file,
                     OutputFile::Open(output, context.terminal.out));
    RETURN_IF_ERROR(ExportModel(*context.files, folder, format, file.get()));
    return file->Commit();
  });
}

}  // namespace

int RunModelInspect(const std::string& folder, bool json, const CommandContext& context) {
  const Terminal& terminal = context.terminal;
  const absl::StatusOr<v1::ModelManifest> manifest = ReadManifest(*context.files, folder);
  if (!manifest.ok()) return terminal.Fail(manifest.status(), "inspect model " + folder);
  if (json) {
    PrintLine(terminal.out, InspectionJson(*manifest));
  } else {
    PrintInspection(*manifest, terminal.out);
  }
  return terminal.Done();
}

int RunModelVerify(const std::string& folder, bool json, const CommandContext& context) {
  const Terminal& terminal = context.terminal;
  const absl::StatusOr<v1::ModelManifest> manifest = Verify(*context.files, folder);
  if (!manifest.ok()) return terminal.Fail(manifest.status(), "verify model " + folder);
  const Size size = SizeOf(*manifest);
  if (json) {
    Json object;
    object["status"] = "ok";
    object["files"] = size.files + 1;
    object["rows"] = size.rows;
    object["bytes"] = size.bytes;
    PrintLine(terminal.out, object);
  } else {
    *terminal.out << folder << ": ok, " << size.files + 1 << " files, " << WithThousands(size.rows)
                  << " rows, " << ReadableBytes(size.bytes) << "\n";
  }
  return terminal.Done();
}

int RunModelExport(const std::string& folder, const std::string& format, const std::string& output,
                   const CommandContext& context) {
  const absl::Status status = Export(folder, format, output, context);
  return status.ok() ? kExitDone : context.terminal.Fail(status, "export model " + folder);
}

}  // namespace seraph
