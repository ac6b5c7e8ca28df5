"""Holds the page of each lesson against its program and its lesson.json.

usage: check_pages.py LESSONS

The front matter names the lesson and its title; code that the page shows stands in the program; pictures that it refers
to are in lesson.json and the other way round; it shows the claims, and as many exercises as there are. The program says
how it is built, and is short.
"""
import json
import pathlib
import re
import sys

SECTIONS = ["## The question", "## The program", "## The experiment", "## What came out", "## Try next"]
LONGEST_PROGRAM, LONGEST_PAGE = 180, 190


def squeezed(lines):
    """Lines without indentation and blank ones."""
    return [line.strip() for line in lines if line.strip()]


def stands_in(part, whole):
    part, whole = squeezed(part), squeezed(whole)
    return any(whole[i:i + len(part)] == part for i in range(len(whole) - len(part) + 1))


def fences(page, language):
    return [match.splitlines() for match in re.findall(r"^```" + language + r"\n(.*?)^```", page, re.M | re.S)]


def check(folder):
    name = folder.name
    lesson = json.loads((folder / "lesson.json").read_text(encoding="utf-8"))
    program = (folder / f"{name.partition('_')[2]}.cu").read_text(encoding="utf-8")
    page = (folder / "page.md").read_text(encoding="utf-8")
    if not page.startswith(f"---\nlesson: {name}\ntitle: {lesson['title']}\n---\n"):
        yield "page.md does not begin with its front matter: lesson and title as in lesson.json"
    for section in SECTIONS:
        if f"\n{section}\n" not in page:
            yield f"page.md has no \"{section}\""
    for fence in fences(page, "cuda"):
        if not stands_in(fence, program.splitlines()):
            yield f"this code of page.md is not in the program: {squeezed(fence)[:1]}"
    if not fences(page, "cuda"):
        yield "page.md shows none of the program's lines (a fence of ```cuda)"
    if not fences(page, "sh"):
        yield "page.md has no command to type (a fence of ```sh)"
    shown = set(re.findall(r"!\[[^\]]*\]\(pictures/([^)]*)\.svg\)", page))
    made = set(lesson.get("pictures", {}))
    for picture in sorted(shown - made):
        yield f"page.md shows pictures/{picture}.svg, which lesson.json does not make"
    for picture in sorted(made - shown):
        yield f"lesson.json makes the picture {picture}, which page.md does not show"
    outputs = set(re.findall(r"\]\(outputs/([^)]*)\.txt\)", page))
    if "claims" not in outputs:
        yield "page.md does not show the claims: [The claims](outputs/claims.txt)"
    for output in sorted(outputs - {"claims"} - set(lesson["runs"])):
        yield f"page.md refers to outputs/{output}.txt, and there is no such run"
    exercises = re.findall(r"^\d\. ", page.rpartition("## Try next")[2], re.M)
    if len(lesson.get("exercises", [])) != 3 or len(exercises) != 3:
        yield f"three exercises are wanted: lesson.json has {len(lesson.get('exercises', []))}, page.md {len(exercises)}"
    for what, text, most in (("program", program, LONGEST_PROGRAM), ("page", page, LONGEST_PAGE)):
        if len(text.splitlines()) > most:
            yield f"the {what} has {len(text.splitlines())} lines, more than {most}: too long to be read at once"


def main():
    problems = [f"{folder.name}: {problem}" for folder in sorted(pathlib.Path(sys.argv[1]).glob("[0-9][0-9]_*"))
                for problem in check(folder)]
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
