#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants includes in a scratch tree and asks include_scan what it sees."""

import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import include_scan  # noqa: E402


class IncludeScanTest(unittest.TestCase):

    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.root = self.scratch.name

    def tearDown(self):
        self.scratch.cleanup()

    def plant(self, path, *includes):
        full = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as source:
            source.write("// SPDX-License-Identifier: Apache-2.0\n")
            source.writelines("#include %s\n" % include for include in includes)

    def assert_refused(self, path, include):
        self.plant(path, include)
        found = [(v.file, v.line, v.include) for v in include_scan.scan(self.root)]
        self.assertEqual(found, [(path, 2, include.strip('"<>'))])

    def assert_accepted(self, path, include):
        self.plant(path, include)
        self.assertEqual(include_scan.scan(self.root), [])

    def test_names_file_line_include_and_reason(self):
        self.plant("server/table/store.cc", '"common/hash.h"', '"transport/channel.h"')
        self.assertEqual(include_scan.scan(self.root), [
            include_scan.Violation("server/table/store.cc", 3, "transport/channel.h",
                                   "server/table may include common, server/optimizer")
        ])

    def test_refuses_grpc_outside_its_files(self):
        self.assert_refused("transport/retry.cc", "<grpcpp/grpcpp.h>")

    def test_refuses_grpc_in_a_service(self):
        self.assert_refused("server/service/server_service.cc", '"grpcpp/server.h"')

    def test_accepts_grpc_in_its_files(self):
        self.assert_accepted("transport/grpc_channel.cc", "<grpcpp/grpcpp.h>")

    def test_refuses_messages_in_cores(self):
        for path in ("common/a.cc", "server/table/a.cc", "server/optimizer/a.cc", "server/consistency/a.cc",
                     "server/core/a.cc", "worker/data/a.cc", "worker/model/a.cc", "worker/compute/cpu/a.cc"):
            with self.subTest(path=path):
                self.assert_refused(path, '"proto/data.pb.h"')
                self.assert_refused(path, "<google/protobuf/message.h>")
                os.remove(os.path.join(self.root, path))

    def test_accepts_messages_in_services(self):
        self.assert_accepted("server/service/codec.cc", '"proto/data.pb.h"')

    def test_refuses_flags_in_libraries(self):
        self.assert_refused("server/server_app.cc", "<gflags/gflags.h>")

    def test_accepts_flags_in_mains(self):
        self.assert_accepted("server/server_main.cc", "<gflags/gflags.h>")

    def test_refuses_glog_outside_logging(self):
        self.assert_refused("server/core/pull.cc", "<glog/logging.h>")

    def test_refuses_logging_in_headers(self):
        self.assert_refused("server/core/pull.h", '"common/logging.h"')

    def test_refuses_sqlite_outside_the_store(self):
        self.assert_refused("scheduler/jobs.cc", "<sqlite3.h>")

    def test_refuses_cuda_outside_its_folder(self):
        self.assert_refused("worker/compute/backend.h", "<cuda_runtime.h>")

    def test_accepts_cuda_in_its_folder(self):
        self.assert_accepted("worker/compute/cuda/backend.cc", "<cublas_v2.h>")

    def test_refuses_cli11_outside_the_command_line(self):
        self.assert_refused("client/client.cc", "<CLI/CLI.hpp>")

    def test_refuses_test_code_in_the_product(self):
        self.assert_refused("server/core/pull.cc", '"tests/fakes/fake_clock.h"')

    def test_accepts_test_code_in_unit_tests(self):
        self.assert_accepted("server/core/pull_test.cc", '"tests/fakes/fake_clock.h"')

    def test_unit_tests_keep_their_folders_rules_otherwise(self):
        self.assert_refused("server/table/store_test.cc", '"transport/channel.h"')

    def test_refuses_a_worker_that_reaches_into_servers(self):
        self.assert_refused("worker/train/trainer.cc", '"server/core/pull.h"')

    def test_refuses_the_schedulers_inside_to_others(self):
        self.assert_refused("worker/train/trainer.cc", '"scheduler/membership.h"')

    def test_refuses_messages_in_the_schedulers_pure_classes(self):
        self.assert_refused("scheduler/membership.cc", '"proto/control.pb.h"')

    def test_accepts_messages_in_the_schedulers_shells(self):
        self.assert_accepted("scheduler/scheduler_app.cc", '"proto/control.pb.h"')
        self.assert_accepted("scheduler/service/service.cc", '"proto/control.pb.h"')

    def test_accepts_the_schedulers_agent(self):
        self.assert_accepted("worker/train/trainer.cc", '"scheduler/agent/agent.h"')

    def test_refuses_an_optimizer_that_knows_tables(self):
        self.assert_refused("server/optimizer/sgd.cc", '"server/table/partition_store.h"')

    def test_refuses_siblings(self):
        self.assert_refused("server/optimizer/adagrad.cc", '"server/optimizer/sgd.h"')

    def test_refuses_sibling_folders(self):
        self.assert_refused("worker/compute/cuda/backend.cc", '"worker/compute/cpu/backend.h"')

    def test_tells_siblings_with_a_common_beginning_apart(self):
        self.assert_refused("server/optimizer/adamw.cc", '"server/optimizer/adam.h"')

    def test_accepts_a_member_that_includes_itself(self):
        self.assert_accepted("server/optimizer/sgd_test.cc", '"server/optimizer/sgd.h"')

    def test_accepts_the_factory_over_siblings(self):
        self.assert_accepted("server/optimizer/factory.cc", '"server/optimizer/sgd.h"')

    def test_refuses_includes_not_from_the_root(self):
        self.assert_refused("server/core/pull.cc", '"pull.h"')

    def test_refuses_a_folder_without_a_row(self):
        self.assert_refused("gadgets/thing.cc", '"common/hash.h"')

    def test_skips_build_output(self):
        self.plant("out/bin/server/table/x.cc", '"transport/channel.h"')
        self.plant("server/core/pull.cc", '"common/hash.h"')
        self.assertEqual(include_scan.scan(self.root), [])

    def test_an_empty_tree_is_an_error(self):
        self.assertEqual(include_scan.main(["include_scan", self.root]), 1)


if __name__ == "__main__":
    unittest.main()
