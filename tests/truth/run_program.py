#!/usr/bin/env python3
"""Runs a truth program once, for all that is held of it: check_truth.py, check_caches.py, check_time.py, advice.

usage: run_program.py TILESCOPE PROGRAM COMPILER FOLDER [CACHES [DEVICE]]

CACHES is off for a program of which only results and counts are held; on by default. DEVICE is an H200 by default.

FOLDER gets PROGRAM.json, the profile, and PROGRAM.txt, what the program printed; they are gone when the run failed.
Standard library only.
"""
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    tilescope, program, compiler, folder, *rest = sys.argv[1:]
    caches, device = [*rest, *["on", "h200"][len(rest):]]
    os.makedirs(folder, exist_ok=True)
    profile, printed = (os.path.join(folder, program + ending) for ending in (".json", ".txt"))
    for path in (profile, printed):
        if os.path.exists(path):
            os.remove(path)
    source = os.path.join(HERE, "kernels", program + ".cu")
    root = os.path.join(HERE, "..", "..")  # parts that others have, too
    run = subprocess.run([tilescope, "run", "-q", "--check", "none", "-I" + root, "--caches", caches, "--device", device, "--compiler", compiler, "--json", profile, source],
                         capture_output=True, text=True)
    if run.returncode != 0:
        if os.path.exists(profile):
            os.remove(profile)
        sys.exit(f"{program} with {compiler}: exit status {run.returncode}\n{run.stderr}")
    with open(printed, "w") as file:
        file.write(run.stdout)


if __name__ == "__main__":
    main()
