"""Runs random programs through tilescope, by several compilers, and counts those that are wrong.

usage: check.py TILESCOPE [--ways WAY,... | --compiler NAME] [--seeds FIRST..LAST] [--more N] [--each N] [--folder FOLDER] [--half]

A way is a compiler as --compiler takes it, and flags for it behind a colon: clang, clang-14, nvcc, clang-19:-O0. Without
--ways: every compiler that is installed, or only the ways of --compiler. Each program's results must be those of its reference, its profile the same with
one worker as with two, and the bytes its threads store those that the generator counts. --more adds N programs,
whose seeds TILESCOPE_TEST_SEED chooses (scripts/test --seed sets it; 1 without it). A program of these that kills the compiler itself (a part of it ends
by a signal) is counted apart and fails nothing; programs that share its file run without it. With --half the programs have
half precision, as much of it as the compiler has. Ends with status 1 if a program
failed, and 77 if there is no compiler.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor, as_completed

from generate import seeds, write_files
from words import PLAIN, of_compiler

SKIPPED = 77  # ctest's SKIP_RETURN_CODE
WRONG = re.compile(r"^WRONG program (\d+): (.*)$", re.MULTILINE)
SUMMARY = re.compile(r"^(?:OK|FAILED): (\d+) of (\d+) programs wrong$", re.MULTILINE)
COMPILER_DIED = re.compile(r"Segmentation fault|Illegal instruction|Aborted|died due to signal|frontend command failed due to signal")
RUN_LIMIT = 600  # seconds for a file


class Way:
    """A compiler and flags for it. The reference is not optimised: that is quicker, and one thing less to trust."""

    def __init__(self, text):
        self.text = text
        self.compiler, _, flags = text.partition(":")
        self.flags = flags.split()
        if not any(flag.startswith("-O") for flag in self.flags):
            self.flags.append("-O3")
        if "-O0" in self.flags and "clang" in self.compiler:  # clang then makes code for a debugger
            self.flags.append("-DRANDOM_FUSES_NOTHING")
        # Without the second, GCC 12 takes 0.0f - (float)n for -(float)n, and so 0 for -0.
        self.flags.append("-Xcompiler=-O0,-frounding-math" if "nvcc" in self.compiler else "-Xarch_host -O0")

    def words(self, half):
        return of_compiler(self.compiler) if half else PLAIN

    def command(self, tool, source, *options):
        flags = [f"--compile-flags={flag}" for flag in self.flags]
        return [tool, "run", "-q", "--no-ptxas", "--compiler", self.compiler, *flags, *options, str(source)]


def installed_ways():
    ways = [f"clang-{release}" for release in range(19, 13, -1) if shutil.which(f"clang++-{release}")]
    if not ways and shutil.which("clang++"):
        ways = ["clang"]
    if ways:
        ways.append(ways[0] + ":-O0")
    if shutil.which("nvcc") or pathlib.Path("/usr/local/cuda/bin/nvcc").exists():
        ways += ["nvcc", "nvcc:-O0 -Xcicc=-O0"]
    return ways


def without_times(profile):
    """What must not depend on the number of workers."""
    return [{name: value for name, value in launch.items() if name not in ("time", "wall_seconds")}
            for launch in profile["launches"]]


def failures_in(output, programs):
    """What a run says of each program that failed, by seed."""
    failed = {int(seed): text for seed, text in WRONG.findall(output)}
    summary = SUMMARY.search(output)
    if not summary or int(summary.group(2)) != len(programs):
        tail = output.strip().splitlines()[-1:] or ["no output"]
        failed.update({program.seed: f"the file did not run to its end: {tail[0]}" for program in programs if not failed})
    return failed


def wrong_counts(programs, single, double):
    """Programs whose profile depends on the number of workers, or counts other bytes than the threads stored."""
    failed = {}
    one, two = without_times(single), without_times(double)
    if not len(one) == len(two) == len(programs):  # some were not launched, which their results say
        return {}
    for program, launch, other in zip(programs, one, two):
        if launch != other:
            names = [name for name in launch if launch[name] != other.get(name)]
            failed[program.seed] = f"the profile depends on --jobs: {', '.join(names)}"
        stored = launch["counters"].get("global_store_bytes_requested", 0)
        if program.bytes_stored is not None and stored != program.bytes_stored:
            failed[program.seed] = f"counts {stored} bytes stored, not {program.bytes_stored}"
    return failed


class CompilerDied(Exception):
    """A part of the compiler ended by a signal: it has no result that could be right or wrong."""


def check_file(tool, way, source, programs, quiet=False):
    """Failures of one file by one way: {seed: what is wrong}. What tilescope says of them goes to standard error."""
    failed, profiles = {}, []
    with tempfile.TemporaryDirectory() as folder:
        for jobs in (1, 2):
            profile = pathlib.Path(folder) / f"{jobs}.json"
            command = way.command(tool, source, "--jobs", str(jobs), "--json", str(profile))
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=RUN_LIMIT)
            except subprocess.TimeoutExpired:
                return {program.seed: f"the file took more than {RUN_LIMIT} s" for program in programs}
            if "[image-compile]" in done.stderr and COMPILER_DIED.search(done.stderr):
                raise CompilerDied
            failed.update(failures_in(done.stdout + done.stderr, programs))
            if failed and not quiet:
                print(done.stderr.strip()[:2000], file=sys.stderr)
            if len(failed) == len(programs) or not profile.exists():
                return failed
            profiles.append(json.loads(profile.read_text()))
    return {**wrong_counts(programs, *profiles), **failed}


def check_apart(tool, way, source, programs, words, more):
    """Failures as of check_file, and the seeds of `more` that killed the compiler; others that did so have failed."""
    try:
        return check_file(tool, way, source, programs), []
    except CompilerDied:
        pass
    failed, deadly = {}, []
    with tempfile.TemporaryDirectory() as folder:
        for alone, (program,) in write_files(pathlib.Path(folder), [program.seed for program in programs], 1, words):
            try:
                failed.update(check_file(tool, way, alone, [program]))
            except CompilerDied:
                if program.seed in more:
                    deadly.append(program.seed)
                else:
                    failed[program.seed] = "the compiler died of it"
    return failed, deadly


def more_seeds(number):
    """`number` seeds that TILESCOPE_TEST_SEED chooses, far from those of fixed sets."""
    first = 1_000_000 + int(os.environ.get("TILESCOPE_TEST_SEED") or 1) * 1_000
    return list(range(first, first + number))


class Table:
    """Programs and failures by way."""

    def __init__(self, ways):
        self.rows = {way.text: [0, {}, []] for way in ways}

    def add(self, way, programs, failed, deadly):
        row = self.rows[way.text]
        row[0] += len(programs)
        row[1].update(failed)
        row[2] += deadly

    def failures(self):
        return sum(len(failed) for _, failed, _ in self.rows.values())

    def text(self):
        lines = [f"{'compiler':24} {'programs':>8} {'wrong':>6} {'unbuilt':>8}"]
        for name, (programs, failed, deadly) in self.rows.items():
            lines.append(f"{name:24} {programs:8} {len(failed):6} {len(deadly):8}")
            lines += [f"    program {seed}: {what}" for seed, what in sorted(failed.items())]
            lines += [f"    program {seed}: the compiler died of it" for seed in sorted(deadly)]
        return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("--ways", help="comma between them")
    parser.add_argument("--seeds", type=seeds, default=range(1, 1001))
    parser.add_argument("--compiler", help="only the ways of this compiler, if it is installed")
    parser.add_argument("--more", type=int, default=0, help="this many more, whose seeds TILESCOPE_TEST_SEED chooses")
    parser.add_argument("--each", type=int, default=25, help="programs in a file")
    parser.add_argument("--half", action="store_true", help="programs with half precision")
    parser.add_argument("--folder", type=pathlib.Path, help="keep the sources here")
    options = parser.parse_args()
    ways = [Way(text) for text in (options.ways.split(",") if options.ways else installed_ways())]
    if options.compiler:
        ways = [way for way in ways if way.compiler == options.compiler]
    if not ways:
        print("skipped: no compiler on this machine" if not options.compiler else f"skipped: {options.compiler} is not installed")
        return SKIPPED
    more = more_seeds(options.more)
    chosen = [*options.seeds, *more]
    table = Table(ways)
    with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(os.cpu_count()) as pool:
        begun = {}
        folder = options.folder or pathlib.Path(temporary)
        for words in dict.fromkeys(way.words(options.half) for way in ways):
            for source, programs in write_files(folder, chosen, options.each, words):
                for way in ways:
                    if way.words(options.half) is words:
                        begun[pool.submit(check_apart, options.tool, way, source, programs, words, more)] = way, programs
        for done in as_completed(begun):
            way, programs = begun[done]
            failed, deadly = done.result()
            table.add(way, programs, failed, deadly)
            for seed, what in failed.items():
                print(f"{way.text}: program {seed}: {what}", flush=True)
    print(table.text())
    return 1 if table.failures() else 0


if __name__ == "__main__":
    sys.exit(main())
