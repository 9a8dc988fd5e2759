// SPDX-License-Identifier: Apache-2.0
// System headers that most tests include, beside common_headers.h, for precompiling
// (bazel/precompiled.bzl).
#ifndef SERAPH_BAZEL_TEST_HEADERS_H_
#define SERAPH_BAZEL_TEST_HEADERS_H_

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#endif  // SERAPH_BAZEL_TEST_HEADERS_H_
