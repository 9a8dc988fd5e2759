// SPDX-License-Identifier: Apache-2.0
// A saved model's weights as text, CSV or NumPy arrays.
#ifndef SERAPH_CLIENT_CLI_TABLE_EXPORT_H_
#define SERAPH_CLIENT_CLI_TABLE_EXPORT_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "client/cli/output_file.h"
#include "common/file_system.h"

namespace seraph {

std::vector<std::string> ExportFormatNames();

// Writes every row that the model holds, without optimizer state, sorted by table name and key; the
// same weights give the same bytes, however many servers wrote the model. Numbers have the shortest
// digits that read back equal.
//   text  TABLE<TAB>KEY<TAB>VALUES, values of a row separated by blanks
//   csv   a header, then table,key,column,value: one line a value
//   npz   arrays TABLE.keys (u64, [rows]) and TABLE.values (f32, [rows, dim]); '/' becomes '-'
// Holds one table in memory. INVALID_ARGUMENT an unknown format; DATA_LOSS a damaged file, named.
absl::Status ExportModel(const FileSystem& files, const std::string& folder,
                         const std::string& format, OutputFile* output);

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_TABLE_EXPORT_H_
