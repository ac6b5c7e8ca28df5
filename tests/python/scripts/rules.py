"""What the rules say, and where."""
import sys

import ncu_report

for action in ncu_report.load_report(sys.argv[1])[0]:
    for result in action.rule_results():
        for message in result.rule_messages():
            print(action.name(), result.rule_identifier(), message["line"], message["estimated_speedup"] > 0)
