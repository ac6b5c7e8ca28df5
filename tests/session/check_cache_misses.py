#!/usr/bin/env python3
"""check_cache_misses.py TILESCOPE PROGRAM.cu COMPILER

Holds the reasons of the misses of cache_misses.cu: by launch, by line and by buffer. What can be worked out by hand is held
to that, the rest to what has to sum up.
"""
import json
import os
import subprocess
import sys
import tempfile

WIDTH = 512
ELEMENTS = WIDTH * WIDTH
SECTORS = ELEMENTS * 4 // 32
OF_A_LAUNCH = 88 * 32  # bytes that a launch reads of its own
problems = []


def check(what, is_so):
    if not is_so:
        problems.append(what)


def reasons(counters, level):
    start = f"{level}_miss_"
    return {name[len(start):-len("_sectors")]: n for name, n in counters.items() if name.startswith(start) and n}


def loads(counters):
    return counters.get("global_load_sectors", 0) + counters.get("local_load_sectors", 0)


def hits(counters):
    return counters.get("global_load_l1_hit_sectors", 0) + counters.get("local_load_l1_hit_sectors", 0)


def check_sums(who, counters):
    first, second = sum(reasons(counters, "l1").values()), sum(reasons(counters, "l2").values())
    reads = counters.get("l2_read_sectors", 0)
    check(f"{who}: reasons of L1 sum to its misses", first == loads(counters) - hits(counters))
    check(f"{who}: misses of L1 are read of L2 or merged", first == reads + counters.get("l1_merged_sectors", 0))
    check(f"{who}: reasons of L2 sum to its misses", second == reads - counters.get("l2_read_hit_sectors", 0))
    check(f"{who}: no more is unasked than fetched",
          counters.get("dram_unasked_bytes", 0) <= counters.get("dram_read_bytes", 0))


def check_launch(launch):
    name = launch["kernel"].split("(")[0]
    buffers = launch["caches"]["buffers"]
    check_sums(name, launch["counters"])
    for line in launch["lines"]:
        check_sums(f"{name}, line {line['line']}", line["counters"])
    for buffer in buffers:
        check_sums(f"{name}, {buffer.get('name')}", buffer["counters"])
    alike = [c for c in launch["counters"]
             if c.startswith(("l1_m", "l1_u", "l2_", "dram_unasked", "dram_write")) or c == "global_load_sectors"]
    for counter in alike:
        total = launch["counters"][counter]
        check(f"{name}: {counter} of buffers sum up", sum(b["counters"].get(counter, 0) for b in buffers) == total)
        if counter != "dram_write_bytes":  # nobody's line: it is written when something else needs the room
            check(f"{name}: {counter} of lines sum up",
                  sum(line["counters"].get(counter, 0) for line in launch["lines"]) == total)
    check(f"{name}: buffers' bytes sum up", sum(b["counters"].get("dram_read_bytes", 0) for b in buffers) + OF_A_LAUNCH
          == launch["counters"]["dram_read_bytes"])


def main():
    tilescope, program, compiler = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        profile = os.path.join(folder, "profile.json")
        subprocess.run([tilescope, "run", "-q", "--caches", "on", "--compiler", compiler, "--json", profile, program],
                       check=True, stdout=subprocess.DEVNULL)
        with open(profile, encoding="utf-8") as file:
            launches = json.load(file)["launches"]
    for launch in launches:
        check_launch(launch)
    naive, tiled, register_tiled, transpose, sparse, fenced, volatile, small, large = launches
    named = [{b["name"]: b["counters"] for b in launch["caches"]["buffers"]} for launch in launches]

    # Two matrices of 1 MB, far less than L2 holds.
    for what, launch, buffers in (("naive", naive, named[0]), ("tiled", tiled, named[1]),
                                  ("register_tiled", register_tiled, named[2])):
        second = reasons(launch["counters"], "l2")
        # Those that came along with a neighbour are no first touch when they are asked for.
        check(f"{what}: each element of M and N comes to L2 once, {second}",
              SECTORS <= second["first_touch"] <= 2 * SECTORS)
        check(f"{what}: nothing has to leave L2, {second}", "capacity" not in second)
        check(f"{what}: nothing is fetched in vain", launch["counters"]["dram_unasked_bytes"] == 0)
        first = reasons(launch["counters"], "l1")
        check(f"{what}: an SM touches it first, or it had to give way, {first}",
              "first_touch" in first and set(first) <= {"first_touch", "capacity"})
        check(f"{what}: no SM touches more first than there is, {first}", first["first_touch"] <= 132 * 2 * SECTORS)
        check(f"{what}: its buffers, {list(buffers)}", list(buffers) == ["M", "N", "P"])
        check(f"{what}: M and N are read of device memory once",
              buffers["M"]["dram_read_bytes"] == buffers["N"]["dram_read_bytes"] == 4 * ELEMENTS)
        check(f"{what}: P is only written", loads(buffers["P"]) == 0
              and buffers["P"]["global_store_sectors"] == SECTORS)
    # What a block asks L1 for falls from one to the next.
    for what, launch, most in (("tiled", tiled, naive), ("register_tiled", register_tiled, tiled)):
        check(f"{what}: asks L1 for less", loads(launch["counters"]) < loads(most["counters"]))

    # A transpose reads each sector once; there is nothing that a cache could have kept.
    counters = transpose["counters"]
    check("transpose: L1 sees every sector for the first time",
          reasons(counters, "l1") == {"first_touch": SECTORS} and hits(counters) == 0)
    check("transpose: so does L2", reasons(counters, "l2") == {"first_touch": SECTORS})
    check("transpose: all of it is asked for", counters["l1_unasked_bytes"] == counters["dram_unasked_bytes"] == 0)

    # One word of every other sector: half of what comes from device memory, and 28 of 32 bytes beyond L2.
    counters = sparse["counters"]
    asked = ELEMENTS // 16
    check("every sixteenth: first touches", reasons(counters, "l1") == {"first_touch": asked})
    check("every sixteenth: half is over-fetch", named[4]["in"]["dram_read_bytes"] == 64 * asked
          and counters["dram_unasked_bytes"] == 32 * asked == named[4]["in"]["dram_unasked_bytes"])
    check("every sixteenth: 28 bytes a sector", counters["l1_unasked_bytes"] == 28 * asked)

    # 16 blocks of 256 words, each on an SM of its own.
    for launch, buffers, why in ((fenced, named[5], "fence"), (volatile, named[6], "bypass")):
        check(f"twice: {reasons(launch['counters'], 'l1')}",
              reasons(launch["counters"], "l1") == {"first_touch": 512, why: 512})
        check(f"twice: a variable by its name, {list(buffers)}", "on_device" in buffers)
    # 64 KB are kept from one round to the next; of 1 MB hardly anything is.
    of_small, of_large = (reasons(launch["counters"], "l1") for launch in (small, large))
    check(f"two rounds of 64 KB: {of_small}", of_small == {"first_touch": 2048} and hits(small["counters"]) == 2048)
    check(f"two rounds of 1 MB: {of_large}", of_large.keys() == {"first_touch", "capacity"}
          and of_large["first_touch"] == 32768 and of_large["capacity"] > 0.99 * 32768)
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
