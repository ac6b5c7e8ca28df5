#!/usr/bin/env python3
"""Reads a JUnit file that ctest or Playwright wrote.

usage: read_results.py count FILE             prints "TESTS FAILED SKIPPED"
       read_results.py failures FILE BUILD    prints one line per failure: the command that repeats it

A GoogleTest program is one test for ctest; here its cases count. BUILD is the build directory, relative to the working
directory. Standard library only.
"""
import pathlib
import re
import shlex
import sys
import xml.etree.ElementTree as tree

PASSED = re.compile(r"^\[  PASSED  \] (\d+) tests?\.", re.M)
FAILED = re.compile(r"^\[  FAILED  \] (\d+) tests?, listed below", re.M)
SKIPPED = re.compile(r"^\[  SKIPPED \] (\d+) tests?, listed below", re.M)
FAILED_CASE = re.compile(r"^\[  FAILED  \] ([\w/.]+)(?:, where .*)?$", re.M)


def number(pattern, text):
    match = pattern.search(text)
    return int(match[1]) if match else 0


class Result:
    def __init__(self, case):
        self.name = case.get("name")
        self.failed = case.get("status") == "fail" or case.find("failure") is not None
        self.skipped = case.get("status") in ("notrun", "disabled") or case.find("skipped") is not None
        self.output = case.findtext("system-out") or ""

    def counts(self):
        """Tests, failed, skipped: the program's cases where it printed their number."""
        passed, failed, skipped = (number(pattern, self.output) for pattern in (PASSED, FAILED, SKIPPED))
        if passed + failed + skipped == 0:
            return 1, int(self.failed), int(self.skipped)
        if self.failed and failed == 0:
            failed = 1
        return passed + failed + skipped, failed, skipped

    def commands(self, build):
        """What to type to see the failure again."""
        program = pathlib.Path(build) / "bin" / self.name
        cases = sorted(set(FAILED_CASE.findall(self.output)))
        if program.exists() and cases:
            return [f"{program} --gtest_filter={shlex.quote(':'.join(cases))}"]
        expression = "^" + re.sub(r"([\].*+?(){}|^$\[\\])", r"\\\1", self.name) + "$"
        return [f"ctest --test-dir {build} --output-on-failure -R {shlex.quote(expression)}"]


def results(path):
    return [Result(case) for case in tree.parse(path).getroot().iter("testcase")]


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "count":
        print(*(sum(column) for column in zip((0, 0, 0), *(result.counts() for result in results(arguments[1])))))
    elif len(arguments) == 3 and arguments[0] == "failures":
        for result in results(arguments[1]):
            if result.failed:
                print(*result.commands(arguments[2]), sep="\n")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
