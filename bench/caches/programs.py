#!/usr/bin/env python3
"""What a run with caches costs: processor time of whole commands with --caches off and on, for 16 programs of usual sizes.

usage: programs.py TILESCOPE [RUNS]

Each command is run once to compile, then RUNS times (3) in turn; the table has the least of each, in seconds of user
and system time with two workers, and the requests that the launches have. Standard library only.
"""
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ("matmul", "transpose", "histogram", "reductions")
USUAL = ("three saxpy of 16 M floats", "transpose of 4,096", "the same, tiled", "naive product of 768", "tiled product of 768",
         "product of 1,024, 4 x 4 a thread", "graph of 262,144 nodes, breadth first", "four stencils of 128 cubed",
         "bitonic sort of 262,144", "four sparse products of 262,144 rows", "four sums of 16 M floats", "3,000 small launches")
REQUESTS = ("global_load_requests", "global_store_requests", "global_atomic_requests", "global_reduction_requests",
            "local_load_requests", "local_store_requests")


def processor_time(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    tool, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3
    programs = [(f"examples/{name}.cu", [f"examples/{name}.cu"]) for name in EXAMPLES]
    programs += [(name, ["-I", str(ROOT), "bench/caches/usual_programs.cu", "--", str(i)]) for i, name in enumerate(USUAL)]
    print("| program | M requests | off, s | on, s | on : off |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, arguments in programs:
            path = pathlib.Path(folder) / "profile.json"
            command = {mode: [tool, "run", "-q", "--compiler", "clang", "--jobs", "2", "--caches", mode, *arguments]
                       for mode in ("off", "on")}
            counting = [*command["off"][:2], "--json", str(path), *command["off"][2:]]
            subprocess.run(counting, check=True, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            launches = json.loads(path.read_text())["launches"]
            requests = sum(launch["counters"].get(counter, 0) for launch in launches for counter in REQUESTS)
            least = {mode: min(processor_time(command[mode]) for _ in range(runs)) for mode in command}
            print(f"| {name} | {requests / 1e6:.2f} | {least['off']:.2f} | {least['on']:.2f} | "
                  f"{least['on'] / least['off']:.1f} |", flush=True)


if __name__ == "__main__":
    main()
