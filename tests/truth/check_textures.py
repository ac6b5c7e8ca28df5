#!/usr/bin/env python3
"""Random fetches of every form, bit by bit against what an H200 gave: bench/hardware/textures.cu through one compiler.

usage: check_textures.py TILESCOPE COMPILER

Each line of textures_h200.txt is a form, how many fetches, and a hash of their results (NVIDIA H200, driver 580.159.04, 27 November
2026). Forms that are not equal stand in textures_unequal.txt: one of these that has become equal is told, too, so that the list
stays true.
"""
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
SOURCE = HERE.parent.parent / "bench" / "hardware" / "textures.cu"


def lines_of(text):
    """The hash of each form, by name."""
    found = {}
    for line in text.splitlines():
        name, _, rest = line.rpartition(" ")
        form, _, count = name.rpartition(" ")
        found[form.strip()] = (count, rest)
    return found


def main():
    tool, compiler = sys.argv[1:3]
    done = subprocess.run([tool, "run", "-q", "--check", "none", "--caches", "off", "--compiler", compiler, "--compile-flags=-std=c++20", str(SOURCE)],
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    ours, card = lines_of(done.stdout), lines_of((HERE / "textures_h200.txt").read_text())
    known = {line for line in (HERE / "textures_unequal.txt").read_text().splitlines() if line and not line.startswith("#")}
    problems = [f"{name}: {'missing' if name not in ours else 'not the results of the card'}"
                for name in card if name not in known and ours.get(name) != card[name]]
    problems += [f"{name}: equal now; take it out of textures_unequal.txt" for name in sorted(known) if ours.get(name) == card.get(name)]
    print(f"{len(card) - len(known)} of {len(card)} forms are the card's to the bit")
    if problems:
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()
