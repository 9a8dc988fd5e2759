#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks every #include of the tree against the layers of docs/ARCHITECTURE.md.

Bazel visibility refuses a wrong dependency between the project's own libraries; this scan also sees what Bazel cannot:
headers of system libraries, includes inside one package, and siblings.

    tests/layering/include_scan.py [ROOT]     exit 0 when clean; else 1, one line a violation: FILE:LINE: INCLUDE: WHY
"""

import fnmatch
import os
import re
import sys
from collections import namedtuple

# ---- The table --------------------------------------------------------------------------------------------------
# What product code of a folder may include, besides itself. The longest matching folder holds; a folder that may use
# "server" may use everything below it. Rows stand in the order in which data flows. Code in `shells` composes the
# parts of its process, mains start them.
FOLDERS = {
    # Base and plumbing.
    "common": [],
    "proto": [],
    "transport": ["common", "proto"],
    # Cores of the server: spans and option structs, no messages.
    "server/optimizer": ["common"],
    "server/table": ["common", "server/optimizer"],
    "server/consistency": ["common"],
    "server/core": ["common", "server/table", "server/optimizer", "server/consistency"],
    # Shells of the server.
    "server/checkpoint": ["common", "proto", "server/table", "server/optimizer"],
    "server/table_files": ["common", "server/core", "server/checkpoint"],
    "server/service": ["common", "proto", "transport", "server"],
    "server": ["common", "proto", "transport", "server", "scheduler/agent"],
    # The scheduler; others reach it through its agent alone.
    "scheduler/agent": ["common", "proto", "transport"],
    "scheduler/store": ["common", "proto"],
    "scheduler/service": ["common", "proto", "transport", "scheduler"],
    "scheduler": ["common", "proto", "transport", "scheduler"],
    # The client, through which everyone reaches the servers.
    "client": ["common", "proto", "transport", "scheduler/agent"],
    # Cores of the worker.
    "worker/data": ["common"],
    "worker/compute": ["common", "worker/data"],
    "worker/model": ["common", "worker/data", "worker/compute"],
    # Shells of the worker.
    # Rank 0 publishes the model: its manifest is a file format, no way into a server.
    "worker/train": ["common", "proto", "transport", "scheduler/agent", "client", "worker", "server/checkpoint"],
    "worker": ["common", "proto", "transport", "scheduler/agent", "client", "worker"],
    # The command starts all of them in one process, and reads and writes model folders.
    "client/cli": ["common", "proto", "transport", "client", "scheduler", "server", "worker"],
    "client/cli/job": ["common", "proto", "server/optimizer", "worker/model", "worker/data",
                       "worker/train/data_entry.h",
                       "worker/train/job_plan.h"],
    # Programs on the SDK, and tests.
    "examples": ["common", "client", "transport"],
    "tests": ["common", "proto", "transport", "server", "scheduler", "client", "worker"],
}

# Files that compose more than the rest of their folder: glob -> what they may include as well.
EXCEPTIONS = {
    # Unit tests stand beside the code and may use doubles and matchers.
    "*_test.cc": ["tests"],
    "*_fuzz.cc": ["tests"],
}

# Headers of system libraries: include pattern -> (files that may include it, reason).
SYSTEM_HEADERS = {
    r"grpc(pp|\+\+)?/": (["transport/grpc_*"], "gRPC is seen in transport/grpc_* alone"),
    r".*\.grpc\.pb\.h": (["transport/grpc_*"], "gRPC is seen in transport/grpc_* alone"),
    r"gflags/": (["*_main.cc"], "flags live in mains and become Options"),
    r"glog/": (["common/logging.h", "common/logging.cc"], "glog comes through common/logging.h"),
    r"common/logging\.h": (["*.cc"], "logging.h is for .cc files: its macros must not spread"),
    r"sqlite3": (["scheduler/store/*"], "SQLite is the scheduler's store"),
    r"(cuda|cublas|nccl|driver_types|device_launch)[a-z0-9_]*\.h": (["worker/compute/cuda/*"],
                                                                    "CUDA is seen in worker/compute/cuda alone"),
    r"CLI/": (["client/cli/*"], "CLI11 is for the command line"),
    r"(gtest|gmock)/": (["*_test.cc", "tests/*"], "product code knows no test library"),
    r"benchmark/": (["tests/bench/*"], "benchmarks lie in tests/bench"),
    # Messages stay out of the cores; proto/*.pb.h follows from FOLDERS.
    r"google/protobuf/": (["transport/*", "server/checkpoint/*", "server/service/*", "server/*_app.cc",
                           "scheduler/*", "client/*", "worker/train/*", "worker/*_app.cc", "tests/*",
                           "*_main.cc"],
                          "the cores know no Protobuf"),
}

# Pure classes that live beside shells: no messages, no transport. SHELLS are no such classes.
PURE_FOLDERS = ["common", "scheduler"]
SHELLS = ["scheduler/scheduler_app*", "scheduler/*_main.cc"]

# Members of one kind never include each other: folder -> stems. A member's files are STEM.*, STEM_*.* or STEM/*.
SIBLINGS = {
    "server/optimizer": ["sgd", "adagrad", "ftrl", "momentum", "rowwise_adagrad", "adam", "adamw", "rmsprop"],
    "server/table": ["dense_store", "sparse_store"],
    "server/consistency": ["bsp", "ssp", "asp"],
    "worker/compute": ["cpu", "cuda"],
    "worker/model": ["linear", "lr", "softmax", "svm", "huber", "poisson", "fm", "ffm"],
    "worker/data": ["libsvm", "dummy", "libffm", "csv", "parquet", "gzip", "zstd"],
}

# Quoted includes that are not the project's own.
EXTERNAL_QUOTED = re.compile(r"(absl|google|grpc|grpcpp|gtest|gmock|gflags|glog|benchmark|CLI|yaml-cpp|nlohmann)/|"
                             r"(sqlite3|xxhash|zlib)\.h$")
# -----------------------------------------------------------------------------------------------------------------

SOURCE_SUFFIXES = (".h", ".cc", ".cu", ".cuh")
SKIPPED_FOLDERS = {"out", "third_party", "bazel", "node_modules"}
INCLUDE = re.compile(r'\s*#\s*include\s*(["<])([^">]+)[">]')

Violation = namedtuple("Violation", "file line include why")


def source_files(root):
    """Yields the paths, relative to `root`, of all C++ and CUDA files of the tree, in sorted order."""
    for folder, subfolders, names in os.walk(root):
        relative = os.path.relpath(folder, root)
        subfolders[:] = sorted(d for d in subfolders if not d.startswith(".") and
                               not (relative == "." and (d in SKIPPED_FOLDERS or d.startswith("bazel-"))))
        for name in sorted(names):
            if name.endswith(SOURCE_SUFFIXES):
                yield os.path.normpath(os.path.join(relative, name))


def within(path, folder):
    return path == folder or path.startswith(folder + "/")


def folder_of(path):
    """The row of FOLDERS that holds for `path`, or None."""
    rows = [f for f in FOLDERS if within(path, f)]
    return max(rows, key=len) if rows else None


def matches(path, globs):
    return any(fnmatch.fnmatch(path, g) for g in globs)


def allowed(path, include):
    """Whether FOLDERS lets `path` include the project's file `include`."""
    own = folder_of(path)
    target = folder_of(include)
    if own == target:
        return True
    granted = list(FOLDERS[own])
    for glob, more in EXCEPTIONS.items():
        if fnmatch.fnmatch(path, glob):
            granted += more
    return any(within(include, g) for g in granted)


