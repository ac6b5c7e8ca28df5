"""A table of a few metrics, as people paste it into a spreadsheet."""
import csv
import sys

import ncu_report

NAMES = ["smsp__inst_executed.sum", "launch__registers_per_thread", "dram__bytes_read.sum"]
writer = csv.writer(sys.stdout, lineterminator="\n")
writer.writerow(["kernel", *NAMES])
for action in ncu_report.load_report(sys.argv[1])[0]:
    writer.writerow([action.name(), *(action[name].value() for name in NAMES)])
