#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Feeds count_tests with build events and test.xml files as Bazel and GoogleTest write them."""

import io
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import count_tests  # noqa: E402

GTEST = """<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="4" failures="1" disabled="0" errors="0" name="AllTests">
  <testsuite name="HashTest" tests="4" failures="1" disabled="0" skipped="1" errors="0">
    <testcase name="MixesBits" status="run" result="completed" classname="HashTest" />
    <testcase name="Fails" status="run" result="completed" classname="HashTest">
      <failure message="Expected equality&#x0A;of these values" type=""><![CDATA[...]]></failure>
    </testcase>
    <testcase name="ReadsSharedData" status="run" result="skipped" classname="HashTest">
      <skipped message="no shared data"><![CDATA[hash_test.cc:9]]></skipped>
    </testcase>
    <testcase name="DISABLED_Later" status="notrun" result="suppressed" classname="HashTest" />
  </testsuite>
</testsuites>
"""
CRASHED = """<?xml version="1.0" encoding="UTF-8"?>
<testsuites><testsuite name="a/b_test" tests="1" failures="0" errors="1">
<testcase name="a/b_test" status="run" duration="1" time="1"><error message="exited with error code 66"></error></testcase>
</testsuite></testsuites>
"""


class CountTestsTest(unittest.TestCase):

    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)

    def event(self, label, status, xml=None, attempt=1):
        outputs = []
        if xml is not None:
            path = os.path.join(self.scratch.name, "%d.xml" % len(os.listdir(self.scratch.name)))
            with open(path, "w", encoding="utf-8") as file:
                file.write(xml)
            outputs = [{"name": "test.log", "uri": "file:///nowhere"}, {"name": "test.xml", "uri": "file://" + path}]
        return {"id": {"testResult": {"label": label, "run": 1, "shard": 1, "attempt": attempt}},
                "testResult": {"status": status, "testActionOutput": outputs}}

    def gather(self, *events, labels=()):
        return [(c.status, c.name) for c in count_tests.gather(list(events), labels, "stage")]

    def report(self, cases, expected=(), conditions=()):
        out = io.StringIO()
        code = count_tests.report([count_tests.Case("s", status, name, "") for status, name in cases], expected,
                                  conditions, out)
        return code, out.getvalue().splitlines()

    def test_reads_the_raw_bytes_of_a_parameter(self):
        xml = GTEST.replace('name="MixesBits"', 'name="MixesBits" value_param="\udcff\x01"')
        path = os.path.join(self.scratch.name, "raw.xml")
        with open(path, "wb") as file:
            file.write(xml.encode("utf-8", "surrogateescape"))
        self.assertEqual([c.status for c in count_tests.cases_of_xml(path, "//a:b", "stage")],
                         ["passed", "failed", "skipped", "skipped"])

    def test_tells_passed_failed_and_skipped_cases_apart(self):
        self.assertEqual(self.gather(self.event("//a:hash_test", "FAILED", GTEST)),
                         [("passed", "//a:hash_test HashTest.MixesBits"), ("failed", "//a:hash_test HashTest.Fails"),
                          ("skipped", "//a:hash_test HashTest.ReadsSharedData"),
                          ("skipped", "//a:hash_test HashTest.DISABLED_Later")])

    def test_counts_a_crash_as_one_failure(self):
        self.assertEqual(self.gather(self.event("//a:b_test", "FAILED", CRASHED)), [("failed", "//a:b_test a/b_test")])

    def test_counts_a_timeout_without_xml_as_a_failure(self):
        self.assertEqual(self.gather(self.event("//a:b_test", "TIMEOUT")), [("failed", "//a:b_test")])

    def test_counts_a_failed_run_whose_cases_all_passed(self):
        cases = self.gather(self.event("//a:b_test", "FAILED", CRASHED.replace("<error ", "<note ").replace(
            "</error>", "</note>")))
        self.assertEqual(cases, [("passed", "//a:b_test a/b_test"), ("failed", "//a:b_test")])

    def test_counts_unreadable_xml_as_a_failure(self):
        self.assertEqual(self.gather(self.event("//a:b_test", "PASSED", "<testsuites>")), [("failed", "//a:b_test")])

    def test_counts_a_test_that_did_not_build(self):
        self.assertEqual(self.gather(labels=["//a:b_test"]), [("failed", "//a:b_test")])

    def test_counts_the_last_attempt(self):
        cases = self.gather(self.event("//a:b_test", "FAILED", CRASHED, attempt=1),
                            self.event("//a:b_test", "TIMEOUT", attempt=2))
        self.assertEqual(cases, [("failed", "//a:b_test")])

    def test_ends_with_the_counts(self):
        code, lines = self.report([("passed", "x"), ("passed", "y")])
        self.assertEqual((code, lines[-1]), (0, "2 passed, 0 failed, 0 skipped"))

    def test_a_failure_is_named_and_fails_the_run(self):
        code, lines = self.report([("passed", "x"), ("failed", "y")])
        self.assertEqual((code, lines[0]), (1, "FAILED  [s] y: "))

    def test_a_skip_is_expected_only_under_its_condition(self):
        cases = [("passed", "x"), ("skipped", "//a:b_test DataTest.ReadsA9a")]
        expected = [("no-shared-data", "DataTest.Reads*")]
        self.assertEqual(self.report(cases, expected, ["no-shared-data"])[0], 0)
        code, lines = self.report(cases, expected, [])
        self.assertEqual(code, 1)
        self.assertIn("SKIPPED, not expected", lines[0])

    def test_nothing_run_is_a_failure(self):
        self.assertEqual(self.report([])[0], 1)


if __name__ == "__main__":
    unittest.main()
