#!/usr/bin/env python3
"""What each advised change of tests/advice/pairs gains on the card of this machine.

Builds every program there (nvcc -arch=native, else sm_90), runs it with --time, and writes the medians with the card's
name and the day as JSON. The table on stderr has the pairs: microseconds before and after, the time saved and what an
empty kernel takes between two events (the floor, which is in every figure that events measured). A program that does not
build, fails or takes too long is told of, and the others go on; the exit status is then 1, and so it is if a change makes
the card slower.

usage: measure_advice_pairs.py [FILE] [--only GLOB] [--arch ARCH] [--nvcc NVCC] [--keep-in PAIRS.JSON]
       measure_advice_pairs.py --lines
  FILE       where the JSON goes (default: stdout)
  --lines    no card: find the marks `// fault: NAME` again and write their lines into pairs.json

Standard library only.
"""
import argparse
import datetime
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "tests/advice/pairs"
LIST = FOLDER / "pairs.json"
SHORT_US = 5.0  # what is shorter says more of launches than of kernels
FAULT = re.compile(r"// fault: (\w+)")
TIME = re.compile(r"(time|wall) (\w+) ([\d.]+) ([\d.]+)$")


def said(command, limit=60):
    """First line of what a command says, or nothing."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip().splitlines()[0] if done.returncode == 0 and done.stdout.strip() else ""


def card():
    fields = said(["nvidia-smi", "--query-gpu=name,driver_version,clocks.max.sm", "--format=csv,noheader"]).split(", ")
    return dict(zip(("name", "driver", "most_clock"), fields)) if len(fields) == 3 else {"name": "unknown"}


def compiler(name):
    found = shutil.which(name) or shutil.which("/usr/local/cuda/bin/nvcc")
    if not found:
        sys.exit(f"measure_advice_pairs.py: no {name} here")
    return found


def build(nvcc, source, program, architectures):
    """Why it could not be built, or nothing."""
    why = ""
    for architecture in architectures:
        command = [nvcc, "-std=c++17", f"-arch={architecture}", "-O3", "-lineinfo", "-o", str(program), str(source)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=600)
        except subprocess.TimeoutExpired:
            why = "the compiler took more than 600 s"
            continue
        if done.returncode == 0:
            return ""
        why = (done.stderr or done.stdout).strip()[-2000:]
    return f"does not build: {why}"


def run(program, limit):
    """Times of its kernels, what its empty kernel took, and why it failed or nothing."""
    try:
        done = subprocess.run([str(program), "--time"], capture_output=True, text=True, timeout=limit)
        output, why = done.stdout, ""
        if done.returncode != 0:
            told = [line for line in output.splitlines() if line.startswith("WRONG")] + done.stderr.strip().splitlines()
            why = f"exit status {done.returncode}: " + "; ".join(told)[-2000:]
    except subprocess.TimeoutExpired as late:
        output = late.stdout.decode() if isinstance(late.stdout, bytes) else late.stdout or ""
        why = f"took more than {limit} s"
    except OSError as error:
        return {}, None, str(error)
    kernels, floor = {}, None
    for match in filter(None, map(TIME.match, output.splitlines())):
        clock, name, median, least = match.groups()
        if name == "floor":
            floor = float(median)
        else:
            clock = "host" if clock == "wall" else "events"
            kernels[name] = {"median_us": float(median), "min_us": float(least), "clock": clock}
    return kernels, floor, why


def measure(options):
    nvcc = compiler(options.nvcc)
    architectures = [options.arch] if options.arch else ["native", "sm_90"]
    result = {"card": card(), "date": datetime.date.today().isoformat(), "nvcc": said([nvcc, "--version"]) and
              subprocess.run([nvcc, "--version"], capture_output=True, text=True).stdout.strip().splitlines()[-1],
              "l2": "warm", "launches": 21, "floor_us": {}, "kernels": {}, "failed": {}}
    with tempfile.TemporaryDirectory() as scratch:
        for source in sorted(FOLDER.glob(options.only)):
            program = pathlib.Path(scratch) / source.stem
            print(f"{source.name} ...", file=sys.stderr, flush=True)
            why = build(nvcc, source, program, architectures)
            if not why:
                kernels, floor, why = run(program, options.limit)
                result["kernels"].update(kernels)
                if floor is not None:
                    result["floor_us"][source.name] = floor
                program.unlink(missing_ok=True)
            if why:
                result["failed"][source.name] = why
                print(f"{source.name}: {why}", file=sys.stderr)
    return result


def table(result, listed):
    """Prints what the pairs gain; how many are slower for their change."""
    kernels, slower = result["kernels"], 0
    print(f"\n{result['card']['name']}, {result['date']}; microseconds, medians of {result['launches']}", file=sys.stderr)
    print(f"{'pair':24} {'rule':15} {'before':>10} {'after':>10} {'saved':>7} {'floor':>6}", file=sys.stderr)
    for pair in listed["pairs"]:
        before, after = (kernels.get(f"{pair['name']}_{side}") for side in ("before", "after"))
        if not before or not after:
            if pair["file"] in result["failed"]:
                print(f"{pair['name']:24} {pair['rule']:15} {'not measured':>21}", file=sys.stderr)
            continue
        first, second = before["median_us"], after["median_us"]
        floor = result["floor_us"].get(pair["file"], 0) if before["clock"] == "events" else 0
        notes = []
        if second > first:
            notes.append("SLOWER")
            slower += 1
        elif second > 0.9 * first:
            notes.append("hardly a gain")
        if second < SHORT_US:
            notes.append("short")
        print(f"{pair['name']:24} {pair['rule']:15} {first:10.2f} {second:10.2f} {1 - second / first:7.1%} {floor:6.2f}"
              f" {', '.join(notes)}", file=sys.stderr)
    for good in listed["good"]:
        if good["name"] in kernels:
            time = kernels[good["name"]]["median_us"]
            print(f"{good['name']:24} {'good':15} {time:10.2f}{'  short' if time < SHORT_US else ''}", file=sys.stderr)
    return slower


def keep(result, listed, path):
    """Writes the medians into a list of pairs."""
    kernels = result["kernels"]
    listed["card"], listed["measured"] = result["card"]["name"], result["date"]
    here = "h200" if "H200" in result["card"]["name"] else "h100"
    for pair in listed["pairs"]:
        for side in ("before", "after"):
            if f"{pair['name']}_{side}" in kernels:
                pair.pop(f"{'h100' if here == 'h200' else 'h200'}_{side}_us", None)
                pair[f"{here}_{side}_us"] = kernels[f"{pair['name']}_{side}"]["median_us"]
    for good in listed["good"]:
        if good["name"] in kernels:
            good.pop("h100_us" if here == "h200" else "h200_us", None)
            good[f"{here}_us"] = kernels[good["name"]]["median_us"]
    write(listed, path)


def write(listed, path):
    """One entry a line, so that a change of one shows as one."""
    lines = []
    for key, value in listed.items():
        if isinstance(value, list):
            entries = ",\n".join("    " + json.dumps(entry) for entry in value)
            lines.append(f"  {json.dumps(key)}: [\n{entries}\n  ]")
        else:
            lines.append(f"  {json.dumps(key)}: {json.dumps(value)}")
    pathlib.Path(path).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def find_lines(listed):
    """Lines of the faults, from the marks; how many entries and marks have no partner."""
    marks = {}
    for source in sorted(FOLDER.glob("*.cu")):
        for number, line in enumerate(source.read_text(encoding="utf-8").splitlines(), 1):
            if match := FAULT.search(line):
                marks[match[1]] = (source.name, number)
    lost = 0
    for pair in listed["pairs"]:
        if pair["name"] in marks:
            pair["file"], pair["line"] = marks.pop(pair["name"])
        else:
            print(f"{pair['name']}: no mark in any source", file=sys.stderr)
            lost += 1
    for name, (file, number) in marks.items():
        print(f"{file}:{number}: {name} is not in {LIST.name}", file=sys.stderr)
    return lost + len(marks)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", help="where the JSON goes (default: stdout)")
    parser.add_argument("--only", default="*.cu", metavar="GLOB", help="programs to measure (*.cu)")
    parser.add_argument("--arch", help="for nvcc -arch (native, and where that fails sm_90)")
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--limit", type=float, default=120, metavar="SECONDS", help="for a program's run (120)")
    parser.add_argument("--keep-in", metavar="PAIRS.JSON", help="write the medians into this list of pairs, too")
    parser.add_argument("--lines", action="store_true", help="only find the faults' lines again")
    options = parser.parse_args()
    listed = json.loads(LIST.read_text(encoding="utf-8"))
    if options.lines:
        lost = find_lines(listed)
        write(listed, LIST)
        return 1 if lost else 0
    result = measure(options)
    text = json.dumps(result, indent=1) + "\n"
    if options.file:
        pathlib.Path(options.file).write_text(text, encoding="utf-8")
    else:
        print(text, end="")
    slower = table(result, listed)
    if options.keep_in:
        keep(result, listed, options.keep_in)
    return 1 if result["failed"] or slower else 0


if __name__ == "__main__":
    sys.exit(main())
