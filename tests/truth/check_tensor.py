#!/usr/bin/env python3
"""Products of matrices against an H200's: programs of bench/hardware by their digests, and others by their counters.

usage: check_tensor.py TILESCOPE COMPILER values|groups|forms|sparse|rare|loads|counts|copies

Values (mma.sync), groups and forms (wgmma), sparse (both) and rare (forms that few use): every digest has to be the card's. Loads
(ldmatrix and its like), counts (operations, what wgmma reads and the pipe's cycles, dense and sparse) and copies
(cp.async by where they begin): every counter of every launch, but those that LEFT_OUT names, each with its reason.
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


def run(tool, compiler, source, arguments, *options, caches="off"):
    command = [tool, "run", "-q", "--check", "none", "--caches", caches, "--compiler", compiler, "--compile-flags=-std=c++17", *options,
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


def check_forms(tool, compiler):
    """Random forms of wgmma with random descriptors: a program that wgmma_forms.py writes."""
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "wgmma_forms.cu"
        with program.open("w") as text:
            subprocess.run([sys.executable, str(SOURCES / "wgmma_forms.py"), *FORMS], stdout=text, check=True)
        ours = run(tool, compiler, program, [], f"--compile-flags=-I{SOURCES}").splitlines()
    card = [line for line in lines_of("wgmma_forms_h200.txt") if not line.startswith("#")]
    return [f"{line}: not here" for line in card if line not in ours], len(card)


VALUES = [("tensor_values", [CASES])]
SPARSE = [("sparse_values", [CASES]), ("wgmma_sparse_values", ["6"]), ("wgmma_sparse_shapes", []),
          ("wgmma_sparse_operands", ["256"])]
RARE = [("tensor_rare", [CASES])]
GROUPS = [("wgmma_values", ["6"]), ("wgmma_shapes", []), ("wgmma_operands", ["256"])]
FORMS = ["100", "24", "4"]  # of wgmma_forms.py: seed, forms, cases


# Of copies, reads that L2 counts where lanes gather pieces, and of a few others: which of a warp's own are joined hangs
# on how they follow each other, and on which line is wanted first.
GATHERED = ("anywhere", "line_48_32", "line_48_96", "line_80_96", "00000007_line_0_48", "rows_of_4,_16_0,_80", "rows_of_4,_16_0,_96",
            "rows_of_4,_16_0,_112", "rows_of_16,_16_0,_272", "rows_of_16,_16_0,_304", "cg16-256B")
LEFT_OUT = {
    # ptxas takes products of 8-bit floats that do not change out of the loop.
    "tensor_rates": lambda launch, name: launch == "e4m3_k32",
    # The pipe is held for 14 cycles at least, of sparse ones 16; the counter has half a cycle for each column.
    "wgmma_rates": lambda launch, name: name == "tensor" and ("_n8_" in launch or "_n16_" in launch),
    "copy_places": lambda launch, name: name == "l2_read_sectors" and launch.startswith("cg") and any(part in launch for part in GATHERED),
}
PIPE = 0.03  # of its cycles: 6.1 by the clock, 6 by the counter
READS = 1  # of L2's sectors: one of a launch's 16 copies may or may not come along with the one before


def check_counters(tool, compiler, program, arguments, caches="off"):
    with tempfile.TemporaryDirectory() as folder:
        profile = pathlib.Path(folder) / "profile.json"
        run(tool, compiler, f"{program}.cu", arguments, "--json", str(profile), caches=caches)
        launches = json.loads(profile.read_text())["launches"]
    rows = lines_of(f"{program}_h200.txt")
    names = rows[1].removeprefix("# ").split()[:-1]
    problems, left_out = [], LEFT_OUT.get(program, lambda launch, name: False)
    for launch, row in zip(launches, rows[2:], strict=True):
        *values, which = row.split()
        for name, value in zip(names, values):
            if left_out(which, name):
                continue
            is_pipe = name == "tensor" and int(value) != 0
            said = launch["work"]["tensor"] if is_pipe else launch["counters"].get(name, 0)
            within = PIPE * int(value) if is_pipe else READS if name == "l2_read_sectors" else 0
            if abs(said - int(value)) > within:
                problems.append(f"launch {launch['index']} {which}: {name} {said} here, {value} on the card")
    return problems, len(rows) - 2


COUNTERS = {"loads": [("tensor_loads", [])], "counts": [("tensor_rates", ["count"]), ("wgmma_rates", ["count"])],
            "copies": [("copy_places", [], "on")]}


def main():
    tool, compiler, what = sys.argv[1:4]
    if what in COUNTERS:
        found = [check_counters(tool, compiler, *program) for program in COUNTERS[what]]
        problems, count = sum((problems for problems, _ in found), []), sum(count for _, count in found)
    elif what == "forms":
        problems, count = check_forms(tool, compiler)
    else:
        programs = {"values": VALUES, "groups": GROUPS, "sparse": SPARSE, "rare": RARE}[what]
        problems, count = check_digests(tool, compiler, programs)
    print(f"{count} lines, {len(problems)} problems")
    if problems:
        sys.exit("\n".join(problems[:40]))


if __name__ == "__main__":
    main()
