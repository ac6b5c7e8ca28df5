#!/usr/bin/env python3
"""Counts every launch of a program of tests/truth/kernels on a GPU, as tests/truth/PROGRAM-h200.json keeps it.

usage: count_program.py PROGRAM OUT.json

Caches are cold before each launch and clocks are left alone. Needs nvcc and Nsight Compute. Standard library only.
"""
import csv
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(HERE, "..", "..", "tests", "truth", "kernels")
L1, L2 = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld", "lts__t_sectors_srcunit_tex_op_"
COUNTERS = ["dram__bytes_read.sum", "dram__bytes_write.sum", "gpu__time_duration.sum", L1 + ".sum", L1 + "_lookup_hit.sum",
            L2 + "read.sum", L2 + "read_lookup_hit.sum", L2 + "write.sum", "smsp__inst_executed.sum", "launch__registers_per_thread",
            "launch__shared_mem_config_size", "launch__occupancy_limit_blocks", "launch__occupancy_limit_registers",
            "launch__occupancy_limit_shared_mem", "launch__occupancy_limit_warps"]


def whole(text):
    return [int(number) for number in text.strip("()").split(",")]


def main():
    program, out = sys.argv[1:]
    built = f"/tmp/{program}-{os.getpid()}"
    architecture = "arch=compute_90,code="
    subprocess.run(["nvcc", "-O3", "-std=c++17", "-lineinfo", "-gencode", architecture + "compute_90", "-gencode",
                    architecture + "sm_90", "-o", built, os.path.join(KERNELS, program + ".cu")], check=True)
    subprocess.run(["ncu", "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none", "--cache-control", "all",
                    "--metrics", ",".join(COUNTERS), "--log-file", built + ".csv", built], check=True, stdout=sys.stderr)
    with open(built + ".csv") as file:
        rows = [row for row in csv.DictReader(line for line in file if line.startswith('"')) if row["ID"]]
    launches = []
    for number, row in enumerate(rows):
        counters = {name: int(float(row[name].replace(",", ""))) for name in COUNTERS}
        launches.append({"program": program, "launch": number, "kernel": row["Kernel Name"], "grid": whole(row["Grid Size"]),
                         "block": whole(row["Block Size"]), "counters": counters, "case": row["Kernel Name"].split("(")[0]})
    with open(out, "w") as file:
        file.write("[\n" + ",\n".join(json.dumps(launch) for launch in launches) + "\n]\n")


if __name__ == "__main__":
    main()
