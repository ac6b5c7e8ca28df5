#!/usr/bin/env python3
"""Names and sizes of files: what a reader can rely on before opening one.

usage: check_files.py

Over the files git knows. Errors: a name that is not snake_case; a header without #pragma once or that does not open with
a comment; white space at a line's end, a tab in source, no line feed at the end; a test that writes into the folder all
tests share. Warnings, which do not fail: more than 400 lines. Exits with 1 when there is an error. Standard library only.
"""
import pathlib
import re
import subprocess
import sys

LONG = 400  # lines of source; past this a file asks to be split by idea
SOURCE = {".h", ".cpp", ".cu", ".cuh", ".py", ".js", ".css"}
TEXT = SOURCE | {".md", ".txt", ".cmake", ".json", ".sh", ".njk", ".svg"}
SNAKE = re.compile(r"[a-z0-9]+(_[a-z0-9]+)*(\.[a-z0-9]+)*$")
NAMED_BY_OTHERS = {"CMakeLists.txt", "CMakePresets.json", "README.md", "LICENSE", "package-lock.json", "Dockerfile", "__init__.py",
                   "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "CITATION.cff"}
# Copied byte for byte: the programs as the hardware ran them, and what it counted.
VERBATIM = ("tests/truth/kernels/", "tests/truth/card/", "tests/truth/score.py", "tests/truth/counters-", "tests/truth/banks-",
            "tests/truth/wavefronts-", "tests/truth/accesses-", "tests/truth/caches-", "tests/truth/unseen-", "tests/truth/library-",
            "tests/truth/courses-", "tests/truth/workshop-", "tests/truth/projects-", "tests/truth/trades-", "tests/truth/services-", "tests/truth/tensors-", "tests/truth/policies-",
            "tests/truth/textures-", "tests/truth/pictures-",
            "tests/truth/README.md")
# Inputs for fuzzers and parsers, broken on purpose, and headers that carry CUDA's own names.
FREE_FORM = ("fuzz/corpus/", "tests/golden/", "scope/image/include/")
# Pages in capitals, CMake modules in its own style, devices by the names that people type, logs by their day.
OTHER_CUSTOMS = ("docs/", "cmake/", "scope/models/devices/", "tiles/NOTES.md", "bench/log/")


def check(path):
    name = str(path)
    if name.startswith(VERBATIM) or name.startswith(FREE_FORM) or path.name.startswith("."):
        return
    if path.name not in NAMED_BY_OTHERS and not name.startswith(OTHER_CUSTOMS) and not SNAKE.match(path.name):
        yield 1, "is not named in snake_case"
    if path.suffix not in TEXT:
        return
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    if text and not text.endswith("\n"):
        yield len(lines), "no line feed at the end of the file"
    for number, line in enumerate(lines, 1):
        if line != line.rstrip() and path.suffix != ".md":
            yield number, "white space at the end of the line"
        if "\t" in line and path.suffix in SOURCE:
            yield number, "a tab"
    if "TempDir()" in text and name.startswith("tests/") and name != "tests/scratch.h":
        yield 1, "tests run side by side: files of a test go into its own folder (tests/scratch.h)"
    if path.suffix in {".h", ".cuh"}:
        if "#pragma once" not in lines:
            yield 1, "a header without #pragma once"
        if not text.startswith("//"):
            yield 1, "a header opens with a comment: what it owns, guarantees and does not model"


def main():
    listed = subprocess.run(["git", "ls-files", "-z"], capture_output=True, check=True, text=True).stdout
    paths = [path for path in map(pathlib.Path, filter(None, listed.split("\0"))) if path.is_file()]
    errors = 0
    for path in paths:
        for line, problem in check(path):
            print(f"{path}:{line}: {problem}", file=sys.stderr)
            errors += 1
        if path.suffix in SOURCE and not str(path).startswith(VERBATIM):
            count = len(path.read_text(encoding="utf-8").splitlines())
            if count > LONG:
                print(f"{path}: warning: {count} lines, more than {LONG}: can it be split by idea?", file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
