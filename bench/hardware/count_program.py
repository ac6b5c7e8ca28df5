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
SHARED, SASS = "l1tex__data_", "smsp__sass_data_bytes_mem_shared_op_"
# Further ones of programs with products on tensor cores, which need code for 9.0a.
TENSOR = [SHARED + f"{what}_mem_shared_op_{op}.sum" for what in ("pipe_lsu_wavefronts", "bank_conflicts_pipe_lsu") for op in ("ld", "st")]
TENSOR += [SHARED + "pipe_lsu_wavefronts_mem_shared_op_gmma.sum", SASS + "gmma.sum", "smsp__inst_executed_op_ldsm.sum",
           "sm__inst_executed_pipe_tensor.sum", "sm__pipe_tensor_cycles_active.sum", "sm__cycles_active.sum",
           "sm__warps_active.avg.pct_of_peak_sustained_active"]
OPERATIONS = "sm__ops_path_tensor_"  # and all of these that the profiler knows
ON_TENSOR_CORES = ("tensors",)


def whole(text):
    return [int(number) for number in text.strip("()").split(",")]


def number(text):
    value = float(text.replace(",", ""))
    return int(value) if value.is_integer() else round(value, 2)


# Those of the list that this card's profiler knows, and all operations of tensor cores.
def known(counters):
    listed = subprocess.run(["ncu", "--query-metrics"], capture_output=True, text=True, check=True).stdout
    names = {line.split()[0] for line in listed.splitlines() if line and line[0].islower()}
    missing = [name for name in counters if name.split(".")[0] not in names]
    print("not known here:", ", ".join(missing) or "none", file=sys.stderr)
    return [name for name in counters if name not in missing] + sorted(
        f"{name}.sum" for name in names if name.startswith(OPERATIONS) and "sparsity" not in name)


def main():
    program, out = sys.argv[1:]
    built = f"/tmp/{program}-{os.getpid()}"
    is_tensor = program in ON_TENSOR_CORES
    COUNTERS.extend(known(TENSOR) if is_tensor else [])
    capability = "90a" if is_tensor else "90"
    architecture = f"arch=compute_{capability},code="
    subprocess.run(["nvcc", "-O3", "-std=c++17", "-lineinfo", "-I" + os.path.join(HERE, "..", ".."), "-gencode",
                    f"{architecture}compute_{capability}", "-gencode", f"{architecture}sm_{capability}", "-o", built,
                    os.path.join(KERNELS, program + ".cu")], check=True)
    subprocess.run(["ncu", "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none", "--cache-control", "all",
                    "--metrics", ",".join(COUNTERS), "--log-file", built + ".csv", built], check=True, stdout=sys.stderr)
    with open(built + ".csv") as file:
        rows = [row for row in csv.DictReader(line for line in file if line.startswith('"')) if row["ID"]]
    printed = subprocess.run([built], capture_output=True, text=True, check=True).stdout.splitlines() if is_tensor else []
    launches = []
    for index, row in enumerate(rows):
        counters = {name: number(row[name]) for name in COUNTERS}
        launches.append({"program": program, "launch": index, "kernel": row["Kernel Name"], "grid": whole(row["Grid Size"]),
                         "block": whole(row["Block Size"]), "counters": counters, "case": row["Kernel Name"].split("(")[0]})
        if is_tensor:  # which prints a line for each launch: its case and a sum over what it wrote
            case, checksum = printed[index].rsplit(" ", 1)
            launches[-1] |= {"case": case, "checksum": float(checksum)}
    with open(out, "w") as file:
        file.write("[\n" + ",\n".join(json.dumps(launch) for launch in launches) + "\n]\n")


if __name__ == "__main__":
    main()
