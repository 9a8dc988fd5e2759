// SPDX-License-Identifier: Apache-2.0
// Entries of data.train and data.test: defaults and checks.
#ifndef SERAPH_CLIENT_CLI_JOB_RESOLVE_ENTRIES_H_
#define SERAPH_CLIENT_CLI_JOB_RESOLVE_ENTRIES_H_

#include "absl/status/status.h"
#include "proto/job.pb.h"

namespace seraph {

// Fills what entries leave out from the section, and from the defaults of their formats, and checks
// the result against the registry of formats. INVALID_ARGUMENT begins with the key: an unknown
// format, an option that the format does not have, a value that cannot be; UNIMPLEMENTED: a format
// of a later version. Looks at no file.
absl::Status ResolveEntries(v1::DataSpec* data);

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_JOB_RESOLVE_ENTRIES_H_
