"""What the report says of copies that the compiler split (split_copies.cu): of those alone, and with the cure.

usage: check_split_copies.py TILESCOPE COMPILER...     (77: none of the compilers is installed)

nvcc's code names no types, so nothing is said of it.
"""
import sys

import compilers


def problems_by(compiler):
    def problems_of(launches):
        problems = []
        for launch in launches:
            name = launch["kernel"].split("(")[0]
            split = [line["split_copy"] for line in launch["lines"] if "split_copy" in line]
            advice = [one for one in launch.get("advice", []) if one["facts"].get("variant") == "split-by-compiler"]
            messages = [one["message"] for one in launch.get("advice", [])]
            if compiler == "nvcc" or not name.startswith("split_"):
                if split or advice:
                    problems.append(f"{name}: the source has several accesses, or none is split: {split} {messages}")
                continue
            if not split or len(advice) != 1:
                problems.append(f"{name}: nothing says that the compiler split a copy: {split} {messages}")
                continue
            if any(each["bytes"] != 16 or max(each["loads"], each["stores"]) < 2 for each in split):
                problems.append(f"{name}: {split}")
            if "copy them as int4, *(int4*)&to = *(const int4*)&from" not in advice[0]["message"]:
                problems.append(f"{name}: {advice[0]['message']}")
            if any("declare the structure" in message or "float4" in message for message in messages):
                problems.append(f"{name}: the source follows this already: {messages}")
        return problems
    return problems_of


if __name__ == "__main__":
    sys.exit(compilers.check_launches("split_copies.cu", problems_by, by_compiler=True))
