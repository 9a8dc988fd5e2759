// SPDX-License-Identifier: Apache-2.0
// Two entries of the file system that change places.
#ifndef SERAPH_COMMON_EXCHANGE_PATHS_H_
#define SERAPH_COMMON_EXCHANGE_PATHS_H_

#include <string>

namespace seraph {

// In one step (RENAME_EXCHANGE), or by ExchangeByRenames where the file system has no such step, as
// NFS. Returns 0 or an errno; after an error both are where they were.
int ExchangePaths(const std::string& a, const std::string& b);

// By three renames over a third name, "B.replaced-PID". Between the first two nothing is at `b`; a
// crash just then leaves what was there under the third name.
int ExchangeByRenames(const std::string& a, const std::string& b);

}  // namespace seraph

#endif  // SERAPH_COMMON_EXCHANGE_PATHS_H_
