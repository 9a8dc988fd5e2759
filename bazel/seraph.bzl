# SPDX-License-Identifier: Apache-2.0
"""Build rules of the project: every target of the tree uses these, so that options stand in one place."""

load("//bazel:proto.bzl", _seraph_proto = "seraph_proto")

seraph_proto = _seraph_proto

def _is_test_code():
    """As the pattern of --config=plain_tests has it."""
    package = native.package_name()
    return (package + "/").startswith("tests/") and not (package + "/").startswith("tests/bench/")

def _compile(rule, name, test_code, copts = [], deps = [], **kwargs):
    """Instantiates `rule`, with the precompiled header for its kind of code in builds that have them."""
    header = "precompiled_test" if test_code else "precompiled_common"
    rule(
        name = name,
        copts = copts + select({
            "//bazel:precompiling": ["-include", "$(BINDIR)/bazel/%s.h" % header],
            "//conditions:default": [],
        }),
        deps = deps + select({
            "//bazel:precompiling": ["//bazel:" + header],
            "//conditions:default": [],
        }),
        **kwargs
    )

def seraph_library(name, **kwargs):
    """A library; one main header each. Includes are written from the root of the tree."""
    _compile(native.cc_library, name, _is_test_code(), **kwargs)

def seraph_binary(name, **kwargs):
    _compile(native.cc_binary, name, _is_test_code(), **kwargs)

def seraph_test(name, srcs, deps = [], size = "small", **kwargs):
    """A GoogleTest suite with the stock main."""
    _compile(
        native.cc_test,
        name,
        True,
        srcs = srcs,
        size = size,
        deps = deps + ["//third_party:gtest_main"],
        **kwargs
    )

def seraph_fuzz_target(name, srcs, deps = [], corpus = [], tags = [], **kwargs):
    """A libFuzzer target. With --config=fuzz it is a fuzzer; as a test it replays its corpus.

    deploy/test.sh finds it by the tag "fuzz".
    """
    _compile(
        native.cc_test,
        name,
        _is_test_code(),
        srcs = srcs,
        size = "medium",
        args = ["$(locations %s)" % c for c in corpus],
        data = corpus,
        tags = tags + ["fuzz"],
        deps = deps + select({
            "//bazel:fuzzing": [],
            "//conditions:default": ["//tests/fuzz:replay_main"],
        }),
        linkopts = select({
            "//bazel:fuzzing": ["-fsanitize=fuzzer"],
            "//conditions:default": [],
        }),
        **kwargs
    )
