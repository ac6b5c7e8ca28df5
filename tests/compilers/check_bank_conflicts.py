"""The shared accesses of bank_conflicts.cu are counted, and alike through every compiler.

usage: check_bank_conflicts.py TILESCOPE COMPILER...     (77: none of the compilers is installed)

A warp of 32 lanes at a stride of s words, a power of two, needs s passes over the 32 banks.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import compilers

STRIDES = [1, 2, 4, 8, 16, 32]


def main():
    tool, *wanted = sys.argv[1:]
    names = [name for name in wanted if compilers.installed(name)]
    if not names:
        print("skipped: none of " + ", ".join(wanted) + " is installed")
        return compilers.SKIPPED
    source = pathlib.Path(__file__).parent / "bank_conflicts.cu"
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
        for stride, launch in zip(STRIDES, launches, strict=True):
            for access in ("load", "store"):
                found = launch["counters"].get(f"shared_{access}_wavefronts")
                if found != stride:
                    problems.append(f"{compiler}: stride {stride}: {found} wavefronts of shared {access}s")
    for problem in problems:
        print(problem, file=sys.stderr)
    print("bank conflicts through " + ", ".join(names))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
