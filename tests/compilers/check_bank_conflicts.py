"""The shared accesses of bank_conflicts.cu are counted, and alike through every compiler.

usage: check_bank_conflicts.py TILESCOPE COMPILER...     (77: none of the compilers is installed)

A warp of 32 lanes at a stride of s words, a power of two, needs s passes over the 32 banks.
"""
import sys

import compilers

STRIDES = [1, 2, 4, 8, 16, 32]


def problems_of(launches):
    problems = []
    for stride, launch in zip(STRIDES, launches, strict=True):
        for access in ("load", "store"):
            found = launch["counters"].get(f"shared_{access}_wavefronts")
            if found != stride:
                problems.append(f"stride {stride}: {found} wavefronts of shared {access}s")
    return problems


if __name__ == "__main__":
    sys.exit(compilers.check_launches("bank_conflicts.cu", problems_of))
