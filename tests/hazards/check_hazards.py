"""Runs the programs of this folder under `--check` and holds what was found against the verdicts in their first lines.

usage: check_hazards.py [--tool TILESCOPE] [--compiler NAME] [--check KINDS] [--only TEXT] [--others FILE] [-v] PROGRAM.cu...

Each program is many cases, chosen by its one argument. Its first lines say which, and what each is:

    // check: races
    // run: --fill 0x7f          (options of all its runs, where there are any)
    // notes                     (notes count, too, as mild ones; elsewhere none are asked for)
    // case right: clean
    // case no_barrier: race shared read-after-write STORE LOAD; maybe race shared STORE STORE
    // case unset [not yet: init]: uninitialized shared LOAD

A verdict is `clean` or hazards: kind, then as far as they matter the space, the order and one or two marks, which are
comments behind lines of the source (`// @LOAD`; one mark may stand behind several lines), then `mild` for a hazard that
changes no status. Each of them must be found, and nothing else, save what is said to be `maybe`. A case marked `not yet`
is run and its verdict looked at, but it fails nothing: it is counted and printed.

--others FILE: instead, programs of other folders, with how many hazards of each kind `--check all` finds in them
(other_programs.txt says how that is written).

77: the compiler is not installed.
"""
import argparse
import collections
import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
UNCACHED = ["--caches", "off"]  # no hazard hangs on the model of the caches, which takes most of a run's time
KINDS = {"race", "out-of-bounds", "misaligned", "uninitialized", "divergent-barrier", "use-after-free", "invalid-free",
         "leak", "stream-race", "overlapping-copy", "stack-overflow", "deadlock", "stale-read", "illegal-instruction", "trap"}
SPACES = {"global", "shared", "local", "constant", "param", "distributed"}
ORDERS = {"read-after-write", "write-after-read", "write-after-write", "plain-against-atomic", "scope-too-small"}
HAZARD, FAULT = 4, 3

Expected = collections.namedtuple("Expected", "text optional kind space order marks mild")


class Case:
    """A program with the argument that chooses what it does, and its verdict."""

    def __init__(self, file, name, check, options, waits_for, expected, lines):
        self.file, self.name, self.check, self.options, self.waits_for = file, name, check, options, waits_for
        self.expected, self.lines = expected, lines


Outcome = collections.namedtuple("Outcome", "verdict detail")


def parse_expected(text, where):
    """One hazard of a verdict."""
    words = text.split()
    optional = words[0] == "maybe"
    words = words[1:] if optional else words
    if not words or words[0] not in KINDS:
        raise ValueError(f"{where}: no kind of hazard in \"{text}\"")
    kind, rest = words[0], words[1:]
    take = lambda names: rest.pop(0) if rest and rest[0] in names else None
    space, order = take(SPACES), take(ORDERS)
    mild = bool(rest) and rest[-1] == "mild"
    marks = rest[:-1] if mild else rest
    if len(marks) > 2 or any(not re.fullmatch(r"[A-Z][A-Z_0-9]*", mark) for mark in marks):
        raise ValueError(f"{where}: \"{text}\" has words that are neither marks nor known")
    return Expected(text, optional, kind, space, order, marks, mild)


def read_cases(path):
    """The cases that a program's first lines declare."""
    lines = path.read_text().splitlines()
    marks = collections.defaultdict(set)
    for number, line in enumerate(lines, 1):
        found = re.search(r"// @([A-Z][A-Z_0-9]*)$", line)
        if found:
            marks[found.group(1)].add(number)
    check, options, cases, quiet = "all", [], [], ["-q"]
    for number, line in enumerate(itertools.takewhile(lambda text: text.startswith("//"), lines), 1):
        where = f"{path.name}:{number}"
        if found := re.fullmatch(r"// check: ([a-z,]+)", line):
            check = found.group(1)
        elif found := re.fullmatch(r"// run: (.+)", line):
            options = found.group(1).split()
        elif line == "// notes":
            quiet = []
        elif found := re.fullmatch(r"// case ([a-z_0-9]+)(?: \[not yet: ([^]]+)\])?: (.+)", line):
            name, waits_for, verdict = found.groups()
            expected = [] if verdict == "clean" else [parse_expected(part.strip(), where)
                                                      for part in verdict.split(";")]
            missing = [mark for each in expected for mark in each.marks if mark not in marks]
            if missing:
                raise ValueError(f"{where}: no line is marked {', '.join(missing)}")
            if name not in path.read_text().split("#include", 1)[1]:
                raise ValueError(f"{where}: the program knows no case {name}")
            cases.append(Case(path, name, check, quiet + options, waits_for, expected, dict(marks)))
        elif line.startswith("// case"):
            raise ValueError(f"{where}: not a case as this program reads them")
    if not cases:
        raise ValueError(f"{path}: no case in its first lines")
    return cases


