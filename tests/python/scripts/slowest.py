"""Kernels by their time, the slowest first."""
import sys

import ncu_report

actions = list(ncu_report.load_report(sys.argv[1])[0])
times = {action.name(): action.metric_by_name("gpu__time_duration.sum") for action in actions}
assert all(metric.unit() == "nsecond" for metric in times.values())
for name, metric in sorted(times.items(), key=lambda item: -item[1].as_double()):
    print(f"{name} {metric.as_double():.0f}")
