#!/usr/bin/env python3
"""Checks pages: links, paragraphs, word budgets, sentences, terms, and names that the program lacks.

usage: check_docs.py [ROOT]

Reads the pages that git lists. Errors:
  link          a relative link to a missing file, or to a missing heading
  paragraph     a paragraph or list item with more than 120 words
  budget        a page with more words than docs/budgets.txt allows, or a page that isn't listed there; more than TOTAL in all
  sentence      a sentence with more than 30 words
  construction  a construction that readers have to read twice (patterns in docs_prose.py)
  term          a term that a standard term replaces (likewise)
  option, key   an option or JSON key that the program lacks (docs_names.py)

All but the first two apply to docs/, pages at the root and lessons' pages, without generated pages and tables. docs/exceptions.txt lists
accepted findings, each with its reason. Exits with 1 if there is an error. Standard library only.
"""
import collections
import fnmatch
import os
import pathlib
import re
import subprocess
import sys

import docs_names
import docs_prose

MOST = 120  # words of a paragraph
TOTAL = 45_000  # words of docs/ that are written by hand
# Lessons and descriptions of test data have longer paragraphs.
ANY_LENGTH = ("lessons/", "tests/")
MADE = "outputs/"  # output of lessons; not in the repository
PROSE = ("docs/*", "README.md", "CONTRIBUTING.md", "SECURITY.md", "lessons/*")
BUDGETS, EXCEPTIONS = pathlib.Path("docs/budgets.txt"), pathlib.Path("docs/exceptions.txt")
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


def without_code(lines):
    """Yields the lines, with fenced blocks empty."""
    fenced = False
    for line in lines:
        fence = line.lstrip().startswith("```")
        yield "" if fenced or fence else line
        fenced ^= fence


def anchor(heading):
    """GitHub's anchor of a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("*", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors(path):
    return {anchor(line.lstrip("#")) for line in without_code(path.read_text(encoding="utf-8").splitlines()) if line.startswith("#")}


def paragraphs(lines):
    """Yields (first line, words) for each paragraph and item."""
    begin, words = 0, 0
    for number, line in enumerate([*lines, ""], 1):
        apart = not line.strip() or line.startswith(("#", "    ")) and not words or line.lstrip().startswith("|")
        if words and (apart or docs_prose.ITEM.match(line)):
            yield begin, words
            words = 0
        if not apart:
            begin = begin if words else number
            words += len(line.split())


def check_links(path, lines):
    for number, line in enumerate(lines, 1):
        for link in LINK.findall(re.sub(r"`[^`]*`", "", line)):
            if re.match(r"[a-z]+:", link) or link.startswith(MADE):
                continue
            place, _, heading = link.partition("#")
            target = path.parent / place if place else path
            if not target.exists():
                yield number, "link", f"{place} is not there"
            elif heading and target.suffix == ".md" and heading not in anchors(target):
                yield number, "link", f"{target} has no heading {heading}"


def read_table(path):
    """Yields the fields of each line. The comment after a # is the last field."""
    if path.is_file():
        for line in path.read_text(encoding="utf-8").splitlines():
            fields, _, comment = line.partition("#")
            if fields.strip():
                yield [*fields.split(), comment.strip()]


def budgets():
    """{page: words, or None if the page is generated}"""
    return {page: None if words == "generated" else int(words) for words, page, *_ in read_table(BUDGETS)}


def check_page(path, text, allowed):
    name, lines = path.as_posix(), list(without_code(text.splitlines()))
    yield from check_links(path, lines)
    if not name.startswith(ANY_LENGTH):
        for number, words in paragraphs(lines):
            if words > MOST:
                yield number, "paragraph", f"a paragraph of {words} words, more than {MOST}"
    if not any(fnmatch.fnmatch(name, pattern) for pattern in PROSE) or allowed.get(name, 0) is None:
        return
    yield from docs_prose.problems(text)
    yield from docs_names.problems(text)
    if name.startswith("docs/"):
        words = docs_prose.word_count(text)
        if name not in allowed:
            yield 1, "budget", f"not in {BUDGETS}; it has {words} words"
        elif words > allowed[name]:
            yield 1, "budget", f"{words} words, more than the {allowed[name]} of {BUDGETS}"


def without_exceptions(found):
    """Yields findings beyond the exceptions. An exception is a kind, a pattern of pages, a count and a reason."""
    used = collections.Counter()
    rules = [(kind, page, int(most), reason) for kind, page, most, reason in read_table(EXCEPTIONS)]
    for path, number, kind, say in found:
        rule = next((i for i, (of, page, *_) in enumerate(rules) if of == kind and fnmatch.fnmatch(path, page)), None)
        if rule is None:
            yield path, number, f"{kind}: {say}"
            continue
        used[rule] += 1
        if used[rule] > rules[rule][2]:
            yield path, number, f"{kind}: {say} (beyond the {rules[rule][2]} of {EXCEPTIONS})"
    for i, (kind, page, _, reason) in enumerate(rules):
        if not used[i]:
            yield str(EXCEPTIONS), 1, f"{kind} {page} is no longer needed"
        if not reason:
            yield str(EXCEPTIONS), 1, f"{kind} {page} has no reason"


def main():
    os.chdir(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[1])
    listed = subprocess.run(["git", "ls-files", "-z", "*.md"], capture_output=True, check=True, text=True).stdout
    allowed, found, total = budgets(), [], 0
    for path in filter(pathlib.Path.is_file, map(pathlib.Path, filter(None, listed.split("\0")))):
        text, name = path.read_text(encoding="utf-8"), path.as_posix()
        found += [(name, number, kind, say) for number, kind, say in check_page(path, text, allowed)]
        if name.startswith("docs/") and allowed.get(name, 0) is not None:
            total += docs_prose.word_count(text)
    errors = [f"{path}:{number}: {say}" for path, number, say in without_exceptions(found)]
    errors += [f"{BUDGETS}:1: {page} is not there" for page in allowed if not pathlib.Path(page).is_file()]
    if total > TOTAL:
        errors.append(f"{BUDGETS}:1: docs/ has {total} words written by hand, more than {TOTAL}")
    for error in errors:
        print(error, file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
