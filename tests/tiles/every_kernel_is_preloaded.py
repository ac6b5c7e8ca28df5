#!/usr/bin/env python3
"""Every kernel in the library is on the list that tiles::prepare() loads: its launch names it as preloaded<f>().

usage: every_kernel_is_preloaded.py libtiles.a

Compares, object by object, the names under which nvcc registers kernels with the entries of the list. Needs nm and
readelf, and no GPU.
"""

import re
import subprocess
import sys

OBJECT = re.compile(r"^(?:File: .*\((\S+\.o)\)|(\S+\.o):)$")
KERNEL = re.compile(r"^ *\[ *[0-9a-f]+\] +(_Z\w+)$")
ENTRY = re.compile(r" [bBdDuV] (tiles::Preloaded<.*>::kEntry)$")


def by_object(command: list[str], wanted: re.Pattern) -> dict[str, set[str]]:
    """What `wanted` finds in the output of a binutils command, by the object that it stands under."""
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found, name = {}, ""
    for line in text.splitlines():
        if heading := OBJECT.match(line):
            name = heading[1] or heading[2]
        elif match := wanted.search(line):
            found.setdefault(name, set()).add(match[1])
    return found


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    sections = [word for name in (".rodata", ".rodata.str1.1", ".rodata.str1.8") for word in ("-p", name)]
    kernels = by_object(["readelf", "--wide", *sections, sys.argv[1]], KERNEL)
    entries = by_object(["nm", "-C", sys.argv[1]], ENTRY)
    failed = 0
    for name, names in kernels.items():
        listed = entries.get(name, set())
        if len(names) != len(listed):
            failed += 1
            heading = f"{name}: {len(names)} kernels, {len(listed)} of them preloaded"
            print(heading, *sorted(names), *sorted(listed), sep="\n  ")
    print(f"{sum(map(len, kernels.values()))} kernels in {len(kernels)} objects, {failed} objects with others")
    return 1 if failed or not kernels else 0


if __name__ == "__main__":
    sys.exit(main())
