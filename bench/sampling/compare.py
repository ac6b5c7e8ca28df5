#!/usr/bin/env python3
"""What sampling (docs/internals/sampling.md) leaves out, against the whole: errors of counters and of time, and processor time.

usage: compare.py TILESCOPE SOURCE COUNT [FOLDER]

Runs SOURCE for each number below COUNT with --caches on and full, as many at once as there are processors, and prints a
table, its medians and nine tenths. FOLDER keeps the profiles. Standard library only.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

COUNTERS = ("global_load_l1_hit_sectors", "l2_read_sectors", "l2_read_hit_sectors", "l2_write_sectors", "dram_read_bytes",
            "dram_write_bytes")


def run(tool, source, number, caches, folder):
    path = folder / f"{number}.{caches}.json"
    before = time.monotonic()
    command = [tool, "run", "-q", "--jobs", "1", "--caches", caches, "--json", str(path), str(source), "--", str(number)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    profile = json.loads(path.read_text())
    launch = profile["launches"][0]
    launch["processor"] = time.monotonic() - before  # one worker each, and no more of them than processors
    return launch


def error(sampled, whole):
    return 100 * (sampled / whole - 1) if whole else None


def errors(sampled, whole):
    found = {name: error(sampled["counters"].get(name, 0), whole["counters"].get(name, 0)) for name in COUNTERS}
    found["time"] = error(sampled["time"]["microseconds"], whole["time"]["microseconds"])
    return found


def at(values, share):
    values = sorted(abs(value) for value in values)
    return values[min(len(values) - 1, int(share * len(values)))] if values else 0


def main():
    tool, source, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(os.cpu_count()) as pool:
        folder = pathlib.Path(sys.argv[4] if len(sys.argv) > 4 else temporary)
        folder.mkdir(parents=True, exist_ok=True)
        begun = {(number, caches): pool.submit(run, tool, source, number, caches, folder)
                 for number in range(count) for caches in ("full", "on")}
        rows = []
        for number in range(count):
            whole, sampled = (begun[number, caches].result() for caches in ("full", "on"))
            if sampled["caches_replayed"] < 1:
                rows.append((number, sampled, whole, errors(sampled, whole)))
            else:
                print(f"{number:3} {sampled['kernel'][:32]:32} not sampled")
    for number, sampled, whole, found in rows:
        told = " ".join("      -" if value is None else f"{value:+7.2f}" for value in found.values())
        print(f"{number:3} {sampled['kernel'][:32]:32} {sampled['caches_replayed']:.2f} {told} "
              f"{whole['processor']:6.1f} s {sampled['processor']:6.1f} s")
    for name in (*COUNTERS, "time"):
        values = [found[name] for *_, found in rows if found[name] is not None]
        print(f"{name:28} {len(values):3} launches: median {at(values, 0.5):.2f} %, nine tenths {at(values, 0.9):.2f} %")


if __name__ == "__main__":
    main()
