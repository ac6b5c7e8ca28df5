"""Which names of CUDA C++ there are through clang: every function, type and operator of its references, by area.

usage: check_names.py TILESCOPE COMPILER... [--list] [--all]     (77: no clang is installed)

cuda_names.txt lists them. Each area is one program, a name a line, which the newest clang (--all: the oldest, too) need only
take in; where a line does not compile, its name is missing. A table of how many are there is printed; --list names those that are not.
A name that the list does not say is missing must be there, and the other way round.
"""
import pathlib
import re
import subprocess
import sys

import check_headers
import compilers

HERE = pathlib.Path(__file__).parent
MISSING, REFUSED = " | missing", " | refused"
PREAMBLE = "template <class T> __device__ T& V();\n"


class Name:
    """A line of the list: what is asked for, and what is known of it."""

    def __init__(self, line):
        self.text, self.state = line, "there"
        for mark, state in ((MISSING, "missing"), (REFUSED, "refused")):
            if mark in line:
                self.text, self.state = line[:line.index(mark)], state

    def code(self, number):
        """One line of C++ that asks for it."""
        kind, _, rest = self.text.partition(" ")
        if kind == "type":
            return f"using t{number} = {rest};"
        if kind == "macro":
            return f"__device__ void f{number}() {{ (void)({rest}); }}"
        if kind == "code":
            return f"__device__ void f{number}() {{ {rest}; }}"
        name, parameters = self.text[:-1].split("(", 1)
        values = ", ".join(f"V<{p.strip()}>()" for p in parameters.split(",") if p.strip())
        return f"__device__ void f{number}() {{ {name}({values}); }}"


def read_areas():
    """Pairs of a head, "AREA" and its includes, and its names."""
    areas = []
    for line in (HERE / "cuda_names.txt").read_text().splitlines():
        if line.startswith("["):
            area, includes = line[1:].split("] ")
            areas.append((area, includes.split(), []))
        elif line and not line.startswith("#"):
            areas[-1][2].append(Name(line))
    # The mathematical functions have a list of their own, with their errors (math_functions.py).
    mathematical = [Name(re.search(r"\w+\(.*", line.split(" | ")[0])[0]) for line in (HERE / "math_functions.txt").read_text().splitlines()
                    if line and not line.startswith("#")]
    return [("math", ["cuda_runtime.h"], mathematical), *areas]


def missing_names(compiler, includes, names):
    """Indices of the names that do not compile."""
    lines = [f"#include <{header}>" for header in includes] + PREAMBLE.splitlines()
    first = len(lines) + 1
    lines += [name.code(at) for at, name in enumerate(names)]
    done = subprocess.run([compiler.replace("clang-", "clang++-"), *check_headers.flags_of(compiler, "device"), "-U__CUDA_ARCH__",
                           "-D__CUDA_ARCH__=900", "-std=c++17", "-w", "-ferror-limit=0",
                           "-fno-caret-diagnostics", "-"], input="\n".join(lines) + "\n", capture_output=True, text=True)
    missing = set()
    for line in re.findall(r"^<stdin>:(\d+):\d+: (?:fatal )?error", done.stderr, re.M):
        if int(line) < first:  # a header is not there
            return set(range(len(names)))
        missing.add(int(line) - first)
    # An error within a header names the line that led there in a note.
    for line in re.findall(r"<stdin>:(\d+):\d+: note: (?:in instantiation|called by)", done.stderr):
        missing.add(int(line) - first)
    if done.returncode != 0 and not missing:
        print(done.stderr[:3000], file=sys.stderr)
        return set(range(len(names)))
    return missing


def main():
    listed = "--list" in sys.argv
    everything = "--all" in sys.argv
    clangs = [name for name in sys.argv[2:] if name.startswith("clang-") and compilers.installed(name)]
    if not clangs:
        print("skipped: no clang is installed")
        return compilers.SKIPPED
    tried = sorted({clangs[0], clangs[-1]} if everything else clangs[-1:])
    problems, rows = [], []
    for area, includes, names in read_areas():
        missing = {compiler: missing_names(compiler, includes, names) for compiler in tried}
        for at, name in enumerate(names):
            for compiler in tried:
                if (at in missing[compiler]) != (name.state != "there"):
                    what = "is not there" if at in missing[compiler] else f"is there, and listed as {name.state}"
                    problems.append(f"{compiler}: {area}: {name.text} {what}")
            if listed and any(at in missing[compiler] for compiler in tried):
                print(f"{area}: {name.text}")
        newest = missing[tried[-1]]
        refused = sum(name.state == "refused" for name in names)
        rows.append((area, len(names), len(names) - len(newest), refused, len(newest) - refused))
    rows.append(("all", *(sum(row[column] for row in rows) for column in range(1, 5))))
    print("| area | names | there | refused by name | missing |\n|---|---|---|---|---|")
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    for problem in problems if not listed else []:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
