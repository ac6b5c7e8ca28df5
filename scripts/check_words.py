#!/usr/bin/env python3
"""Holds rooms that conclude to saying nothing in words: facts go to scope/views/words, which alone makes sentences.

usage: check_words.py [ROOT]

Prints FILE:LINE: for each string literal of three or more English words in a mute room (docs/ARCHITECTURE.md, "Words") and
exits with 1 if there is one. Not meant are literals of a statement that makes a Diagnostic (an error or a warning of ours
is said where it is found), what a line or the one above marks with "// words: REASON", and the files of KEPT.
Standard library only.
"""
import pathlib
import re
import sys

MUTE = ["scope/session", "scope/models", "scope/observers"]
# Files that say something all the same, with the reason. One that does so no more is an error here.
KEPT = {
    "scope/models/device_figures.cpp": "what each figure of a device is, for `devices` and the errors of its files",
    "scope/models/occupancy_curves.cpp": "titles of the axes that it puts into a chart",
    "scope/models/occupancy_textbook.cpp": "the steps of the textbook's calculation, which are its answer",
    "scope/observers/hazards/registry.cpp": "the question that each observer answers, for the registry",
    "scope/observers/registry.cpp": "the question that each observer answers, for the registry",
}
SUFFIXES = {".h", ".cpp"}

TOKEN = re.compile(r"""//[^\n]*|/\*.*?\*/|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.DOTALL)
WORD = re.compile(r"^[(\"'`]*[A-Za-z][a-z]*(?:'s|-[a-z]+)*[).,;:?!\"'`]*$")
MARK = re.compile(r"//.*\bwords: \S")
# Words that no sentence is made of: escapes and formats are gone before.
DIAGNOSTIC = re.compile(r"\b(?:Diagnostics?|Severity::k\w+\s*,|error\s*\(|hint|note_once)\b|\bkMemoryLimitHint\b|\berrors?[._]")
THREE = 3


def literals(text):
    """(begin, end, text) of the string literals; those with only space between them are one."""
    found = []
    last = None
    for match in TOKEN.finditer(text):
        if match[0].startswith(("//", "/*", "'")):
            continue
        inside = match[0][match[0].index('"') + 1:-1]
        if last is not None and not text[last:match.start()].strip():
            begin, _, before = found[-1]
            found[-1] = (begin, match.end(), before + inside)
        else:
            found.append((match.start(), match.end(), inside))
        last = match.end()
    return found


def is_sentence(text):
    """Whether three or more words stand side by side."""
    run = 0
    for token in re.sub(r"\\.", " ", text).split():
        run = run + 1 if WORD.match(token) else 0
        if run >= THREE:
            return True
    return False


def without_literals(text):
    """The same with comments and literals blank, so that brackets and semicolons are code."""
    return TOKEN.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def check_file(path):
    text = path.read_text(encoding="utf-8")
    code, lines = without_literals(text), text.splitlines()
    for begin, end, inside in literals(text):
        if not is_sentence(inside):
            continue
        start = max(code.rfind(";", 0, begin), 0)
        stop = code.find(";", end)
        if DIAGNOSTIC.search(code[start:stop if stop >= 0 else len(code)]):
            continue
        number = text.count("\n", 0, begin) + 1
        first = max(number - 2, 0)
        if any(MARK.search(line) for line in lines[first:text.count("\n", 0, end) + 1]):
            continue
        if lines[number - 1].lstrip().startswith(("#include", "#error", "static_assert")):
            continue
        yield number, inside


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[1])
    problems, spoke = [], set()
    for room in MUTE:
        for path in sorted((root / room).rglob("*")):
            if path.suffix not in SUFFIXES:
                continue
            name = path.relative_to(root).as_posix()
            for number, inside in check_file(path):
                if name in KEPT:
                    spoke.add(name)
                else:
                    problems.append(f'{name}:{number}: a sentence ("{inside[:60]}"): give scope/views/words the facts')
    for name in KEPT:
        if name not in spoke and (root / name).is_file():
            problems.append(f"{name}:1: is in KEPT of scripts/check_words.py and says nothing any more")
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