def is_mild(hazard):
    return bool(hazard.get("warning")) or hazard.get("severity", "error") != "error"


def matches(expected, hazard, lines):
    """Whether a hazard that was found is the one that a verdict means."""
    if hazard["kind"] != expected.kind or is_mild(hazard) != expected.mild:
        return False
    if expected.space and hazard.get("space") != expected.space:
        return False
    if expected.order and hazard.get("order") != expected.order:
        return False
    ends = [hazard.get("line"), hazard.get("other_line")]
    if len(expected.marks) == 1:
        return bool(lines[expected.marks[0]] & set(ends))
    if len(expected.marks) == 2:
        one, two = (lines[mark] for mark in expected.marks)
        return (ends[0] in one and ends[1] in two) or (ends[1] in one and ends[0] in two)
    return True


def describe(hazard):
    words = [hazard["kind"], hazard.get("space"), hazard.get("order"), "mild" if is_mild(hazard) else None]
    ends = [f"line {hazard['line']}" if hazard.get("line") else None,
            f"line {hazard['other_line']}" if hazard.get("other_line") else None]
    return " ".join(word for word in words + ends if word) + f": {hazard.get('message', '')}"


def judge(case, status, hazards, errors):
    """What is wrong with what came out, or nothing."""
    problems = []
    for expected in case.expected:
        if not expected.optional and not any(matches(expected, hazard, case.lines) for hazard in hazards):
            problems.append(f"missed: {expected.text}")
    for hazard in hazards:
        if not any(matches(expected, hazard, case.lines) for expected in case.expected):
            problems.append(f"false alarm: {describe(hazard)}")
    bad = any(not is_mild(hazard) for hazard in hazards)
    right = {HAZARD, FAULT} if bad else {0}
    if not problems and status not in right:
        problems.append(f"exit status {status}: {errors[-600:]}")
    return problems


def run(tool, compiler, check, case):
    with tempfile.TemporaryDirectory() as folder:
        profile = pathlib.Path(folder) / "profile.json"
        command = [tool, "run", *UNCACHED, "--compiler", compiler, "--check", check or case.check,
                   "--json", str(profile), *case.options, str(case.file), "--", case.name]
        done = subprocess.run(command, capture_output=True, text=True)
        if not profile.exists():
            return Outcome("error", [f"no profile, exit status {done.returncode}: {done.stderr[-600:]}"])
        data = json.loads(profile.read_text())
    hazards = list(data.get("hazards", []))
    for launch in data.get("launches", []):
        hazards += launch.get("hazards", [])
    problems = judge(case, done.returncode, hazards, done.stderr)
    return Outcome("met" if not problems else "not met", problems)


def print_table(cases, outcomes, verbose):
    """A line a case that is not as it should be, all with -v; then the sums by file."""
    width = max(len(f"{case.file.stem}.{case.name}") for case in cases)
    for case, outcome in zip(cases, outcomes):
        if not verbose and outcome.verdict == "met" and not case.waits_for:
            continue
        verdict = outcome.verdict
        if case.waits_for:
            verdict = f"not yet ({case.waits_for})" + (", met all the same" if outcome.verdict == "met" else "")
        wanted = "clean" if not case.expected else "; ".join(each.text for each in case.expected)
        print(f"{case.file.stem + '.' + case.name:<{width}}  {verdict:<8}  {wanted}")
        if not case.waits_for:
            for line in outcome.detail:
                print(f"    {line}")


