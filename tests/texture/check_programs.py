#!/usr/bin/env python3
"""Programs as people write them: do they print what they printed on a card, to the letter?

usage: check_programs.py TILESCOPE COMPILER [FOLDER]     (77: the compiler is not installed)

FOLDER/NAME.txt (programs/NAME.txt) is what FOLDER/NAME.cu printed through nvcc on the card of its first line. Each checks itself on the
host as well, and says PASS.
"""
import concurrent.futures
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "compilers"))
import compilers  # noqa: E402


def problem_of(tool, compiler, source):
    done = subprocess.run([tool, "run", "-q", "--caches", "off", "--compiler", compiler, str(source)], capture_output=True, text=True)
    card = [line for line in source.with_suffix(".txt").read_text().splitlines() if not line.startswith("# ")]
    if done.returncode != 0:
        return f"exit status {done.returncode}\n{done.stdout[-1000:]}{done.stderr[-2000:]}"
    if "FAIL" in done.stdout or "PASS" not in done.stdout:
        return done.stdout
    ours = done.stdout.splitlines()
    return None if ours == card else "\n".join(["here:", *ours, "on the card:", *card])


def main():
    tool, compiler = sys.argv[1:3]
    if not compilers.installed(compiler):
        print(f"skipped: {compiler} is not installed")
        return compilers.SKIPPED
    sources = sorted((pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else HERE / "programs").glob("*.cu"))
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        problems = list(pool.map(lambda source: problem_of(tool, compiler, source), sources))
    for source, problem in zip(sources, problems):
        print(f"{'failed' if problem else 'passed'}: {source.stem}")
        if problem:
            print(f"{source} through {compiler}: {problem}", file=sys.stderr)
    return 1 if any(problems) or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
