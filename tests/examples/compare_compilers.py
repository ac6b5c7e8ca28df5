"""The same source through clang and through nvcc: same output, same accesses in every launch.

usage: compare_compilers.py FOLDER NAME     (77: one of the compilers is not installed)

FOLDER is where run_example.py left what it saw of examples/NAME.cu.

Compared are the counts that belong to the program: requests, sectors, bytes asked for, wavefronts, conflicts, atomics and
barriers. Instructions belong to the compiler and may differ, and with them the order in which accesses meet the caches and
where a program's memory begins: what L1, L2 and device memory did is not compared.
"""
import json
import pathlib
import re
import sys

from tools import require

ACCESSES = ("_requests", "_sectors", "_bytes_requested", "_wavefronts", "_bank_conflicts", "_thread_operations", "barriers")
CACHES = re.compile(r"^(l1|l2|dram)_|_l[12]_")


def seen(folder, name, compiler):
    """The verdicts and the launches of the run through `compiler`; nothing when there was none that worked."""
    printed, profile = (pathlib.Path(folder) / f"{name}.{compiler}.{ending}" for ending in ("txt", "json"))
    if not printed.exists():
        sys.exit(f"{printed} is missing: the example's own test has failed, or did not run")
    verdicts = [line for line in printed.read_text().splitlines() if line.startswith(("PASS ", "FAIL "))]
    return verdicts, json.loads(profile.read_text())["launches"]


def main():
    folder, name = sys.argv[1:]
    require("clang")
    require("nvcc")
    clang_says, clang = seen(folder, name, "clang")
    nvcc_says, nvcc = seen(folder, name, "nvcc")
    problems = []
    if not clang_says or clang_says != nvcc_says:
        problems.append(f"output differs: {clang_says} and {nvcc_says}")
    if len(clang) != len(nvcc):
        problems.append(f"{len(clang)} launches through clang, {len(nvcc)} through nvcc")
    for a, b in zip(clang, nvcc):
        names = [name for name in {**a["counters"], **b["counters"]} if name.endswith(ACCESSES) and not CACHES.search(name)]
        for name in names:
            left, right = a["counters"].get(name, 0), b["counters"].get(name, 0)
            if left != right:
                problems.append(f"launch {a['index']} {a['kernel']}: {name} {left} through clang, {right} through nvcc")
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
