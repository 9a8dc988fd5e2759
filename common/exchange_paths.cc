// SPDX-License-Identifier: Apache-2.0
#include "common/exchange_paths.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "absl/strings/str_cat.h"

namespace seraph {

int ExchangePaths(const std::string& a, const std::string& b) {
  if (::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0) return 0;
  const bool unknown_here = errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP;
  return unknown_here ? ExchangeByRenames(a, b) : errno;
}

int ExchangeByRenames(const std::string& a, const std::string& b) {
  const std::string aside = absl::StrCat(b, ".replaced-", ::getpid());
  const auto rename = [](const std::string& from, const std::string& to) {
    return ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), 0) == 0 ? 0 : errno;
  };
  if (const int error = rename(b, aside); error != 0) return error;
  if (const int error = rename(a, b); error != 0) {
    rename(aside, b);
    return error;
  }
  if (const int error = rename(aside, a); error != 0) {
    rename(b, a);
    rename(aside, b);
    return error;
  }
  return 0;
}

}  // namespace seraph
