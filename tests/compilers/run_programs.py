"""Programs through one compiler: each must end well, and say PASS and nowhere FAIL.

usage: run_programs.py [--options=OPTIONS] TILESCOPE COMPILER PROGRAM.cu...     (77: the compiler is not installed)

COMPILER is what `--compiler` takes: clang-16, nvcc. Caches are not modelled: what the programs say does not hang on them.
"""
import argparse
import pathlib
import subprocess
import sys

import compilers


def problem_of(tool, compiler, source, options=()):
    """What is wrong with one program, or nothing."""
    done = subprocess.run([tool, "run", "-q", "--caches", "off", "--compiler", compiler, *options, source], capture_output=True, text=True)
    verdicts = [line.split()[0] for line in done.stdout.splitlines() if line.startswith(("PASS ", "FAIL "))]
    if done.returncode != 0 or "PASS" not in verdicts or "FAIL" in verdicts:
        return f"exit status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("compiler")
    parser.add_argument("--options", default="", help="further options of `run`, in one word")
    parser.add_argument("programs", nargs="+")
    asked = parser.parse_args()
    tool, compiler = asked.tool, asked.compiler
    if not compilers.installed(compiler):
        print(f"skipped: {compiler} is not installed")
        return compilers.SKIPPED
    failed = 0
    for source in asked.programs:
        problem = problem_of(tool, compiler, source, asked.options.split())
        print(f"{'failed' if problem else 'passed'}: {pathlib.Path(source).name}")
        if problem:
            print(f"{source} through {compiler}: {problem}", file=sys.stderr)
            failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
