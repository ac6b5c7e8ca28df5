"""The atomics of machine_atomics.cu count as machine code has them, through every compiler.

usage: check_machine_atomics.py TILESCOPE COMPILER...     (77: none of the compilers is installed)

What machine code makes of them was read off ptxas 13.0's for sm_90, and what sums count as off an H100's counters (November
2026): exchanges stay atomics though nobody
reads their result, sums of 16 bits are a load and as many compare-and-swaps as lanes share a word, sums of floats in shared
memory as many as lanes share a bank, each with an addition. Lanes that part for groups of their own store together.
"""
import sys

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


def problems_of(launches):
    problems = []
    for (kernel, expected), launch in zip(EXPECTED.items(), launches, strict=True):
        for counter, value in expected.items():
            found = launch["counters"].get(counter, 0)
            if found != value:
                problems.append(f"{kernel}: {counter} is {found}, should be {value}")
    return problems


if __name__ == "__main__":
    sys.exit(compilers.check_launches("machine_atomics.cu", problems_of))
