"""Runs one example on the CPU and holds its output and its profile to what a working program shows.

usage: run_example.py TILESCOPE clang|nvcc|executable PROGRAM.cu     (77: the compiler is not installed)
"""
import json
import pathlib
import subprocess
import sys
import tempfile

from tools import nvcc, require


def main():
    tool, way, source = sys.argv[1:]
    require(way)
    with tempfile.TemporaryDirectory() as folder:
        profile = pathlib.Path(folder) / "profile.json"
        options = ["--json", str(profile)]
        program = source
        if way == "executable":
            program = str(pathlib.Path(folder) / "program")
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
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
