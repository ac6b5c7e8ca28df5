"""CUB and Thrust: programs that use NVIDIA's open headers, Debian's old ones and current ones from a folder.

usage: check_open.py TILESCOPE COMPILER... [--all]     (77: nothing to try it with is installed)

Through the newest clang the cheapest programs; with --all every program through every compiler, which takes minutes of
processor time each (bench/log). nvcc reads the headers of its own toolkit.
"""
import os
import pathlib
import sys

import compilers
import run_programs

HERE = pathlib.Path(__file__).parent / "open"
PROGRAMS = ("block_algorithms", "device_algorithms", "vectors")
CHEAP = {("block_algorithms", "Debian's"), ("block_algorithms", "current"), ("device_algorithms", "current")}


def header_sets(compiler):
    """Pairs of a name and the options that have a compiler read the headers."""
    if compiler == "nvcc":
        return [("the toolkit's", [])]
    sets = []
    if pathlib.Path("/usr/include/cub").is_dir():
        sets.append(("Debian's", []))
    current = pathlib.Path(os.environ.get("CUDA_HOME", "/usr/local/cuda")) / "include/cccl"
    # By the release of clang they choose the PTX that they write, and ask older ones for what those do not have.
    if current.is_dir() and compiler == "clang-19":
        sets.append(("current", ["--cuda-include", str(current)]))
    return sets


def main():
    every = "--all" in sys.argv
    tool, *wanted = [argument for argument in sys.argv[1:] if argument != "--all"]
    found = [compiler for compiler in wanted if compilers.installed(compiler)]
    if not every:
        found = [compiler for compiler in found if compiler != "nvcc"][-1:]
    tried = failed = 0
    for compiler in found:
        for name, options in header_sets(compiler):
            for program in PROGRAMS:
                if not every and (program, name) not in CHEAP:
                    continue
                problem = run_programs.problem_of(tool, compiler, str(HERE / (program + ".cu")), options)
                tried += 1
                failed += problem is not None
                print(f"{'failed' if problem else 'passed'}: {program} through {compiler} with {name} headers", flush=True)
                if problem:
                    print(problem, file=sys.stderr)
    return 1 if failed else 0 if tried else compilers.SKIPPED


if __name__ == "__main__":
    sys.exit(main())
