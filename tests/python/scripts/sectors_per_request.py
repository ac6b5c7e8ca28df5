"""Sectors of a global load request, by hand from two sums."""
import sys

import ncu_report

for action in ncu_report.load_report(sys.argv[1])[0]:
    sectors = action["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"].as_uint64()
    requests = action["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"].as_uint64()
    print(f"{action.name()} {sectors / requests:.1f}")
