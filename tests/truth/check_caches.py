#!/usr/bin/env python3
"""Holds what the model of the caches says of a truth program to what an H200 counted.

usage: check_caches.py TILESCOPE PROGRAM COMPILER

A model is no count: per counter, the median and the ninth tenth of the launches' relative errors are held to LIMITS,
which say how near the model comes today (docs/FIDELITY.md has the figures). Exit status 1 when one is beyond.
Standard library only.
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile

import score

HERE = os.path.dirname(os.path.abspath(__file__))
# By program and counter: percent, of the median launch and of nine tenths of them.
LIMITS = {
    "global": {
        "global_load_l1_hit_sectors": (0.1, 60),
        "l2_read_sectors": (0.1, 30),
        "l2_write_sectors": (0.1, 6),
        "dram_read_bytes": (0.2, 2),
    },
    "occupancy": {"l2_read_sectors": (30, 70), "dram_read_bytes": (1.5, 8)},
    "shared": {"l2_read_sectors": (0.1, 0.1), "l2_write_sectors": (0.1, 0.1), "dram_read_bytes": (1, 1)},
}


def main():
    tilescope, program, compiler = sys.argv[1:]
    with open(os.path.join(HERE, "counters-h200.json"), encoding="utf-8") as f:
        truth = [row for row in json.load(f) if row["program"] == program]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "profile.json")
        source = os.path.join(HERE, "kernels", program + ".cu")
        subprocess.run([tilescope, "run", "-q", "--caches", "on", "--compiler", compiler, "--json", path, source], check=True)
        with open(path, encoding="utf-8") as f:
            launches = json.load(f)["launches"]
    problems = 0
    if len(launches) != len(truth):
        sys.exit(f"{len(launches)} launches, {len(truth)} in the truth")
    for counter, (median, most) in LIMITS[program].items():
        errors = sorted(100 * score.relative(launches[row["launch"]]["counters"][counter],
                                             row["counters"][score.NAMES[counter]], score.FLOOR.get(counter, 0))
                        for row in truth)
        found = statistics.median(errors), errors[int(0.9 * (len(errors) - 1))]
        verdict = "ok" if found[0] <= median and found[1] <= most else "BEYOND"
        problems += verdict != "ok"
        print(f"{program} {counter:28} median {found[0]:6.2f} % of {median}, nine tenths {found[1]:6.2f} % of {most}  {verdict}")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
