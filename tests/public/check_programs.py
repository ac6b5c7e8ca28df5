"""Programs like public ones, with the same includes and CUDA calls, through one compiler: do they do what programs.txt says?

usage: check_programs.py TILESCOPE COMPILER [NAME...]     (77: the compiler is not installed, or the headers of NVIDIA)

Runs the programs named, or all of them. A program that "runs" has to end with status 0 and to say PASS and nowhere FAIL; one that "names WHAT" has to end
with an error that holds WHAT. Programs of CUB and Thrust include NVIDIA's open headers (libcub-dev,
libthrust-dev); the check skips these programs when the headers are not installed.
"""
import argparse
import pathlib
import shlex
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "compilers"))
import compilers  # noqa: E402

SOURCES = {".cu", ".cpp"}
OPEN_HEADERS = pathlib.Path("/usr/include/cub")
# What a linker would be asked for, or what chooses a machine: of no use where nothing is linked and nothing is there. The
# driver (-lcuda) is ours.
PASSED_OVER = ("-l", "-L", "-arch", "-gencode", "--use_fast_math")


def programs():
    """Rows of the list: name, source, flags, expected."""
    for line in (HERE / "programs.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            yield [part.strip() for part in line.split("|")]


def files_of(name):
    """The files of one program, the one with main first."""
    folder = HERE / "programs" / name
    if not folder.is_dir():
        return [folder.parent / (name + ".cu")]
    return sorted((path for path in folder.iterdir() if path.suffix in SOURCES), key=lambda path: (path.stem != "main", path.name))


def run(tool, compiler, name, flags):
    given = [flag for flag in shlex.split(flags if flags != "-" else "") if flag == "-lcuda" or not flag.startswith(PASSED_OVER)]
    options = ["--compile-flags=" + shlex.join(given)] if given else []
    return subprocess.run([tool, "run", "-q", "--caches", "off", "--compiler", compiler, "-I", str(HERE / "helpers"), *options,
                           *map(str, files_of(name))], capture_output=True, text=True)


def problem_of(done, expected):
    """What is wrong with one run, or nothing."""
    if expected == "runs":
        words = done.stdout.split()
        well = done.returncode == 0 and "PASS" in words and "FAIL" not in words
    else:
        well = done.returncode != 0 and expected.removeprefix("names ") in done.stderr
    return None if well else f"exit status {done.returncode}\n{done.stdout[-1000:]}{done.stderr[-2000:]}"


def needs_open_headers(name):
    return any(f"<{word}/" in path.read_text() for path in files_of(name) for word in ("cub", "thrust"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("compiler")
    parser.add_argument("names", nargs="*")
    asked = parser.parse_args()
    if not compilers.installed(asked.compiler):
        print(f"skipped: {asked.compiler} is not installed")
        return compilers.SKIPPED
    rows = list(programs())
    if asked.names:
        rows = [row for row in rows if row[0] in asked.names]
        if missing := set(asked.names) - {row[0] for row in rows}:
            parser.error("programs.txt does not list " + ", ".join(sorted(missing)))
    failed, ran, named, skipped = 0, 0, 0, 0
    for name, source, flags, expected in rows:
        if needs_open_headers(name) and not OPEN_HEADERS.is_dir():
            print(f"skipped: {name} (no libcub-dev, no libthrust-dev)")
            skipped += 1
            continue
        problem = problem_of(run(asked.tool, asked.compiler, name, flags), expected)
        failed += problem is not None
        ran += problem is None and expected == "runs"
        named += problem is None and expected != "runs"
        print(f"{'failed' if problem else 'passed'}: {name}: {expected} (like {source})", flush=True)
        if problem:
            print(f"{name}: {problem}", file=sys.stderr, flush=True)
    print(f"{ran} of {len(rows)} ran, {named} ended with the name of what is lacking, {failed} did otherwise")
    return 1 if failed else compilers.SKIPPED if skipped == len(rows) else 0


if __name__ == "__main__":
    sys.exit(main())
