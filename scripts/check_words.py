#!/usr/bin/env python3
"""Holds rooms that conclude to saying nothing in words: facts go to scope/views/words, which alone makes sentences. And
holds what users read, in reports, help and pages, to one word for one thing (docs/reference/words.md).

usage: check_words.py [ROOT]

Prints FILE:LINE: for each string literal of three or more English words in a mute room (docs/internals/architecture.md, "Words"),
and for each word that was dropped for another one (DROPPED), and exits with 1 if there is one. Not meant are literals of a
statement that makes a Diagnostic (an error or a warning of ours is said where it is found), what a line or the one above
marks with "// words: REASON", and the files of KEPT; of dropped words what OTHER_MEANING names.
Standard library only.
"""
import pathlib
import re
import sys

MUTE = ["scope/session", "scope/models", "scope/observers"]
# Files that say something all the same, with the reason. One that does so no more is an error here.
KEPT = {
    # Errors and warnings, put together of parts.
    "scope/models/device_file.cpp": "what is wrong with a device's file",
    "scope/models/time/on_device.cpp": "warnings of what does not hold on another device",
    "scope/observers/hazards/races.cpp": "a warning of what was no longer told apart",
    "scope/session/launch/caches.cpp": "warnings of caches that are not modelled",
    "scope/session/launch/limits.cpp": "why a launch is refused",
    "scope/session/trace_options.cpp": "what is wrong with --shape",
    "scope/session/target_check.cpp": "errors of code that a device does not run",
    "scope/session/run_work.cpp": "names of the time line's spans",
    # Part of a fault's message, which is the machine's.
    "scope/session/launch/hang_help.cpp": "what a kernel that hangs waits at",
    # What a registry or a table says of its rows.
    "scope/models/device_figures.cpp": "what each figure of a device is",
    "scope/models/device_hierarchy_figures.cpp": "what each figure of a device is",
    "scope/models/device_time_figures.cpp": "what each figure of a device is",
    "scope/observers/hazards/registry.cpp": "the question that each observer answers",
    "scope/observers/registry.cpp": "the question that each observer answers",
    # Pictures and tables whose titles and notes still come from here.
    "scope/models/occupancy_curves.cpp": "titles of a chart",
    "scope/observers/trace_table.cpp": "a note of a trace's table",
    "scope/session/launch/trace.cpp": "a note of a trace's table",
    "scope/models/advice.cpp": "what each rule looks for",
}
SUFFIXES = {".h", ".cpp"}

# Words that were dropped, and what is said instead. They are looked for in the literals of SPEAKING and in PAGES.
DROPPED = [
    (re.compile(r"\blimited by threads\b", re.I), "limited by warps"),
    (re.compile(r"\bpass(?:es)? (?:through|of) (?:the |their |its )?(?:banks|data banks|L1|shared|global)\b"
                r"|\bpass(?:es)? beyond the ideal\b|\bshared \w+ takes? [\d.]+ passes\b", re.I), "wavefront"),
    (re.compile(r"\bdevice memory\b", re.I), "DRAM"),
    (re.compile(r"\bmemory transactions?\b|\btransactions? (?:a|per) request\b", re.I), "sector or request"),
    (re.compile(r"\bstreaming multiprocessors?\b", re.I), "SM"),
]
SPEAKING = ["scope/views", "scope/cli", "scope/report", "scope/models"]
PAGES = ["README.md", "docs", "examples/README.md", "lessons/README.md"]
# Where a dropped word means another thing, by file and word; one that is needed no more is an error here.
OTHER_MEANING = {
    ("docs/internals/architecture.md", "DRAM"): "the session's DeviceMemory",
    ("docs/reference/hazards.md", "DRAM"): "what cudaMalloc gives",
    ("docs/internals/sandbox.md", "DRAM"): "what cudaMalloc gives",
    ("scope/report/glossary_terms.cpp", "DRAM"): "what others call it",
    ("scope/report/glossary_terms.cpp", "sector or request"): "what others call it",
    ("scope/report/glossary_words.cpp", "DRAM"): "the word itself",
    ("scope/report/glossary_words.cpp", "SM"): "the other spellings of words",
    ("scope/views/words/streams.cpp", "DRAM"): "what cudaMalloc gives",
}
LIST = "docs/reference/words.md"  # says what was dropped

TOKEN = re.compile(r"""//[^\n]*|/\*.*?\*/|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.DOTALL)
WORD = re.compile(r"^[(\"'`]*[A-Za-z][a-z]*(?:'s|-[a-z]+)*[).,;:?!\"'`]*$")
MARK = re.compile(r"//.*\bwords: \S")
# What a statement has that makes a Diagnostic, or part of one.
DIAGNOSTIC = re.compile(r"\bDiagnostics?\b|\bSeverity::k\w+\s*,|\berrors?_?(?:\.\w+)?\(|\bhint\b|\bnote_once\b|\bk\w*Hint\b"
                        r"|\brefusal\(|\bwhy_not\b|\breason\b|\bend_at_memory_limit\b")
TYPES = set("unsigned signed long short int char".split())  # of C
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
    for token in re.sub(r"\\.|\{[^{}]*\}", " ", text).split():
        run = run + 1 if WORD.match(token) and token not in TYPES else 0
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


def dropped_in(root):
    """(file, line, text that was found, word instead) of what users read."""
    for room in SPEAKING:
        for path in sorted((root / room).rglob("*")):
            if path.suffix not in SUFFIXES:
                continue
            text = path.read_text(encoding="utf-8")
            for begin, _, inside in literals(text):
                for pattern, word in DROPPED:
                    if found := pattern.search(inside):
                        yield path.relative_to(root).as_posix(), text.count("\n", 0, begin) + 1, found[0], word
    for name in PAGES:
        pages = sorted((root / name).rglob("*.md")) if (root / name).is_dir() else [root / name]
        for path in pages:
            if not path.is_file() or path.relative_to(root).as_posix() == LIST:
                continue
            text = path.read_text(encoding="utf-8")
            for pattern, word in DROPPED:
                # A phrase may be broken between lines.
                for found in re.finditer(pattern.pattern.replace(" ", r"\s+"), text, re.I):
                    yield path.relative_to(root).as_posix(), text.count("\n", 0, found.start()) + 1, found[0], word


def check_dropped(root):
    needed = set()
    for name, number, said, word in dropped_in(root):
        if (name, word) in OTHER_MEANING:
            needed.add((name, word))
        else:
            yield f'{name}:{number}: "{" ".join(said.split())}" is called {word} ({LIST})'
    for name, word in OTHER_MEANING:
        if (name, word) not in needed and (root / name).is_file():
            yield f"{name}:1: is in OTHER_MEANING of scripts/check_words.py for {word} and needs it no more"


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
    problems += check_dropped(root)
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
