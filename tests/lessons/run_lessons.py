"""Runs all lessons and holds every claim to what came out.

usage: run_lessons.py TILESCOPE clang|nvcc FOLDER     (77: the compiler is not installed)

FOLDER gets lessons.json and pages/, of which scripts/book makes its pages; it is empty when a claim does not hold.
"""
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "examples"))
from tools import require  # noqa: E402


def main():
    tool, way, kept = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    require(way)
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir(parents=True)
    status = subprocess.run([tool, "lesson", "--all", "--compiler", way, "-v", "--json", kept / "lessons.json", "--pictures",
                             kept / "pages"]).returncode
    if status != 0:
        shutil.rmtree(kept)
    return status


if __name__ == "__main__":
    sys.exit(main())
