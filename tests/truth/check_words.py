#!/usr/bin/env python3
"""What instructions on words give, form by form: programs of bench/hardware that print digests, against an H200's.

usage: check_words.py TILESCOPE COMPILER [video|half_forms|simd_words ...] [--all]

A line of PROGRAM_h200.txt is the form, the digest of 1,024 cases, that of 1,048,576, and the results of the first four. The
first digest is looked at; with --all the second.
"""
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
SOURCES = HERE.parent.parent / "bench" / "hardware"
PROGRAMS = ("video", "half_forms", "simd_words")
FEW, ALL = 1 << 10, 1 << 20
FIRST = 4


def card(program, of_all):
    for line in (HERE / f"{program}_h200.txt").read_text().splitlines():
        if line.startswith("#"):
            continue
        form, few, many, *first = line.rsplit(" ", 2 + FIRST)
        yield form, [many if of_all else few, *first]


def ours(tool, compiler, program, cases):
    command = [tool, "run", "-q", "--check", "none", "--caches", "off", "--compiler", compiler, "--compile-flags=-std=c++17",
               str(SOURCES / f"{program}.cu"), "--", str(cases)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{program}: exit status {done.returncode}\n{done.stderr[-2000:]}")
    for line in done.stdout.splitlines():
        form, _, digest, *first = line.rsplit(" ", 2 + FIRST)
        yield form, [digest, *first]


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--all"]
    of_all = "--all" in sys.argv
    tool, compiler, *programs = arguments
    problems, count = [], 0
    for program in programs or PROGRAMS:
        here = dict(ours(tool, compiler, program, ALL if of_all else FEW))
        there = dict(card(program, of_all))
        problems += [f"{program}: {form}: on one side alone" for form in here.keys() ^ there.keys()]
        problems += [f"{program}: {form}: {' '.join(here[form])} here, {' '.join(values)} on the card"
                     for form, values in there.items() if form in here and here[form] != values]
        count += len(there)
    print(f"{count} lines, {len(problems)} problems")
    if problems:
        sys.exit("\n".join(problems[:40]))


if __name__ == "__main__":
    main()
