"""Every kernel of a report with its shape."""
import sys

import ncu_report

context = ncu_report.load_report(sys.argv[1])
for range_index in range(context.num_ranges()):
    current = context.range_by_idx(range_index)
    for index in range(current.num_actions()):
        action = current.action_by_idx(index)
        blocks = action.metric_by_name("launch__grid_size").as_uint64()
        threads = action.metric_by_name("launch__block_size").as_uint64()
        print(f"{index} {action.name()} {blocks} x {threads}")
