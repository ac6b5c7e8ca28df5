#!/usr/bin/env python3
"""Products of matrices against an H200's: programs of bench/hardware by their digests, and tensor_loads.cu by its counters.

usage: check_tensor.py TILESCOPE COMPILER values|groups|sparse|rare|loads

Values (mma.sync), groups (wgmma), sparse (both) and rare (forms that few use): every digest has to be the card's. Loads: every counter of every launch, but those that a line behind a # names.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
SOURCES = HERE.parent.parent / "bench" / "hardware"
CASES = "24"


def lines_of(name):
    return [line for line in (HERE / name).read_text().splitlines() if line]


def run(tool, compiler, source, arguments, *options):
    command = [tool, "run", "-q", "--caches", "off", "--compiler", compiler, "--compile-flags=-std=c++17", *options,
               str(SOURCES / source), "--", *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{source}: exit status {done.returncode}\n{done.stderr[-2000:]}")
    return done.stdout


def check_digests(tool, compiler, programs):
    problems, count = [], 0
    for program, arguments in programs:
        ours = set(run(tool, compiler, f"{program}.cu", arguments).splitlines())
        card = [line for line in lines_of(f"{program}_h200.txt") if not line.startswith("#")]
        problems += [f"{program}: {line}: not here" for line in card if line not in ours]
        count += len(card)
    return problems, count


VALUES = [("tensor_values", [CASES])]
SPARSE = [("sparse_values", [CASES]), ("wgmma_sparse_values", ["6"]), ("wgmma_sparse_shapes", []),
          ("wgmma_sparse_operands", ["256"])]
RARE = [("tensor_rare", [CASES])]
GROUPS = [("wgmma_values", ["6"]), ("wgmma_shapes", []), ("wgmma_operands", ["256"])]


def check_loads(tool, compiler):
    with tempfile.TemporaryDirectory() as folder:
        profile = pathlib.Path(folder) / "profile.json"
        run(tool, compiler, "tensor_loads.cu", [], "--json", str(profile))
        launches = json.loads(profile.read_text())["launches"]
    rows = lines_of("tensor_loads_h200.txt")
    names = rows[1].removeprefix("# ").split()[:-1]
    problems = []
    for launch, row in zip(launches, rows[2:], strict=True):
        *values, kernel = row.split()
        for name, value in zip(names, values):
            said = launch["counters"].get(name, 0)
            if said != int(value):
                problems.append(f"launch {launch['index']} {kernel}: {name} {said} here, {value} on the card")
    return problems, len(rows) - 2


def main():
    tool, compiler, what = sys.argv[1:4]
    if what == "loads":
        problems, count = check_loads(tool, compiler)
    else:
        programs = {"values": VALUES, "groups": GROUPS, "sparse": SPARSE, "rare": RARE}[what]
        problems, count = check_digests(tool, compiler, programs)
    print(f"{count} lines, {len(problems)} problems")
    if problems:
        sys.exit("\n".join(problems[:40]))


if __name__ == "__main__":
    main()
