#!/usr/bin/env python3
"""Two runs of one program give one profile, byte by byte but for the time that the runs themselves took.

usage: run_twice.py TILESCOPE COMPILER PROGRAM.cu...     (77: the compiler is not installed)

What a program prints must be the same, too.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "compilers"))
import compilers  # noqa: E402

WALL = re.compile(rb'"seconds": ?[0-9.e+-]+')  # of the emulation and of the run


def run(tool, compiler, source, folder, number):
    profile = os.path.join(folder, f"{number}.json")
    done = subprocess.run([tool, "run", "-q", "--compiler", compiler, "--json", profile, source], capture_output=True)
    with open(profile, "rb") as file:
        return WALL.sub(b"", file.read().replace(profile.encode(), b"")), done.returncode, done.stdout


def difference(one, other):
    """The first line that differs, for the message."""
    for a, b in zip(one.splitlines(), other.splitlines()):
        if a != b:
            return f"{a.decode(errors='replace').strip()[:200]} | {b.decode(errors='replace').strip()[:200]}"
    return f"{len(one)} and {len(other)} bytes"


def main():
    tool, compiler, *sources = sys.argv[1:]
    if not compilers.installed(compiler):
        print(f"skipped: {compiler} is not installed")
        return compilers.SKIPPED
    failed = 0
    for source in sources:
        name = pathlib.Path(source).name
        with tempfile.TemporaryDirectory() as folder:
            (one, status, printed), (other, status_again, printed_again) = (
                run(tool, compiler, source, folder, number) for number in range(2))
        what = [text for text, same in ((f"profile: {difference(one, other)}", one == other),
                                        (f"exit status {status} and {status_again}", status == status_again),
                                        (f"output: {difference(printed, printed_again)}", printed == printed_again)) if not same]
        print(f"{'differs' if what else 'alike'}: {name} {'; '.join(what)}", flush=True)
        failed += bool(what)
    print(f"{len(sources)} programs, {failed} differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
