"""Holds the command of each idea in lessons/concepts.json to what it is to show, and docs/reference/concepts.md to that file.

usage: check_concepts.py TILESCOPE

Runs each command once, from the root of the tree, and looks for the text under "shows"; "status" is what it ends with, 0 if
missing. A command without one is a lesson's:
a claim of it has to prove the idea (lessons.clang and lessons.nvcc run the lessons). Exits with 77 without clang.
"""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Those that no command shows yet. It must be exact.
NONE_YET = set()


def output_of(program, command, status, seen):
    """What the command prints, by a program that need not be on the path."""
    if command not in seen:
        words = shlex.split(command)
        if words[1] in ("run", "trace") or "--kernel" in words:
            words[2:2] = ["--compiler", "clang"]
        ran = subprocess.run([program, *words[1:]], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False,
                             env={**os.environ, "NO_COLOR": "1"})
        seen[command] = ran.stdout + ran.stderr if ran.returncode == status else f"status {ran.returncode}"
    return seen[command]


def claims_of(lesson):
    """The ideas that a lesson's claims prove."""
    for file in ROOT.glob(f"lessons/*_{lesson}/lesson.json"):
        return {row for claim in json.loads(file.read_text(encoding="utf-8"))["claims"] for row in claim["rows"]}
    return set()


def main():
    if not any(shutil.which(f"clang++-{release}") for release in range(14, 20)):
        return 77
    problems, seen = [], {}
    rows = json.loads((ROOT / "lessons/concepts.json").read_text(encoding="utf-8"))["concepts"]
    for row in rows:
        name, command = row["id"], row.get("command")
        if (command is None) != (name in NONE_YET):
            problems.append(f"{name}: has {'no' if command is None else 'a'} command, and NONE_YET says otherwise")
        if command is None:
            continue
        lesson = re.fullmatch(r"tilescope lesson (\w+)", command)
        if lesson:
            if name not in claims_of(lesson[1]):
                problems.append(f"{name}: no claim of lesson {lesson[1]} proves it")
        elif "shows" not in row:
            problems.append(f"{name}: `{command}` is no lesson, and nothing says what it shows")
        elif row["shows"] not in output_of(sys.argv[1], command, row.get("status", 0), seen):
            problems.append(f"{name}: `{command}` does not show \"{row['shows']}\"")
    page = subprocess.run([sys.executable, ROOT / "scripts/make_concept_page", "--check"], check=False)
    if page.returncode != 0:
        problems.append("docs/reference/concepts.md is out of date")
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(rows) - len(NONE_YET)} of {len(rows)} ideas by {len(seen)} commands and lessons")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
