#!/usr/bin/env python3
"""Holds results and counts of a truth program against what an H200 counted.

usage: check_truth.py FOLDER PROGRAM COMPILER     (FOLDER: where run_program.py left them)

Results: the checksum that each launch prints, exact where it is an integer and within 1e-6 else. Counts: requests,
sectors, wavefronts and conflicts within 0.1 percent (global requests and sectors exactly, local sectors and instructions on
shared memory, too, where the code is nvcc's), save what explained.json lists; an entry there that no launch needs any more fails, so the list cannot outlive its reason. The sum of all shared
wavefronts is also held, exactly, against what the profiler works out from addresses alone (wavefronts-h200.json, or the
row itself).
Standard library only.
"""
import json, os, sys

HERE = os.path.dirname(os.path.abspath(__file__))
# Held by the name that the profile itself gives (profiler_names), so that there is one table of them.
HELD = ("global_load_requests", "global_load_sectors", "global_store_requests", "global_store_sectors",
        "global_reduction_sectors", "global_atomic_sectors", "shared_load_wavefronts", "shared_store_wavefronts",
        "shared_load_bank_conflicts", "shared_store_bank_conflicts", "shared_atomic_bank_conflicts", "texture_sectors")
MEASURED_LATER = {"texture_sectors"}  # sets without it are of programs without textures, where it is 0
# Spills and predicated instructions, which only the machine code that the hardware ran can tell.
HELD_OF_NVCC = ("local_load_sectors", "local_store_sectors", "shared_load_instructions", "shared_store_instructions")
FROM_ADDRESSES = "shared_wavefronts_from_addresses"
EXACT = {name for name in HELD if name.startswith("global_")} | set(HELD_OF_NVCC) | {FROM_ADDRESSES}
NOISE = 0.001
FEW = 4  # conflicts that arbitration adds to a launch's shared atomics
LAST_COMES_WHO_MAY = {"shared_uniform_kExch"}  # results that hang on the order of lanes and warps
TRUTHS = ("counters-h200.json", "accesses-h200.json")
PATCHED = "memory_l1_wavefronts_shared"


def same_checksum(ours, theirs):
    if theirs != theirs:  # no number
        return ours != ours
    if theirs == int(theirs) and abs(theirs) < 2**53:
        return abs(ours - theirs) <= 1e-8 * max(1, abs(theirs)) or ours == theirs
    return abs(ours - theirs) <= 1e-6 * max(abs(ours), abs(theirs))


def theirs_of(name, counters, ncu):
    return counters.get(ncu[name], 0) if name in MEASURED_LATER else counters[ncu[name]]


def scale(name, counters, ncu):
    """Conflicts are the small difference of two large counts: they are held against their wavefronts."""
    wavefronts = name.replace("bank_conflicts", "wavefronts")
    return counters.get(ncu[wavefronts], 0) if wavefronts in HELD else 0


def all_shared_wavefronts(counters):
    """Atomics have no wavefronts of their own in a profile: an atomic takes one pass, and one for each conflict."""
    return sum(counters["shared_" + part] for part in (
        "load_wavefronts", "store_wavefronts", "atomic_requests", "atomic_bank_conflicts"))


def main():
    folder, program, compiler = sys.argv[1:4]
    truth = []
    for name in TRUTHS:
        with open(os.path.join(HERE, name)) as file:
            truth += [row for row in json.load(file) if row["program"] == program]
    with open(os.path.join(HERE, "wavefronts-h200.json")) as file:
        wavefronts = {row["launch"]: row[PATCHED] for row in json.load(file) if row["program"] == program}
    wavefronts.update({row["launch"]: row["counters"][PATCHED] for row in truth if PATCHED in row["counters"]})
    with open(os.path.join(HERE, "explained.json")) as file:
        explained = [entry for entry in json.load(file)
                     if program in entry["programs"] and compiler in entry.get("compilers", [compiler])]
    with open(os.path.join(folder, program + ".json")) as file:
        profile = json.load(file)
    launches, ncu = profile["launches"], profile["profiler_names"]
    with open(os.path.join(folder, program + ".txt")) as file:
        lines = file.read().split("\n")
    problems, used = [], set()
    if len(launches) != len(truth):
        problems.append(f"{len(launches)} launches, the hardware ran {len(truth)}")
    for row, launch, line in zip(truth, launches, lines):
        case, printed = line.rsplit(" ", 1)
        # occupancy.cu prints the runtime's occupancy behind the name. It follows from the registers that the compiler
        # gave the kernel; the hardware's are nvcc's, and another compiler's code may need fewer or more.
        if compiler == "nvcc" and case != row["case"] or case.split()[0] != row["case"].split()[0]:
            problems.append(f"launch {row['launch']} printed '{case}', the hardware's program '{row['case']}'")
        if row["case"] not in LAST_COMES_WHO_MAY and not same_checksum(float(printed), float(row["checksum"])):
            problems.append(f"{case}: checksum {printed}, on the hardware {row['checksum']}")
        pairs = {name: (launch["counters"][name], theirs_of(name, row["counters"], ncu)) for name in HELD}
        if compiler == "nvcc":
            # Without a frame the assembler keeps in registers what PTX has in local memory.
            in_frame = launch["local_bytes_per_thread"] != 0
            pairs.update({name: (launch["counters"][name] if in_frame or "local" not in name else 0,
                                 row["counters"][ncu[name]])
                          for name in HELD_OF_NVCC if ncu[name] in row["counters"]})
        if row["launch"] in wavefronts:
            pairs[FROM_ADDRESSES] = (all_shared_wavefronts(launch["counters"]), wavefronts[row["launch"]])
        for name, (ours, theirs) in pairs.items():
            error = abs(ours - theirs) / max(abs(ours), abs(theirs), scale(name, row["counters"], ncu), 1)
            if error <= (0 if name in EXACT else NOISE):
                continue
            if name == "shared_atomic_bank_conflicts" and 0 < theirs - ours < FEW:
                continue
            reasons = [i for i, entry in enumerate(explained) if name in entry["counters"] and error <= entry["at_most"]
                       and theirs > ours and row["case"] in entry.get("cases", [row["case"]])]
            used.update(reasons)
            if not reasons:
                problems.append(f"{case}: {name} is {ours}, on the hardware {theirs}")
    for index, entry in enumerate(explained):
        if index not in used:
            problems.append(f"explained.json: nothing needs this entry any more: {entry['reason']}")
    for problem in problems:
        print(problem)
    print(f"{program} with {compiler}: {len(launches)} launches, {len(problems)} problems")
    sys.exit(1 if problems else 0)


main()
