#!/usr/bin/env python3
"""Pages: short paragraphs, and links that lead somewhere.

usage: check_docs.py

Over the pages git knows. Errors: a relative link to a file that is not there, or to a heading that its page does not have;
in the documents, a paragraph or an item of a list with more than 120 words. Tables and code do not count as paragraphs.
Exits with 1 when there is an error. Standard library only.
"""
import pathlib
import re
import subprocess
import sys

MOST = 120  # words of a paragraph; past this a reader skips it
# Lessons have a form of their own, and so has what describes the tests' data.
ANY_LENGTH = ("lessons/", "tests/")
MADE = "outputs/"  # what a lesson's runs print; it is not in the repository
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
ITEM = re.compile(r"\s*([-*]|\d+\.)\s")


def without_code(lines):
    """The lines, those of fenced blocks empty."""
    fenced = False
    for line in lines:
        fence = line.lstrip().startswith("```")
        yield "" if fenced or fence else line
        fenced ^= fence


def anchor(heading):
    """The name by which GitHub links to a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("*", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors(path):
    return {anchor(line.lstrip("#")) for line in without_code(path.read_text(encoding="utf-8").splitlines()) if line.startswith("#")}


def paragraphs(lines):
    """(number of the first line, words) of each paragraph and item."""
    begin, words = 0, 0
    for number, line in enumerate([*lines, ""], 1):
        apart = not line.strip() or line.startswith(("#", "    ")) and not words or line.lstrip().startswith("|")
        if words and (apart or ITEM.match(line)):
            yield begin, words
            words = 0
        if not apart:
            begin = begin if words else number
            words += len(line.split())


def check(path):
    lines = list(without_code(path.read_text(encoding="utf-8").splitlines()))
    if not str(path).startswith(ANY_LENGTH):
        for number, words in paragraphs(lines):
            if words > MOST:
                yield number, f"a paragraph of {words} words, more than {MOST}"
    for number, line in enumerate(lines, 1):
        for link in LINK.findall(re.sub(r"`[^`]*`", "", line)):
            if re.match(r"[a-z]+:", link) or link.startswith(MADE):
                continue
            place, _, heading = link.partition("#")
            target = path.parent / place if place else path
            if not target.exists():
                yield number, f"{place} is not there"
            elif heading and target.suffix == ".md" and heading not in anchors(target):
                yield number, f"{target} has no heading {heading}"


def main():
    listed = subprocess.run(["git", "ls-files", "-z", "*.md"], capture_output=True, check=True, text=True).stdout
    errors = 0
    for path in filter(pathlib.Path.is_file, map(pathlib.Path, filter(None, listed.split("\0")))):
        for line, problem in check(path):
            print(f"{path}:{line}: {problem}", file=sys.stderr)
            errors += 1
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
