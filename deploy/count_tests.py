#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts test cases for deploy/test.sh.

    count_tests.py gather --stage NAME --events BEP.json --tests LABELS.txt RESULTS    adds a Bazel run's cases
    count_tests.py add --stage NAME --status passed|failed|skipped --name TEXT [--message TEXT] RESULTS
    count_tests.py report --expected-skips FILE --conditions a,b RESULTS               prints the verdict

RESULTS is a file of lines "stage TAB status TAB name TAB message". `gather` reads the build event file of one
`bazel test` and the test.xml files that it names; a test of LABELS.txt (one a line) without a result counts as failed.
`report` compares skipped cases with FILE (its format stands at its top) and ends with one line
"N passed, N failed, N skipped". Exit code 1 when something failed, was skipped unexpectedly, or nothing ran.
"""

import argparse
import fnmatch
import json
import os
import sys
import urllib.parse
import xml.etree.ElementTree as ElementTree
from collections import Counter, namedtuple

Case = namedtuple("Case", "stage status name message")


def one_line(text):
    return " ".join((text or "").split())[:300]


def xml_root(path):
    """The root of a test.xml. GoogleTest writes a parameter's bytes as they are, which may be neither UTF-8 nor XML."""
    with open(path, "rb") as file:
        text = file.read().decode("utf-8", "replace")
    return ElementTree.fromstring("".join(c if c in "\t\n\r" or " " <= c < "\ufffe" else "?" for c in text))


def cases_of_xml(path, label, stage):
    """The cases of one test.xml, as GoogleTest writes it or as Bazel does for other tests."""
    cases = []
    for case in xml_root(path).iter("testcase"):
        parts = [case.get("classname"), case.get("name")]
        name = "%s %s" % (label, ".".join(p for p in parts if p))
        bad = case.find("failure")
        bad = case.find("error") if bad is None else bad
        skipped = case.find("skipped")
        if bad is not None:
            cases.append(Case(stage, "failed", name, one_line(bad.get("message") or bad.text)))
        elif skipped is not None or case.get("result") in ("skipped", "suppressed") or case.get("status") == "notrun":
            message = "disabled" if skipped is None else skipped.get("message") or skipped.text
            cases.append(Case(stage, "skipped", name, one_line(message)))
        else:
            cases.append(Case(stage, "passed", name, ""))
    return cases


def last_attempts(events):
    """Label, run and shard -> the last testResult event of it."""
    results = {}
    for event in events:
        if "testResult" not in event:
            continue
        name = event["id"]["testResult"]
        key = (name["label"], name.get("run", 1), name.get("shard", 1))
        attempt = name.get("attempt", 1)
        if key not in results or attempt >= results[key][0]:
            results[key] = (attempt, event["testResult"])
    return {key: result for key, (_, result) in results.items()}


def xml_path(result):
    for output in result.get("testActionOutput", []):
        if output.get("name") == "test.xml":
            return urllib.parse.unquote(urllib.parse.urlparse(output["uri"]).path)
    return None


def gather(events, labels, stage):
    """The cases of a `bazel test` with these build events, over the tests `labels`."""
    cases = []
    seen = set()
    for (label, _, _), result in sorted(last_attempts(events).items()):
        seen.add(label)
        path = xml_path(result)
        own = []
        if path and os.path.exists(path):
            try:
                own = cases_of_xml(path, label, stage)
            except ElementTree.ParseError as error:
                own = [Case(stage, "failed", label, "test.xml cannot be read: %s" % error)]
        status = result.get("status", "NO_STATUS")
        if status not in ("PASSED", "FLAKY") and not any(c.status == "failed" for c in own):
            own.append(Case(stage, "failed", label, status))
        if not own:
            own.append(Case(stage, "failed", label, "no case ran"))
        cases += own
    cases += [Case(stage, "failed", label, "was not built or not run") for label in labels if label not in seen]
    return cases


def read_events(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def append(path, cases):
    with open(path, "a", encoding="utf-8") as results:
        for case in cases:
            results.write("\t".join(part.replace("\t", " ") for part in case) + "\n")


def read_results(path):
    with open(path, encoding="utf-8") as results:
        return [Case(*line.rstrip("\n").split("\t")) for line in results if line.strip()]


def read_expected_skips(path):
    """Pairs of condition and pattern."""
    pairs = []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            words = line.split("#")[0].split(None, 1)
            if words:
                pairs.append((words[0], words[1].strip()))
    return pairs


def unexpected_skips(cases, expected, conditions):
    patterns = [pattern for condition, pattern in expected if condition in conditions]
    return [c for c in cases if c.status == "skipped" and
            not any(fnmatch.fnmatchcase(c.name, "*" + p) for p in patterns)]


def report(cases, expected, conditions, out):
    """Writes the verdict to `out`; returns the exit code."""
    counts = Counter(case.status for case in cases)
    unexpected = unexpected_skips(cases, expected, conditions)
    for case in cases:
        if case.status == "failed":
            out.write("FAILED  [%s] %s: %s\n" % (case.stage, case.name, case.message))
    for case in cases:
        if case.status == "skipped":
            word = "SKIPPED, not expected" if case in unexpected else "skipped"
            out.write("%s  [%s] %s: %s\n" % (word, case.stage, case.name, case.message))
    out.write("%d passed, %d failed, %d skipped\n" % (counts["passed"], counts["failed"], counts["skipped"]))
    return 1 if counts["failed"] or unexpected or not counts["passed"] else 0


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("gather")
    one.add_argument("--stage", required=True)
    one.add_argument("--events", required=True)
    one.add_argument("--tests", required=True)
    one = commands.add_parser("add")
    one.add_argument("--stage", required=True)
    one.add_argument("--status", required=True, choices=["passed", "failed", "skipped"])
    one.add_argument("--name", required=True)
    one.add_argument("--message", default="")
    one = commands.add_parser("report")
    one.add_argument("--expected-skips", required=True)
    one.add_argument("--conditions", default="")
    for command in commands.choices.values():
        command.add_argument("results")
    options = parser.parse_args(arguments)
    if options.command == "gather":
        with open(options.tests, encoding="utf-8") as lines:
            labels = [line.strip() for line in lines if line.strip()]
        events = read_events(options.events) if os.path.exists(options.events) else []
        append(options.results, gather(events, labels, options.stage))
        return 0
    if options.command == "add":
        append(options.results, [Case(options.stage, options.status, options.name, one_line(options.message))])
        return 0
    return report(read_results(options.results), read_expected_skips(options.expected_skips),
                  options.conditions.split(","), sys.stdout)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
