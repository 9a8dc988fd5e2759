#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows that a forbidden include does not build: Bazel's visibility refuses it, or its header is not there.

Copies the tree into a scratch folder, adds probe libraries to its packages and asks Bazel. Runs Bazel itself, so it is
called by deploy/test.sh and is no Bazel test. `include_scan.py` covers what visibility cannot say.
"""

import os
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")

# Package and a library that it must not depend on.
FORBIDDEN = [
    ("common", "//transport:channel"),
    ("common", "//proto:data"),
    ("server/optimizer", "//server/table:partition_store"),
    ("server/optimizer", "//proto:table"),
    ("server/table", "//transport:channel"),
    ("server/table", "//server/consistency:policy"),
    ("server/consistency", "//server/table:partition_store"),
    ("server/core", "//proto:data"),
    ("server/core", "//transport:channel"),
    ("server", "//client:client"),
    ("server", "//worker/model:model"),
    ("scheduler", "//server/core:server_core"),
    ("scheduler", "//server:server_app"),
    ("scheduler", "//client:client"),
    ("scheduler/agent", "//scheduler:membership"),
    ("client", "//server:server_app"),
    ("client", "//scheduler:scheduler_app"),
    ("client", "//worker:worker_app"),
    ("worker/data", "//proto:job"),
    ("worker/data", "//worker/model:model"),
    ("worker/compute", "//worker/model:model"),
    ("worker/compute/cpu", "//client:client"),
    ("worker/model", "//proto:job"),
    ("worker/model", "//client:client"),
    ("worker/train", "//server/table:partition_store"),
    ("worker/train", "//server/core:server_core"),
    ("worker/train", "//scheduler:membership"),
]

# The same packages over edges that the layers allow.
ALLOWED = [
    ("server/table", "//common:hash"),
    ("server/table", "//server/optimizer:optimizer"),
    ("server/core", "//server/table:partition_store"),
    ("server/core", "//server/consistency:policy"),
    ("server/service", "//proto:data"),
    ("scheduler", "//proto:control"),
    ("client", "//transport:channel"),
    ("client", "//scheduler/agent:agent"),
    ("client/cli", "//server:server_app"),
    ("worker/model", "//worker/data:batch"),
    ("worker/train", "//client:client"),
    ("worker/train", "//scheduler/agent:agent"),
]


def probe_name(index):
    return "layering_probe_%d" % index


class VisibilityTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.mkdtemp(prefix="seraph_layering.")
        cls.addClassCleanup(shutil.rmtree, cls.scratch, ignore_errors=True)
        cls.tree = os.path.join(cls.scratch, "tree")
        cls.copy_tree()
        cls.addClassCleanup(cls.bazel, "shutdown")

    @classmethod
    def copy_tree(cls):
        shutil.copytree(ROOT, cls.tree, symlinks=True,
                        ignore=lambda folder, names: [n for n in names if n in (".git", "out", "__pycache__") or
                                                      n.startswith("bazel-")])

    @classmethod
    def bazel(cls, *arguments):
        """Runs Bazel in the scratch tree; returns the exit code and everything that it said."""
        run = subprocess.run(["bazel", "--output_base=" + os.path.join(cls.scratch, "base"), *arguments], cwd=cls.tree,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600, check=False)
        return run.returncode, run.stdout

    def add(self, package, rule, source=None):
        with open(os.path.join(self.tree, package, "BUILD"), "a", encoding="utf-8") as build:
            build.write("\n%s\n" % rule)
        if source:
            name, text = source
            with open(os.path.join(self.tree, package, name), "w", encoding="utf-8") as file:
                file.write(text)

    def analyse(self, edges, offset):
        """Adds a probe for each edge; returns Bazel's output over all of them."""
        targets = []
        for index, (package, dependency) in enumerate(edges, offset):
            self.add(package, 'cc_library(name = "%s", deps = ["%s"])' % (probe_name(index), dependency))
            targets.append("//%s:%s" % (package, probe_name(index)))
        return self.bazel("build", "--nobuild", "--keep_going", *targets)[1]

    def test_forbidden_edges_are_refused(self):
        output = self.analyse(FORBIDDEN, 0)
        for index, (package, dependency) in enumerate(FORBIDDEN):
            with self.subTest(package=package, dependency=dependency):
                refusal = "target '%s' is not visible from target '//%s:%s'" % (dependency, package, probe_name(index))
                self.assertTrue(refusal in output, "Bazel does not refuse it")

    def test_allowed_edges_are_accepted(self):
        output = self.analyse(ALLOWED, 1000)
        for index, (package, dependency) in enumerate(ALLOWED, 1000):
            with self.subTest(package=package, dependency=dependency):
                self.assertNotIn("//%s:%s" % (package, probe_name(index)), output)
        self.assertNotIn("ERROR", output)

    def test_a_header_without_its_dependency_does_not_build(self):
        source = ("undeclared.cc", '#include "common/hash.h"\n')
        self.add("server/table", 'cc_library(name = "undeclared", srcs = ["undeclared.cc"])', source)
        code, output = self.bazel("build", "//server/table:undeclared")
        self.assertNotEqual(code, 0)
        self.assertIn("common/hash.h", output)
        self.add("server/table", 'cc_library(name = "declared", srcs = ["undeclared.cc"], deps = ["//common:hash"])')
        code, output = self.bazel("build", "//server/table:declared")
        self.assertEqual(code, 0, output)


if __name__ == "__main__":
    unittest.main()
