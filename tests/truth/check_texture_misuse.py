#!/usr/bin/env python3
"""Errors of misuses of arrays, textures and surfaces against an H200's: bench/hardware/texture_misuse.cu.

usage: check_texture_misuse.py TILESCOPE COMPILER

What stands in texture_misuse_h200.txt behind a ~ is answered otherwise here; one that has become equal is told, too.
"""
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
SOURCE = HERE.parent.parent / "bench" / "hardware" / "texture_misuse.cu"
NAME_COLUMNS = 44


def main():
    tool, compiler = sys.argv[1:3]
    done = subprocess.run([tool, "run", "-q", "--caches", "off", "--compiler", compiler, "--compile-flags=-std=c++20", str(SOURCE)],
                          capture_output=True, text=True)
    ours = {line[:NAME_COLUMNS].rstrip(): line[NAME_COLUMNS:].strip() for line in done.stdout.splitlines()}
    problems, equal = [], 0
    for line in (HERE / "texture_misuse_h200.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        name, _, card = line.partition(" | ")
        is_known = name.startswith("~ ")
        said = ours.get(name.removeprefix("~ "))
        equal += said == card
        if (said == card) == is_known:
            problems.append(f"{name}: {said} here, {card} on the card")
    print(f"{equal} misuses have the card's answer")
    if problems:
        sys.exit("\n".join(problems) + f"\n{done.stderr[-500:]}")


if __name__ == "__main__":
    main()
