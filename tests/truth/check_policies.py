#!/usr/bin/env python3
"""Holds what the model of the caches makes of priorities, windows, sizes and prefetches to what an H200 did.

usage: check_policies.py TILESCOPE PART...      parts of bench/hardware/policies.cu: second (or, of that,
sweeps, growth, words, "more words"), windows, sizes

Each launch of `second` and `windows` reads or writes some memory, then other memory, then reads the first again: held is
which share of it stayed in L2, in points. Each launch of `sizes` reads or prefetches with a stride: held are the bytes that
came from device memory, in percent. LIMITS say how near the model comes today (docs/internals/rules/caches.md); exit status 1 when one is
passed. Standard library only.
"""
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
READ = "dram__bytes_read.sum"
L2_READ = "lts__t_sectors_srcunit_tex_op_read.sum"
# By what is held: mean and largest error. What has none here is told, and not held.
LIMITS = {
    "stays, words": (0.4, 3.0),
    "stays, windows": (3.2, 25.2),
    "fetched by loads": (0.4, 3.6),
    "read by loads": (0.1, 0.1),
    "fetched by prefetches": (11.8, 25.0),
}


def launches_of(tilescope, part, folder):
    """What the program says of each launch, and its counters."""
    profile = os.path.join(folder, part + ".json")
    source = os.path.join(HERE, "..", "..", "bench", "hardware", "policies.cu")
    said = subprocess.run([tilescope, "run", "-q", "--check", "none", "--caches", "on", "--compiler", "nvcc", "--json", profile, source, "--", part],
                          check=True, capture_output=True, text=True).stdout
    with open(profile) as f: counters = [launch["counters"] for launch in json.load(f)["launches"]]
    return list(zip([json.loads(line) for line in said.splitlines() if line.startswith("{")], counters, strict=True))


def stays(about, fetched):
    """In percent of what was kept: what did not come from device memory once more."""
    loaded = sum(about[what] for what in ("kept", "others") if not about[what + " by"].startswith("store"))
    return 100 * (1 - (fetched - loaded) / about["kept"])


def key(about):
    return json.dumps(about, sort_keys=True)


def main():
    tilescope, *parts = sys.argv[1:]
    with open(os.path.join(HERE, "policies-h200.json")) as f: truth = json.load(f)
    measured = {key(about): dict(zip(truth["counters"], counts)) for about, counts in truth["launches"]}
    errors = {}
    with tempfile.TemporaryDirectory() as folder:
        for part in parts:
            for about, ours in launches_of(tilescope, part, folder):
                theirs = measured[key(about)]
                fetched = ours["dram_read_bytes"]
                if "kept" in about:
                    a, b = stays(about, fetched), stays(about, theirs[READ])
                    found = [(f"stays, {part}", a - b, a, b)]
                else:
                    prefetches = about["size"].startswith("prefetch")
                    found = [("fetched by prefetches" if prefetches else "fetched by loads", fetched, theirs[READ])]
                    if not prefetches: found.append(("read by loads", ours["l2_read_sectors"], theirs[L2_READ]))
                    found = [(name, 100 * (a - b) / b, a / about["count"], b / about["count"]) for name, a, b in found]
                for name, error, a, b in found:
                    errors.setdefault(name, []).append(abs(error))
                    print(f"{name:22} {a:7.2f} {b:7.2f}  {' '.join(str(value) for value in about.values())}")
    problems = 0
    for name, found in errors.items():
        mean, most = sum(found) / len(found), max(found)
        limits = LIMITS.get(name, (float("inf"), float("inf")))
        verdict = "ok" if mean <= limits[0] and most <= limits[1] else "BEYOND"
        problems += verdict != "ok"
        print(f"{name} of {len(found)} launches: mean {mean:.2f} of {limits[0]}, most {most:.2f} of {limits[1]}  {verdict}")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
