"""The atomics of machine_atomics.cu count as machine code has them, through every compiler.

usage: check_machine_atomics.py TILESCOPE COMPILER...     (77: none of the compilers is installed)

What machine code makes of them was read off ptxas 13.0's for sm_90, and what sums count as off an H100's counters (November
2026): exchanges stay atomics though nobody
reads their result, sums of 16 bits are a load and as many compare-and-swaps as lanes share a word, sums of floats in shared
memory as many as lanes share a bank, each with an addition. Lanes that part for groups of their own store together.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import compilers

NOTHING_READ = {"global_reduction_requests": 0, "global_atomic_requests": 1}
EXPECTED = {
    "exch": NOTHING_READ,
    "cas": NOTHING_READ,
    "add": {"global_reduction_requests": 1, "global_atomic_requests": 0},
    "halves": {"global_load_requests": 1, "global_atomic_requests": 2, "global_atomic_sectors": 6,
               "global_reduction_requests": 0},
    # 8 sums of 4 lanes each: 4 + 3 + 2 + 1 additions.
    "shared_float": {"fp32_add": 80, "shared_atomic_requests": 1},
    "labelled": {"global_store_requests": 1},
    "labelled_loop": {"global_store_requests": 4},
}


def main():
    tool, *wanted = sys.argv[1:]
    names = [name for name in wanted if compilers.installed(name)]
    if not names:
        print("skipped: none of " + ", ".join(wanted) + " is installed")
        return compilers.SKIPPED
    source = pathlib.Path(__file__).parent / "machine_atomics.cu"
    problems = []
    for compiler in names:
        with tempfile.TemporaryDirectory() as folder:
            profile = pathlib.Path(folder) / "profile.json"
            command = [tool, "run", "-q", "--compiler", compiler, "--json", str(profile), str(source)]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode != 0 or "PASS" not in done.stdout:
                problems.append(f"{compiler}: exit status {done.returncode}: {done.stdout}{done.stderr}")
                continue
            launches = json.loads(profile.read_text())["launches"]
        for (kernel, expected), launch in zip(EXPECTED.items(), launches, strict=True):
            for counter, value in expected.items():
                found = launch["counters"].get(counter, 0)
                if found != value:
                    problems.append(f"{compiler}: {kernel}: {counter} is {found}, should be {value}")
    for problem in problems:
        print(problem, file=sys.stderr)
    print("atomics through " + ", ".join(names))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
