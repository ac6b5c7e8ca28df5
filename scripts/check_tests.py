#!/usr/bin/env python3
"""Checks what people rely on to find a test: that each source file of the directories which tests/covered_by.txt names has a
test file of its name or a line there, and that tests/README.md describes every directory of tests/.

usage: check_tests.py [ROOT]      Prints what is missing and exits with 1. Standard library only.
"""
import pathlib
import re
import sys


def problems_of(root):
    rows = (root / "tests/covered_by.txt").read_text().splitlines()
    folders = [row.split()[2] for row in rows if row.startswith("#   directory ")]
    covered = dict(row.split() for row in rows if row and not row.startswith("#"))
    tests = {path.stem.removesuffix("_test") for path in (root / "tests").rglob("*_test.cpp")}
    sources = {str(path.relative_to(root).with_suffix("")) for folder in folders for path in (root / folder).rglob("*")
               if path.suffix in (".cpp", ".h")}
    for source in sorted(sources):
        named = source.rsplit("/", 1)[1] in tests
        if not named and source not in covered:
            yield f"{source} has neither a test file of its name nor a line in tests/covered_by.txt"
        if named and source in covered:
            yield f"tests/covered_by.txt: {source} has a test file of its name; remove the line"
    for source, test in covered.items():
        if source not in sources:
            yield f"tests/covered_by.txt: there is no source {source}"
        if not (root / test).is_file():
            yield f"tests/covered_by.txt: there is no test {test}"
    described = set(re.findall(r"^\| `([a-z_]+)` \|", (root / "tests/README.md").read_text(), re.MULTILINE))
    present = {path.name for path in (root / "tests").iterdir() if path.is_dir() and any(path.iterdir()) and path.name != "__pycache__"}
    for name in sorted(present - described):
        yield f"tests/README.md does not describe tests/{name}"
    for name in sorted(described - present):
        yield f"tests/README.md describes tests/{name}, which does not exist"


def main():
    problems = list(problems_of(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)))
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
