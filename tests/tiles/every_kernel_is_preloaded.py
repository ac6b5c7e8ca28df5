#!/usr/bin/env python3
"""Every kernel in the library is on the list that tiles::prepare() loads: its launch names it as preloaded<f>().

usage: every_kernel_is_preloaded.py libtiles.a

Compares, object by object, the stubs that nvcc made for kernels with the entries of the list. Needs nm, and no GPU.
"""

import re
import subprocess
import sys

OBJECT = re.compile(r"^(\S+\.o):$")
STUB = re.compile(r" [tTwW] __device_stub__\w+\(")
ENTRY = re.compile(r" [bBdDuV] tiles::Preloaded<.*>::kEntry$")


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    text = subprocess.run(["nm", "-C", sys.argv[1]], check=True, capture_output=True, text=True).stdout
    kernels, entries = {}, {}
    name = ""
    for line in text.splitlines():
        if found := OBJECT.match(line):
            name = found[1]
        elif STUB.search(line):
            kernels.setdefault(name, []).append(line.split(maxsplit=2)[2])
        elif ENTRY.search(line):
            entries.setdefault(name, []).append(line.split(maxsplit=2)[2])
    failed = 0
    for name, stubs in kernels.items():
        listed = entries.get(name, [])
        if len(stubs) != len(listed):
            failed += 1
            print(f"{name}: {len(stubs)} kernels, {len(listed)} of them preloaded", *stubs, *listed, sep="\n  ")
    print(f"{sum(map(len, kernels.values()))} kernels in {len(kernels)} objects, {failed} objects with others")
    return 1 if failed or not kernels else 0


if __name__ == "__main__":
    sys.exit(main())
