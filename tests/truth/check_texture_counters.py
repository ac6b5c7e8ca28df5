#!/usr/bin/env python3
"""Requests and sectors of textures and surfaces against what an H200 counted: bench/hardware/texture_counters.cu.

usage: check_texture_counters.py TILESCOPE COMPILER

Launches in texture_counters_h200.txt behind a ~ are known to differ; one that has become equal is told, too.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
SOURCE = HERE.parent.parent / "bench" / "hardware" / "texture_counters.cu"
NAMES = ("texture_requests", "texture_sectors", "surface_load_requests", "surface_load_sectors", "surface_store_requests",
         "surface_store_sectors")


def main():
    tool, compiler = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as folder:
        profile = pathlib.Path(folder) / "profile.json"
        done = subprocess.run([tool, "run", "-q", "--check", "none", "--caches", "off", "--compiler", compiler, "--compile-flags=-std=c++20", "--json",
                               str(profile), str(SOURCE)], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        launches = json.loads(profile.read_text())["launches"]
    table = [line for line in (HERE / "texture_counters_h200.txt").read_text().splitlines() if line and not line.startswith("#")]
    if len(table) != len(launches):
        sys.exit(f"{len(launches)} launches, and {len(table)} in the table")
    problems, equal = [], 0
    for line, launch in zip(table, launches):
        name, _, figures = line.rpartition(" | ")
        is_known = name.startswith("~ ")
        card = [int(figure) for figure in figures.split()]
        ours = [launch["counters"].get(counter, 0) for counter in NAMES]
        equal += ours == card
        if (ours == card) == is_known:
            problems.append(f"{name}: {ours} here, {card} on the card")
    print(f"{equal} of {len(table)} launches have the card's requests and sectors")
    if problems:
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()
