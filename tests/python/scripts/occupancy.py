"""Theoretical occupancy in percent, and what of it was achieved."""
import sys

import ncu_report

for action in ncu_report.load_report(sys.argv[1])[0]:
    most = action.metric_by_name("sm__maximum_warps_per_active_cycle_pct")
    achieved = action.metric_by_name("sm__warps_active.avg.pct_of_peak_sustained_active")
    assert most.unit() == achieved.unit() == "%"
    print(f"{action.name()} {most.as_double():.0f} {0 < achieved.as_double() <= most.as_double()}")
