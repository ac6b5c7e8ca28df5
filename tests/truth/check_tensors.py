#!/usr/bin/env python3
"""Holds what a profile of tensors.cu counts against what an H200 counted for its 41 launches.

usage: check_tensors.py FOLDER PROGRAM     (FOLDER: where run_program.py left them)

Results: what each launch prints, to the last digit but where EXPONENTIALS and atomics say otherwise. Operations on tensor
cores by type, loads of matrices, what wgmma reads and the cycles of the tensor pipe: equal. Wavefronts and conflicts of
shared memory and sectors of global loads: equal, but for arbitration. What differs on the card has its reason in UNEQUAL,
and an entry that is not needed any more fails. Standard library only.
"""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SHARED, L1 = "l1tex__data_", "l1tex__t_"
OPERATIONS = {"fp16": "src_fp16", "bf16": "src_bf16_dst_fp32", "tf32": "src_tf32_dst_fp32", "fp64": "src_fp64", "fp8": "src_fp8",
              "int8": "src_int8", "int1": "src_int1"}
HELD = {f"tensor_{ours}_operations": f"sm__ops_path_tensor_{theirs}.sum" for ours, theirs in OPERATIONS.items()}
HELD |= {"matrix_load_requests": "smsp__inst_executed_op_ldsm.sum",
         "factor_load_wavefronts": SHARED + "pipe_lsu_wavefronts_mem_shared_op_gmma.sum",
         "factor_load_bytes": "smsp__sass_data_bytes_mem_shared_op_gmma.sum",
         "shared_load_wavefronts": SHARED + "pipe_lsu_wavefronts_mem_shared_op_ld.sum",
         "shared_load_bank_conflicts": SHARED + "bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
         "shared_store_wavefronts": SHARED + "pipe_lsu_wavefronts_mem_shared_op_st.sum",
         "shared_store_bank_conflicts": SHARED + "bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
         "global_load_sectors": L1 + "sectors_pipe_lsu_mem_global_op_ld.sum"}
# Other requests' turns, of a count's wavefronts.
ARBITRATION = {"shared_load_wavefronts": 0.003, "shared_load_bank_conflicts": 0.003, "shared_store_wavefronts": 0.15,
               "shared_store_bank_conflicts": 0.15}
SCALE = {"shared_load_bank_conflicts": "shared_load_wavefronts", "shared_store_bank_conflicts": "shared_store_wavefronts"}
# A product of 64 x 8 x 16 that ptxas 13.0 puts into the loop, where work stands between wgmma and its wait.
INJECTED = {"wgmma f16 64x64, 3 stages", "wgmma s8 64x64, 2 stages", "wgmma e4m3 64x64, 2 stages", "wgmma tf32 64x64, 2 stages"}
UNEQUAL = {(case, name) for case in INJECTED for name in ("tensor_fp16_operations", "factor_load_bytes")}
EXPONENTIALS = {"attention 64": 1e-6, "attention 64, causal": 1e-6, "attention 128": 1e-6}  # an approximation here
ORDER = {"wmma split k": 1e-5}  # of atomics
PIPE = 0.03  # 6.1 cycles by the clock, 6 by the counter


def main():
    folder, program = sys.argv[1:3]
    launches = json.load(open(os.path.join(folder, program + ".json")))["launches"]
    lines = open(os.path.join(folder, program + ".txt")).read().splitlines()
    truth = json.load(open(os.path.join(HERE, program + "-h200.json")))
    problems, used = [], set()
    if not len(truth) == len(launches) == len(lines):
        sys.exit(f"{len(launches)} launches and {len(lines)} lines, {len(truth)} on the card")
    for row, launch, line in zip(truth, launches, lines):
        case, printed = line.rsplit(" ", 1)
        within = EXPONENTIALS.get(case, ORDER.get(case, 0))
        if case != row["case"] or abs(float(printed) - row["checksum"]) > within * abs(row["checksum"]):
            problems.append(f"{row['case']}: {line}, on the card {row['checksum']}")
        for ours, theirs in HELD.items():
            here, there = launch["counters"].get(ours, 0), row["counters"][theirs]
            of = max(row["counters"][HELD[SCALE.get(ours, ours)]], launch["counters"].get(SCALE.get(ours, ours), 0))
            if abs(here - there) <= ARBITRATION.get(ours, 0) * of:
                continue
            if (case, ours) in UNEQUAL:
                used.add((case, ours))
            else:
                problems.append(f"{case}: {ours} {here}, on the card {there}")
        here, there = launch["work"]["tensor"], row["counters"]["sm__pipe_tensor_cycles_active.sum"]
        if abs(here - there) > PIPE * there:
            problems.append(f"{case}: {here} cycles of the tensor pipe, on the card {there}")
    problems += [f"{case}: {name} is equal now: take it out of the list" for case, name in sorted(UNEQUAL - used)]
    print("\n".join(problems) or f"{len(truth)} launches: results, counts and cycles of the pipe as on the card")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
