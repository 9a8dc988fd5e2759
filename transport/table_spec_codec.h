// SPDX-License-Identifier: Apache-2.0
// common/table_spec.h to and from proto/table.proto.
#ifndef SERAPH_TRANSPORT_TABLE_SPEC_CODEC_H_
#define SERAPH_TRANSPORT_TABLE_SPEC_CODEC_H_

#include "absl/status/statusor.h"
#include "common/table_spec.h"
#include "proto/table.pb.h"

namespace seraph {

v1::TableSpec ToProto(const TableSpec& spec);

// INVALID_ARGUMENT by ValidateTableSpec, or for an enum value that this version does not know.
absl::StatusOr<TableSpec> FromProto(const v1::TableSpec& proto);

}  // namespace seraph

#endif  // SERAPH_TRANSPORT_TABLE_SPEC_CODEC_H_
