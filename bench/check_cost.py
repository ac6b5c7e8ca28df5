#!/usr/bin/env python3
"""How long programs run under `--check auto`, as a ratio to `--check none`.

usage: bench/check_cost.py [--tool TILESCOPE] [--compiler NAME] [--runs 3] [--jobs 2] PROGRAM.cu...

Both ways run in turn, and the best time of each counts. `elapsed` is the ratio of elapsed times, `processor` that of
processor times, which another job on the machine disturbs less. Compiling isn't part of either: a run before the first
fills the cache. A program that doesn't end with status 0 is named and left out.
"""
import argparse
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import time

kGoal = 1.5


def run(options, program, check):
    """Elapsed and processor seconds of one run, and its status."""
    command = [options.tool, "run", "-q", "--check", check, "--jobs", str(options.jobs)]
    command += ["--compiler", options.compiler, str(program)]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    status = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode
    elapsed, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return elapsed, processor, status


def measure(options, program):
    """The best elapsed and processor times without and with checks; None where the program fails."""
    if run(options, program, "none")[2] != 0:
        return None
    best = {}
    for _ in range(options.runs):
        for check in ("none", "auto"):
            elapsed, processor, _ = run(options, program, check)
            known = best.get(check, (elapsed, processor))
            best[check] = (min(known[0], elapsed), min(known[1], processor))
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    tool = pathlib.Path(__file__).resolve().parent.parent / "build/release/bin/tilescope"
    parser.add_argument("--tool", default=str(tool))
    parser.add_argument("--compiler", default="clang")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("programs", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    ratios = []
    print(f"{'program':28} {'none, s':>9} {'auto, s':>9} {'elapsed':>8} {'processor':>9}")
    for program in options.programs:
        best = measure(options, program)
        if best is None:
            print(f"{program.stem:28} failed")
            continue
        elapsed, processor = (best["auto"][i] / max(best["none"][i], 1e-6) for i in (0, 1))
        ratios.append((elapsed, processor))
        over = "  above the goal" if min(elapsed, processor) > kGoal else ""
        print(f"{program.stem:28} {best['none'][0]:9.2f} {best['auto'][0]:9.2f} {elapsed:8.2f} {processor:9.2f}{over}",
              flush=True)
    if ratios:
        medians = [statistics.median(ratio[i] for ratio in ratios) for i in (0, 1)]
        print(f"{'median':28} {'':9} {'':9} {medians[0]:8.2f} {medians[1]:9.2f}")
        print(f"{'most':28} {'':9} {'':9} {max(r[0] for r in ratios):8.2f} {max(r[1] for r in ratios):9.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
