"""Programs that print digests of what CUDA's headers give, through clang with tilescope's headers and nvcc with its own: a
line for each function, which must be the same.

usage: check_digests.py TILESCOPE COMPILER... [--all]     (77: fewer than two of the compilers are installed)

Some of the programs go through the newest clang and nvcc; --all tries every program and compiler.
"""
import pathlib
import subprocess
import sys

import compilers

PROGRAMS = ["small_floats", "simd_words", "random_numbers", "group_functions", "mbarriers"]
BY_HAND = ["byte_floats", "complex_numbers", "ordered_atomics", "matrix_fragments", "library_atomics", "library_types"]
HERE = pathlib.Path(__file__).parent


def digests(tool, compiler, program):
    """What the program prints, by all of a line but its last word; or what went wrong."""
    done = subprocess.run([tool, "run", "-q", "--caches", "off", "--compiler", compiler, str(HERE / f"{program}.cu")],
                          capture_output=True, text=True)
    if done.returncode != 0 or "FAILED" in done.stdout or not done.stdout:
        return None, f"exit status {done.returncode}\n{done.stdout[-500:]}{done.stderr[-2000:]}"
    return dict(line.rsplit(" ", 1) for line in done.stdout.splitlines()), None


def main():
    everything = "--all" in sys.argv
    tool, *names = (argument for argument in sys.argv[1:] if argument != "--all")
    found = [name for name in names if compilers.installed(name)]
    clangs = [name for name in found if name != "nvcc"]
    tried = [name for name in reversed(found) if everything or name in ("nvcc", *clangs[-1:])]
    if len(tried) < 2:
        print("skipped: fewer than two of the compilers are installed")
        return compilers.SKIPPED
    failed = 0
    for program in PROGRAMS + BY_HAND * everything:
        reference = None
        for compiler in tried:
            result, problem = digests(tool, compiler, program)
            if problem:
                print(f"{program} through {compiler}: {problem}", file=sys.stderr)
                failed += 1
            elif reference is None:
                reference = result
            elif different := [name for name in reference.keys() | result.keys() if reference.get(name) != result.get(name)]:
                print(f"{program} through {compiler} and {tried[0]}: different: {', '.join(sorted(different))}", file=sys.stderr)
                failed += 1
        print(f"{program}: {len(reference or {})} digests through {', '.join(tried)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
