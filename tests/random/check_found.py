"""Runs the programs in found/, each of which once gave a wrong answer, through every compiler that is installed.

usage: check_found.py TILESCOPE [--ways WAY,...] [NAME...]
"""
import argparse
import pathlib
import subprocess
import sys

from check import SKIPPED, SUMMARY, Way, installed_ways


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("--ways", help="comma between them")
    parser.add_argument("names", nargs="*", help="programs of found/; all of them without")
    options = parser.parse_args()
    ways = [Way(text) for text in (options.ways.split(",") if options.ways else installed_ways())]
    if not ways:
        print("skipped: no compiler on this machine")
        return SKIPPED
    failures = 0
    for source in sorted((pathlib.Path(__file__).parent / "found").glob("*.cu")):
        if options.names and source.stem not in options.names:
            continue
        for way in ways:
            done = subprocess.run(way.command(options.tool, source), capture_output=True, text=True)
            summary = SUMMARY.search(done.stdout)
            if done.returncode == 0 and summary and summary.group(1) == "0":
                continue
            failures += 1
            print(f"{source.name} through {way.text}: {(done.stdout + done.stderr).strip()[:600]}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
