"""Which of some metrics were collected: those that were not are None."""
import sys

import ncu_report

action = ncu_report.load_report(sys.argv[1]).range_by_idx(0).action_by_idx(1)
for name in ["dram__bytes_read.sum", "smsp__inst_executed_pipe_xu.sum", "lts__t_sectors_srcunit_tex_op_read.sum"]:
    print(name, action.metric_by_name(name) is not None, name in action.metric_names())
print(action.name(action.NameBase_DEMANGLED))
print(action.name(action.NameBase_MANGLED))