def sibling_of(path, folder):
    """The member of SIBLINGS[folder] that `path` belongs to, or None. The longest stem holds."""
    if not within(path, folder):
        return None
    rest = path[len(folder) + 1:]
    stems = [s for s in SIBLINGS[folder] if re.match(re.escape(s) + r"(/|_|\.)", rest)]
    return max(stems, key=len) if stems else None


def why_forbidden(path, include, quoted):
    """The reason why `path` must not include `include`, or None."""
    for pattern, (globs, reason) in SYSTEM_HEADERS.items():
        if re.match(pattern, include) and not matches(path, globs):
            return reason
    if not quoted or EXTERNAL_QUOTED.match(include):
        return None
    if folder_of(path) is None:
        return "this folder has no row in the table of layers"
    if folder_of(include) is None:
        return "includes of the project are written from the root of the tree"
    if os.path.dirname(path) in PURE_FOLDERS and not matches(path, SHELLS) and (within(include, "proto") or
                                                                             within(include, "transport")):
        return "pure code knows no messages and no transport"
    if not allowed(path, include):
        own = folder_of(path)
        return "%s may include %s" % (own, ", ".join(FOLDERS[own]) or "nothing but itself")
    for folder in SIBLINGS:
        own, other = sibling_of(path, folder), sibling_of(include, folder)
        if own and other and own != other:
            return "siblings never include each other"
    return None


def scan(root):
    """All violations of the tree at `root`, by file and line."""
    violations = []
    for path in source_files(root):
        with open(os.path.join(root, path), encoding="utf-8") as source:
            for number, text in enumerate(source, 1):
                match = INCLUDE.match(text)
                if not match:
                    continue
                why = why_forbidden(path, match.group(2), quoted=match.group(1) == '"')
                if why:
                    violations.append(Violation(path, number, match.group(2), why))
    return violations


def main(arguments):
    root = arguments[1] if len(arguments) > 1 else os.path.join(os.path.dirname(__file__), "..", "..")
    violations = scan(root)
    for v in violations:
        print("%s:%d: %s: %s" % v, file=sys.stderr)
    count = sum(1 for _ in source_files(root))
    print("include_scan: %d files, %d violations" % (count, len(violations)))
    return 1 if violations or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
