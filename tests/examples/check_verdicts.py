#!/usr/bin/env python3
"""Whether `run`, `roofline`, `compare` and `report --device` say the same of what binds each launch of a program, and
nothing that gainsays it.

usage: check_verdicts.py TILESCOPE PROGRAM...

Status 77 where there is no clang. Standard library only.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

KINDS = {
    "memory": "Memory-bound",
    "compute": "Compute-bound",
    "latency": "Latency-bound",
    "launch": "Launch-bound",
    "imbalance": "Limited by imbalance",
}
KIND_OF = {"dram": "memory", "l2": "memory", "l1": "memory", "constant": "memory", "writes": "memory", "atomics": "memory",
           "issue": "compute", "fp32": "compute", "integer": "compute", "fp64": "compute", "special": "compute",
           "latency": "latency", "launch": "launch", "imbalance": "imbalance"}
MOVES_LOADS = {"dram", "l2", "l1"}


def tilescope(program, *arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=True).stdout


def rows_of(section):
    return {row["key"]: row for row in section.get("rows", []) if "key" in row}


def check_launch(profile, section, wrong):
    """What the report says of a launch, against its time."""
    launch = profile["launches"][section["launch"]]
    if "time" not in launch:
        return
    bound, where = launch["time"]["bound"], f"{profile['program']} on {profile['device']}, launch {section['launch']}"
    rows = rows_of(section)
    said = {value["name"]: value["value"] for value in rows["time"]["values"]}
    if said["bound"] != bound:
        wrong.append(f"{where}: the report says bound by {said['bound']}, its time {bound}")
    intensity = rows.get("intensity", {}).get("text", "")
    is_compute = KIND_OF[bound] == "compute"
    if "is compute-bound from" in intensity and not is_compute:
        wrong.append(f"{where}: bound by {bound}, but \"{intensity}\"")
    if "to be compute-bound" in intensity and is_compute:
        wrong.append(f"{where}: bound by {bound}, but \"{intensity}\"")


def check_roofline(profile, kernels, text, wrong):
    """What the roofline says of each kernel, against the times of its launches."""
    seen = 0
    for kernel in kernels:
        roofline = kernel.get("roofline")
        time = roofline["facts"].get("time") if roofline else kernel.get("time")
        if time is None:
            continue
        seen += 1
        where = f"{profile['program']} on {profile['device']}, roofline of {kernel['name']}"
        name = kernel["name"].split("  (")[0]
        bounds = {launch["time"]["bound"] for launch in profile["launches"]
                  if launch["kernel"] == name and "time" in launch and
                  abs(launch["time"]["microseconds"] - time["microseconds"]) < 1e-6 * time["microseconds"]}
        if time["bound"] not in bounds or time["kind"] != KIND_OF[time["bound"]]:
            wrong.append(f"{where}: bound by {time['bound']} ({time['kind']}), the launch by {bounds}")
        verdict = roofline["verdict"] if roofline else text
        if KINDS[time["kind"]] not in verdict:
            wrong.append(f"{where}: bound by {time['bound']}, but \"{verdict}\"")
        if roofline is None:
            continue
        others = [words for kind, words in KINDS.items() if kind != time["kind"] and words in verdict]
        promises = ["The ridge is at", "Reaching the ridge"] if time["bound"] not in MOVES_LOADS else []
        for words in others + promises + ["only more", "use it first", "reduce waiting first"]:
            if words in verdict:
                wrong.append(f"{where}: bound by {time['bound']}, but \"{words}\" in \"{verdict}\"")
    return seen


def check_profile(program, file, wrong):
    profile = json.loads(file.read_text())
    page = json.loads(tilescope(program, "report", str(file), "--page-data", "-v"))
    for section in page["sections"]:
        if section["kind"] == "launch":
            check_launch(profile, section, wrong)
    kernels = json.loads(tilescope(program, "roofline", str(file), "--json", "-"))["kernels"]
    text = " ".join(tilescope(program, "roofline", str(file)).split())
    compared = json.loads(tilescope(program, "compare", str(file), str(file), "--json", "-"))["launches"]
    for launch in compared:
        time = profile["launches"][launch["before"]].get("time")
        if time and launch["time"]["bound_after"] != time["bound"]:
            wrong.append(f"{profile['program']}: compare says bound by {launch['time']['bound_after']}")
    return check_roofline(profile, kernels, text, wrong)


def main():
    program, sources = sys.argv[1], sys.argv[2:]
    if not any(shutil.which(name) for name in ["clang++"] + [f"clang++-{n}" for n in range(14, 20)]):
        return 77
    wrong, seen = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for source in sources:
            file, other = pathlib.Path(folder, "here.json"), pathlib.Path(folder, "there.json")
            name, *arguments = source.split(" ")
            subprocess.run([program, "run", "-q", "--compiler", "clang", "--json", str(file), name, "--", *arguments],
                           capture_output=True, check=True)
            seen += check_profile(program, file, wrong)
            tilescope(program, "report", str(file), "--device", "a100", "--json", "-o", str(other))
            seen += check_profile(program, other, wrong)
            # Under the roofs of another device stand that one's times.
            moved = json.loads(tilescope(program, "roofline", str(file), "--device", "a100", "--json", "-"))["kernels"]
            there = json.loads(tilescope(program, "roofline", str(other), "--json", "-"))["kernels"]
            if [one.get("roofline", {}).get("facts") for one in moved] != [one.get("roofline", {}).get("facts") for one in there]:
                wrong.append(f"{source}: `roofline --device` and `report --device` differ")
    if seen == 0:
        wrong.append("no kernel has a time: nothing was looked at")
    print("\n".join(wrong) or f"{seen} verdicts agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
