#!/usr/bin/env python3
"""check_tiles.py TILESCOPE PROGRAM.cu COMPILER

Runs the textbook's kernel for several tiles, results a thread and shapes, and holds what `tilescope tile` foretells to
what was counted: elements asked for, phases, padding and shared bytes exactly; sectors of a product without edges and
the shape that --what-if finds, too. Times are estimated and looked at for nothing but being there.
"""
import json
import os
import subprocess
import sys
import tempfile

# Tile, results, n, m, k.
CASES = [(16, 1, 64, 64, 64), (8, 2, 64, 64, 64), (16, 4, 128, 128, 96), (5, 1, 20, 20, 20), (16, 1, 50, 37, 29), (8, 4, 70, 33, 41),
         (32, 1, 64, 64, 64), (4, 8, 64, 64, 32)]


def answer(tilescope, *words):
    return json.loads(subprocess.run([tilescope, *words, "--json", "-"], check=True, capture_output=True, text=True).stdout)


def main():
    tilescope, program, compiler = sys.argv[1:]
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        profile = os.path.join(folder, "profile.json")
        for tile, results, n, m, k in CASES:
            subprocess.run([tilescope, "run", "-q", "--compiler", compiler, "--json", profile, "-D", f"TILE={tile}", "-D",
                            f"RESULTS={results}", program, "--", str(n), str(m), str(k)],
                           check=True, stdout=subprocess.DEVNULL)
            with open(profile, encoding="utf-8") as file:
                launch = json.load(file)["launches"][0]
            row = answer(tilescope, "tile", "--n", str(n), "--m", str(m), "--k", str(k), "--tile", str(tile), "--results",
                         str(results))["tiles"][0]
            counters = launch["counters"]
            phases = counters["barriers"] // (launch["grid"][0] * launch["grid"][1] * ((tile * tile + 31) // 32)) / 2
            checks = {
                "requested elements": (row["requested_elements"], counters["global_load_bytes_requested"] / 4),
                "blocks": (row["blocks"], launch["grid"][0] * launch["grid"][1]),
                "phases": (row["phases"], phases),
                "shared bytes": (row["shared_bytes"], launch["static_shared_bytes"]),
                "padding": (round(row["padding"], 9), round(1 - n * m * k / counters["fp32_fma"], 9)),
                "a time": (row["microseconds"] is not None and row["microseconds"] > 0, True),
            }
            for what, (got, wanted) in checks.items():
                if got != wanted:
                    wrong.append(f"tile {tile}, {results} each, {n} {m} {k}: {what} {got}, not {wanted}")
            if results == 1 and (n, m, k) == (64, 64, 64):
                what_if = answer(tilescope, "tile", "--what-if", profile)
                shape = [what_if["n"], what_if["m"], what_if["k"], what_if["kernel"]["asked_times"]]
                if shape != [64, 64, 64, tile]:
                    wrong.append(f"--what-if of tile {tile}: {shape}")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
