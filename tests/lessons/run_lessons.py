"""Runs all lessons and holds every claim to what came out.

usage: run_lessons.py TILESCOPE clang|nvcc     (77: the compiler is not installed)
"""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "examples"))
from tools import require  # noqa: E402


def main():
    tool, way = sys.argv[1:]
    require(way)
    return subprocess.run([tool, "lesson", "--all", "--compiler", way, "-v"]).returncode


if __name__ == "__main__":
    sys.exit(main())
