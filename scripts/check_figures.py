#!/usr/bin/env python3
"""Holds the models of caches and time to figures that a device's description gives: no number may stand in their code but
0, 1 and 2, unless its line, or a comment right before its statement, says what it is:

    // geometry: WHAT    a size that is given once and for all: lanes of a warp, bytes of a line, bits of our own encodings
    // numeric: WHY      a count or guard of our own algorithms, which no card has measured

Any other figure belongs to a device and has a source: docs/internals/adding-things.md, "A hardware figure". The same holds for what a
report says: views/document and views/words judge nothing, so a threshold belongs into models/verdicts.

usage: check_figures.py [ROOT]

Prints FILE:LINE: for each such number and exits with 1 if there is one. Standard library only.
"""
import pathlib
import re
import sys

# Folders and files.
LOOKED_AT = ("scope/observers/hierarchy", "scope/models/time", "scope/models/timeline", "scope/session/launch/cache_figures.cpp",
             "scope/views/document", "scope/views/words")
MARK = re.compile(r"//.*\b(?:geometry|numeric): *\S")
FREE = {0, 1, 2}
ENDS = re.compile(r"[;{}]\s*(?://.*)?$")  # of statements
# A string, a character, a comment, or a number that is no part of a name.
TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'|/\*.*?\*/|//[^\n]*|'
                   r"(?<![\w.])(0[xX][0-9a-fA-F']+|0[bB][01']+|(?:\d[\d']*\.?[\d']*|\.\d[\d']*)(?:[eE][-+]?\d+)?)(?:[uUlLfFzZ]*)(?![\w.])", re.DOTALL)


def value_of(text):
    text = text.replace("'", "").lower()
    if text.startswith("0x"):
        return int(text, 16)
    if text.startswith("0b"):
        return int(text, 2)
    return float(text)


def is_marked(lines, number):
    """Whether line `number`, from 1, is marked, or a comment right before the statement that it is of."""
    if MARK.search(lines[number - 1]):
        return True
    before = number - 2
    while before >= 0 and lines[before].strip() and not lines[before].lstrip().startswith("//"):
        if ENDS.search(lines[before]):
            return False
        before -= 1
    while before >= 0 and lines[before].lstrip().startswith("//"):
        if MARK.search(lines[before]):
            return True
        before -= 1
    return False


def figures_in(text):
    """Line and spelling of each number that is not free."""
    lines = text.split("\n")
    for match in TOKEN.finditer(text):
        if match[1] is None or value_of(match[1]) in FREE:
            continue
        number = text.count("\n", 0, match.start()) + 1
        if lines[number - 1].lstrip().startswith("#"):
            continue
        if not is_marked(lines, number):
            yield number, match[1]


def files_of(root):
    for name in LOOKED_AT:
        path = root / name
        if path.is_dir():
            yield from sorted(p for p in path.rglob("*") if p.suffix in (".cpp", ".h"))
        elif path.exists():
            yield path


def check(root):
    files = list(files_of(root))
    if not files:
        yield f"{LOOKED_AT[0]}: there are no files; do the folders in scripts/check_figures.py still fit?"
    for path in files:
        for number, figure in figures_in(path.read_text(encoding="utf-8")):
            name = path.relative_to(root).as_posix()
            home = "to models/verdicts" if name.startswith("scope/views") else "to the device's description with its source"
            yield f"{name}:{number}: {figure} stands in the code; give it {home}, or mark the line `// geometry: WHAT` or `// numeric: WHY`"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve()
    problems = list(check(root))
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
