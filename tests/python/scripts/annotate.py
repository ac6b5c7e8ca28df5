"""The source with the sectors of its loads beside it."""
import sys

import ncu_report

for action in ncu_report.load_report(sys.argv[1])[0]:
    texts = {name: text.splitlines() for name, text in action.source_files().items()}
    metric = action["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"]
    addresses = metric.correlation_ids()
    for instance in range(metric.num_instances()):
        source = action.source_info(addresses.as_uint64(instance))
        print(f"{metric.as_uint64(instance):6} {texts[source.file_name()][source.line() - 1].strip()}")