def count_others(line, tool, compiler):
    """What is wrong with a line of other_programs.txt, or nothing."""
    command, wanted = line.split(": ")
    file, *arguments = command.split()
    root = pathlib.Path(__file__).resolve().parents[2]
    with tempfile.TemporaryDirectory() as folder:
        profile = pathlib.Path(folder) / "profile.json"
        done = subprocess.run([tool, "run", "-q", *UNCACHED, "--compiler", compiler, "--check", "all",
                               "--json", str(profile), str(root / file), "--", *arguments],
                              capture_output=True, text=True)
        if not profile.exists():
            return f"{command}: no profile, exit status {done.returncode}: {done.stderr[-600:]}"
        data = json.loads(profile.read_text())
    hazards = data.get("hazards", []) + [hazard for launch in data.get("launches", [])
                                         for hazard in launch.get("hazards", [])]
    counts = collections.Counter(("mild " if is_mild(hazard) else "") + hazard["kind"] for hazard in hazards)
    found = {f"{kind} {count}" for kind, count in counts.items()} or {"clean"}
    if found == set(wanted.split(", ")):
        return None
    return "\n    ".join([f"{command}: wanted {wanted}, found {', '.join(sorted(found))}", *map(describe, hazards)])


def check_others(options):
    lines = [line for line in options.others.read_text().splitlines()
             if line and not line.startswith("#") and options.only in line]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = list(filter(None, pool.map(lambda line: count_others(line, options.tool, options.compiler), lines)))
    print("\n".join(wrong + [f"{len(lines)} programs, {len(wrong)} not as written down"]))
    return 1 if wrong or not lines else 0


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].splitlines()[0])
    parser.add_argument("--tool", default="tilescope")
    parser.add_argument("--compiler", default="clang")
    parser.add_argument("--check", help="other kinds than the programs name; clean ones must stay so")
    parser.add_argument("--only", default="", help="cases whose file.name holds this text")
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("--others", type=pathlib.Path)
    parser.add_argument("programs", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    if options.compiler.startswith("clang") and not any(
            shutil.which(name) for name in ["clang++", "clang"] + [f"clang++-{v}" for v in range(14, 20)]):
        print("skipped: no clang on this machine")
        return SKIPPED
    if options.compiler == "nvcc" and not any(
            shutil.which(name) for name in ["nvcc", "/usr/local/cuda/bin/nvcc"]):
        print("skipped: no nvcc on this machine")
        return SKIPPED
    if options.others:
        return check_others(options)
    try:
        cases = [case for program in options.programs for case in read_cases(program)]
    except ValueError as wrong:
        print(wrong, file=sys.stderr)
        return 2
    cases = [case for case in cases if options.only in f"{case.file.stem}.{case.name}"]
    # Other kinds of checks may find more in what is not clean.
    if options.check:
        cases = [case for case in cases if not case.expected]
    if not cases:
        print("no such case", file=sys.stderr)
        return 2
    first = {}
    for case in cases:
        first.setdefault(case.file, case)
    runner = lambda case: run(options.tool, options.compiler, options.check, case)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        # One case of each file first, so that each file is compiled once.
        compiled = dict(zip(first.values(), pool.map(runner, first.values())))
        rest = [case for case in cases if case not in compiled]
        compiled.update(zip(rest, pool.map(runner, rest)))
    outcomes = [compiled[case] for case in cases]
    print_table(cases, outcomes, options.verbose)
    due = [(case, outcome) for case, outcome in zip(cases, outcomes) if not case.waits_for]
    clean = [outcome for case, outcome in due if not case.expected]
    broken = [outcome for case, outcome in due if case.expected]
    met = lambda some: sum(outcome.verdict == "met" for outcome in some)
    print(f"{len(due)} verdicts: {met(clean)} of {len(clean)} correct programs clean, "
          f"{met(broken)} of {len(broken)} defects found as they are")
    waiting = collections.Counter(case.waits_for for case in cases if case.waits_for)
    for what, count in sorted(waiting.items()):
        print(f"NOT YET ({what}): {count} cases not judged")
    return 0 if met(clean + broken) == len(due) else 1


if __name__ == "__main__":
    sys.exit(main())
