"""Runs one example on the CPU and holds its output and its profile to what a working program shows.

usage: run_example.py TILESCOPE clang|nvcc|executable PROGRAM.cu FOLDER     (77: the compiler is not installed)

FOLDER gets NAME.WAY.json, the profile, and NAME.WAY.txt, what the program printed, for compare_compilers.py; they are gone
when the run failed.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

from tools import nvcc, require


def main():
    tool, way, source, folder = sys.argv[1:]
    require(way)
    kept = pathlib.Path(folder)
    kept.mkdir(parents=True, exist_ok=True)
    name = f"{pathlib.Path(source).stem}.{way}"
    profile, printed = kept / f"{name}.json", kept / f"{name}.txt"
    for path in (profile, printed):
        path.unlink(missing_ok=True)
    options = ["--json", str(profile)]
    with tempfile.TemporaryDirectory() as scratch:
        program = source
        if way == "executable":
            program = str(pathlib.Path(scratch) / "program")
            subprocess.run([nvcc(), "-std=c++17", "-O3", "-arch=sm_80", "-cudart", "shared", "-o", program, source], check=True)
        else:
            options += ["--compiler", way]
        done = subprocess.run([tool, "run", *options, program], capture_output=True, text=True)
    sys.stdout.write(done.stdout)
    sys.stderr.write(done.stderr)
    verdicts = [line.split()[0] for line in done.stdout.splitlines() if line.startswith(("PASS ", "FAIL "))]
    launches = json.loads(profile.read_text())["launches"] if profile.exists() else []

    problems = []
    if done.returncode != 0:
        problems.append(f"exit status {done.returncode}")
    if "PASS" not in verdicts or "FAIL" in verdicts:
        problems.append(f"verdicts {verdicts}")
    if not launches:
        problems.append("no launch in the profile")
    for launch in launches:
        if launch["counters"]["thread_instructions"] == 0:
            problems.append(f"launch {launch['index']} of {launch['kernel']} counted nothing")
    for problem in problems:
        print(f"{source} ({way}): {problem}", file=sys.stderr)
    if problems:
        profile.unlink(missing_ok=True)
        return 1
    printed.write_text(done.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
