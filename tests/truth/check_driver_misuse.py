#!/usr/bin/env python3
"""Answers of the driver's calls to misuses against an H200's: bench/hardware/driver_misuse.cpp.

usage: check_driver_misuse.py TILESCOPE     (77: there is no compiler for it)

What stands in driver_misuse_h200.txt behind a ~ is answered otherwise here, for the reason behind it; one that has become
equal is told, too.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
SOURCE = ROOT / "bench" / "hardware" / "driver_misuse.cpp"
NAME_COLUMNS = 52


def main():
    tool = pathlib.Path(sys.argv[1])
    compiler = shutil.which("c++")
    if compiler is None:
        return 77
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "driver_misuse"
        library = tool.parent.parent / "lib" / "tilescope"
        subprocess.run([compiler, "-std=c++20", "-w", f"-I{ROOT / 'scope' / 'image' / 'include'}", "-o", program, SOURCE,
                        f"-L{library}", "-lcuda"], check=True)
        done = subprocess.run([tool, "run", "-q", program], capture_output=True, text=True)
    ours = {line[:NAME_COLUMNS].rstrip(): line[NAME_COLUMNS:].strip() for line in done.stdout.splitlines()}
    problems, equal = [], 0
    for line in (HERE / "driver_misuse_h200.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        name, card, *_ = [part.strip() for part in line.split(" | ")]
        is_known = name.startswith("~ ")
        said = ours.get(name.removeprefix("~ "))
        equal += said == card
        if (said == card) == is_known:
            problems.append(f"{name}: {said} here, {card} on the card")
    print(f"{equal} misuses have the card's answer")
    if problems:
        sys.exit("\n".join(problems) + f"\n{done.stderr[-500:]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
