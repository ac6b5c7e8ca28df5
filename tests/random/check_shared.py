"""Runs random programs about shared memory (shared_programs.py) through tilescope, and counts those that are wrong.

usage: check_shared.py TILESCOPE [--ways WAY,...] [--seeds FIRST..LAST] [--each N] [--check KINDS] [--products] [--folder FOLDER]

A way is a compiler as --compiler takes it, and flags for it behind a colon, as in check.py. Without --ways: every compiler
that is installed. With --check the programs also run with that option, and any hazard fails them: they have none. With --products
each multiplies matrices by wgmma. Ends with status 1 if a program failed, and 77 if there is no compiler.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

from check import RUN_LIMIT, SKIPPED, Table, Way, failures_in, installed_ways, seeds
from shared_programs import write_file


def hazards_in(profile, programs):
    """The programs that had a hazard, by seed."""
    failed = {}
    for program, launch in zip(programs, json.loads(profile.read_text())["launches"]):
        for hazard in launch.get("hazards", []):
            failed.setdefault(program.seed, f"hazard: {hazard.get('message', hazard.get('kind'))}")
    return failed


def check_file(tool, way, source, programs, kinds):
    with tempfile.TemporaryDirectory() as folder:
        profile = pathlib.Path(folder) / "profile.json"
        options = ["--caches", "off", "--json", str(profile), *(["--check", kinds] if kinds else [])]
        try:
            done = subprocess.run(way.command(tool, source, *options), capture_output=True, text=True, timeout=RUN_LIMIT)
        except subprocess.TimeoutExpired:
            return {program.seed: f"the file took more than {RUN_LIMIT} s" for program in programs}
        failed = failures_in(done.stdout + done.stderr, programs)
        if failed:
            print(done.stderr.strip()[:2000], file=sys.stderr)
        if kinds and profile.exists():
            failed = {**hazards_in(profile, programs), **failed}
        return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("--ways", help="comma between them")
    parser.add_argument("--seeds", type=seeds, default=range(1, 1001))
    parser.add_argument("--each", type=int, default=50, help="programs in a file")
    parser.add_argument("--check", help="kinds of hazards, as --check takes them")
    parser.add_argument("--products", action="store_true", help="programs with wgmma")
    parser.add_argument("--folder", type=pathlib.Path, help="keep the sources here")
    options = parser.parse_args()
    ways = [Way(text) for text in (options.ways.split(",") if options.ways else installed_ways())]
    if not ways:
        print("skipped: no compiler on this machine")
        return SKIPPED
    table = Table(ways)
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        wanted = list(options.seeds)
        for start in range(0, len(wanted), options.each):
            source = folder / f"shared_{wanted[start]}.cu"
            programs = write_file(source, wanted[start:start + options.each], options.products)
            for way in ways:
                failed = check_file(options.tool, way, source, programs, options.check)
                table.add(way, programs, failed, [])
                for seed, what in failed.items():
                    print(f"{way.text}: program {seed}: {what}", flush=True)
    print(table.text())
    return 1 if table.failures() else 0


if __name__ == "__main__":
    sys.exit(main())
