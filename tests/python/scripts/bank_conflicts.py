"""Fails where a kernel has bank conflicts."""
import sys

import ncu_report

NAMES = ["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"]
total = 0
for action in ncu_report.load_report(sys.argv[1]).range_by_idx(0):
    total += sum(action.metric_by_name(name).as_uint64() for name in NAMES)
print(f"{total} conflicts")
sys.exit(total != 0)
