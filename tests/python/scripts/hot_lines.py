"""Where the instructions are, by source line: instances and their correlation ids."""
import collections
import os
import sys

import ncu_report

for action in ncu_report.load_report(sys.argv[1])[0]:
    metric = action.metric_by_name("smsp__inst_executed.sum")
    addresses = metric.correlation_ids()
    by_line = collections.Counter()
    for instance in range(metric.num_instances()):
        source = action.source_info(addresses.as_uint64(instance))
        by_line[os.path.basename(source.file_name()), source.line()] += metric.as_uint64(instance)
    assert sum(by_line.values()) == metric.as_uint64()
    (file, line), _ = max(by_line.items(), key=lambda item: (item[1], -item[0][1]))
    print(f"{action.name()} {file}:{line}")
