// SPDX-License-Identifier: Apache-2.0
// System headers that most tests include, for precompiling (bazel/precompiled.bzl).
#ifndef SERAPH_BAZEL_TEST_HEADERS_H_
#define SERAPH_BAZEL_TEST_HEADERS_H_

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#endif  // SERAPH_BAZEL_TEST_HEADERS_H_
