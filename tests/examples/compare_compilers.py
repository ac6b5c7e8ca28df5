"""The same source through clang and through nvcc: same output, same accesses in every launch.

usage: compare_compilers.py TILESCOPE PROGRAM.cu     (77: one of the compilers is not installed)

Compared are the counts that belong to the program: requests, sectors, bytes asked for, wavefronts, conflicts, atomics and
barriers. Instructions belong to the compiler and may differ.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

from tools import require

ACCESSES = ("_requests", "_sectors", "_bytes_requested", "_wavefronts", "_bank_conflicts", "_thread_operations", "barriers")


def run(tool, compiler, source, folder):
    profile = pathlib.Path(folder) / f"{compiler}.json"
    command = [tool, "run", "-q", "--caches", "off", "--compiler", compiler, "--json", str(profile), source]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.stderr.write(done.stderr)
        sys.exit(f"{source} through {compiler}: exit status {done.returncode}")
    verdicts = [line for line in done.stdout.splitlines() if line.startswith(("PASS ", "FAIL "))]
    return verdicts, json.loads(profile.read_text())["launches"]


def main():
    tool, source = sys.argv[1:]
    require("clang")
    require("nvcc")
    with tempfile.TemporaryDirectory() as folder:
        clang_says, clang = run(tool, "clang", source, folder)
        nvcc_says, nvcc = run(tool, "nvcc", source, folder)
    problems = []
    if not clang_says or clang_says != nvcc_says:
        problems.append(f"output differs: {clang_says} and {nvcc_says}")
    if len(clang) != len(nvcc):
        problems.append(f"{len(clang)} launches through clang, {len(nvcc)} through nvcc")
    for a, b in zip(clang, nvcc):
        names = [name for name in {**a["counters"], **b["counters"]} if name.endswith(ACCESSES)]
        for name in names:
            left, right = a["counters"].get(name, 0), b["counters"].get(name, 0)
            if left != right:
                problems.append(f"launch {a['index']} {a['kernel']}: {name} {left} through clang, {right} through nvcc")
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
