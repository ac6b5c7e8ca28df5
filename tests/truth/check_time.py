#!/usr/bin/env python3
"""Holds the modelled time of a truth program's launches to what an H200, or an H100, took.

usage: check_time.py FOLDER PROGRAM [CARD]     (FOLDER: where run_program.py left its profile; CARD: h200 or h100)

A model is no count: the median and the ninth tenth of the launches' relative errors are held to LIMITS, which say how
near the model comes today (docs/reference/fidelity.md has the figures); launches over 5 microseconds alone, as below that
hardware's own launches differ by a tenth from one to the next. The parts of each breakdown must add up to its time.
Achieved occupancy is held likewise where the card counted it, all launches, in points of 100.
Exit status 1 when one is beyond. Standard library only.
"""
import json
import os
import statistics
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
LEAST = 5  # microseconds
# Programs with files of their own.
OTHERS = ("unseen", "library", "courses", "workshop", "projects", "trades", "services", "textures", "pictures", "tensors")
# By program: percent, of the median launch and of nine tenths of them.
LIMITS = {"unseen": (9, 25), "library": (9, 32), "courses": (8, 28), "workshop": (12, 36), "projects": (15, 40), "trades": (16, 34), "services": (14, 38), "textures": (7, 20), "pictures": (13, 28), "tensors": (12, 28),
          "global": (15, 25), "matmul": (8, 16), "occupancy": (10, 18), "shared": (9, 12)}
# The same on an H100, with its own description (27 November 2026: 4.8 and 9.1, 4.7 and 10.0).
H100 = {"global": (7, 12), "occupancy": (8, 14)}
ACTIVE = "sm__warps_active.avg.pct_of_peak_sustained_active"
OCCUPANCY = {"global": (4, 18), "matmul": (6, 21), "occupancy": (3, 21), "shared": (1, 5), "textures": (4, 12), "pictures": (4, 10), "tensors": (1, 8)}  # points, of both cards


def main():
    folder, program, *card = sys.argv[1:]
    card = card[0] if card else "h200"
    limits = H100 if card == "h100" else LIMITS
    launches = json.load(open(os.path.join(folder, program + ".json")))["launches"]
    measured = f"{program}-h200.json" if program in OTHERS else f"counters-{card}.json"
    truth = [row for row in json.load(open(os.path.join(HERE, measured))) if row["program"] == program]
    errors, points = [], []
    problems = 0
    for row in truth:
        time = launches[row["launch"]]["time"]
        if abs(sum(time["breakdown"].values()) - time["microseconds"]) > 1e-3 * time["microseconds"]:
            print(f"{row.get('case', row['kernel'])}: the parts do not add up to the time")
            problems += 1
        wanted = row["counters"]["gpu__time_duration.sum"] / 1000
        if ACTIVE in row["counters"]:
            points.append(abs(100 * launches[row["launch"]]["occupancy"]["achieved"] - row["counters"][ACTIVE]))
        if wanted > LEAST:
            errors.append((abs(time["microseconds"] - wanted) / wanted, row["case"], time["microseconds"], wanted))
    errors.sort()
    median = 100 * statistics.median(error[0] for error in errors)
    most = 100 * errors[int(0.9 * (len(errors) - 1))][0]
    for error, case, ours, theirs in errors[-5:]:
        print(f"{case:40} {ours:8.2f} us, hardware {theirs:8.2f}  {100 * error:5.1f} %")
    print(f"{program}: {len(errors)} launches over {LEAST} us: median {median:.1f} % of {limits[program][0]}, "
          f"nine tenths {most:.1f} % of {limits[program][1]}")
    if points:
        points.sort()
        middle, nine = statistics.median(points), points[int(0.9 * (len(points) - 1))]
        allowed = OCCUPANCY[program]
        print(f"{program}: achieved occupancy of {len(points)} launches: median {middle:.1f} points of {allowed[0]}, "
              f"nine tenths {nine:.1f} of {allowed[1]}")
        problems += middle > allowed[0] or nine > allowed[1]
    sys.exit(1 if problems or median > limits[program][0] or most > limits[program][1] else 0)


if __name__ == "__main__":
    main()
