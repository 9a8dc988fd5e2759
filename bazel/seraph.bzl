# SPDX-License-Identifier: Apache-2.0
"""Build rules of the project: every target of the tree uses these, so that options stand in one place."""

load("//bazel:proto.bzl", _seraph_proto = "seraph_proto")

seraph_proto = _seraph_proto

def seraph_library(name, **kwargs):
    """A library; one main header each. Includes are written from the root of the tree."""
    native.cc_library(name = name, **kwargs)

def seraph_binary(name, **kwargs):
    native.cc_binary(name = name, **kwargs)

def seraph_test(name, srcs, deps = [], size = "small", **kwargs):
    """A GoogleTest suite with the stock main."""
    native.cc_test(
        name = name,
        srcs = srcs,
        size = size,
        deps = deps + ["//third_party:gtest_main"],
        **kwargs
    )

def seraph_fuzz_target(name, srcs, deps = [], corpus = [], tags = [], **kwargs):
    """A libFuzzer target. With --config=fuzz it is a fuzzer; as a test it replays its corpus.

    deploy/test.sh finds it by the tag "fuzz".
    """
    native.cc_test(
        name = name,
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
