"""Breaks correct programs in one place at a time, and asks whether --check finds it.

usage: mutate.py [--tool TILESCOPE] [--reference FOLDER] [--compiler NAME] [--kinds KIND,...] [--each N] [--random SEEDS]
                 [--seed NUMBER] [--jobs N] [-v] [PROGRAM.cu...]

A mutation takes away one barrier, fence, __syncwarp or atomic, makes a bound check always true, or makes an index one
larger, in a kernel or device function. Or it takes away one initialisation ("init"): a store by plain `=` to an element
of an array or buffer, or to a shared variable; what a local array is declared with; in host code a cudaMemset, or a
cudaMemcpy to the device. PROGRAMs are examples, or programs of this folder, of which the cases that are clean are run;
--random adds programs of tests/random. --each: mutations of a kind and program, drawn by --seed. Headers stay as they
are.

Races are judged by the reference detector (reference/) as well, which looks at the same run: FOLDER holds the runtimes
with it, lib/reference of a build. Initialisations are judged by the mutant's own result: it runs again without checks,
with --fill 0x00, 0x47, 0xa5 and 0xff (zero, large numbers, negative ones, no number). If it prints, ends and counts
(the instructions, branches and bytes of each launch) the same, nothing that it shows hangs on memory that nobody wrote.
--fill reaches what cudaMalloc and malloc give and shared memory; it does not reach local memory, nor managed and pinned
memory, which count as defined. For local memory the mutant is compiled once more by clang, with automatic variables
that begin with a pattern, and has to print and end the same; its code is another, so counts say nothing. A case that by
itself comes out otherwise with another byte is left out of this kind; one that only leaks is not.

The table says of each program and kind:
    mutants    that compile
    found      a hazard or fault is reported, in the function that was changed; of host code: any `uninitialized`
    elsewhere  reported, but in other functions (a result that nobody stored, where the host copies it)
    harmless   nothing is reported, and nothing raced says the reference; of bounds and indices: no access left its
               allocation, which the machine itself checks; of initialisations: no result hangs on fresh memory (a
               value may be wrong, but none that nobody wrote decides)
    too large  nothing is reported, and the reference did not look at every launch
    registers  of initialisations: nothing is reported, and what differs is a local array that the compiler keeps in
               registers, where nobody reads memory
    missed     bytes race by the reference, and none of their races is reported; of initialisations: results hang on
               fresh memory, and nothing `uninitialized` is reported
    false      races are reported that the reference does not have. Not counted for initialisations: a value that
               nobody wrote may decide a branch and change no result (-v says so)
Ends with status 1 if something is missed or false, and 77 without a compiler.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

from check_hazards import FAULT, SKIPPED, UNCACHED, read_cases
from mutations import KINDS, mutations_of

HERE = pathlib.Path(__file__).resolve().parent
RACES = {"barrier", "syncwarp", "fence", "atomic"}
COLUMNS = ["mutants", "found", "elsewhere", "harmless", "too large", "registers", "missed", "false"]
LIMIT = 120  # seconds for a run
FILLS = ["0x00", "0x47", "0xa5", "0xff"]
PATTERN = ["--compile-flags", "-ftrivial-auto-var-init=pattern"]

Run = collections.namedtuple("Run", "hazards status reference problem")
Result = collections.namedtuple("Result", "status output launches")


class Subject:
    """A correct program with the arguments that it is run with."""

    def __init__(self, path, name, text, arguments):
        self.path, self.name, self.text, self.arguments = path, name, text, arguments
        self.kinds, self.of_init = KINDS, []  # what may be broken; cases that can say something of initialisations


def subject_of(path):
    text = path.read_text()
    if "// case " not in text:
        return Subject(path, path.stem, text, [[]])
    cases = [[case.name] for case in read_cases(path) if not case.expected and not case.waits_for]
    return Subject(path, path.stem, text, cases)


def random_subjects(seeds, folder):
    sys.path.insert(0, str(HERE.parent / "random"))
    from generate import write_files  # noqa: E402
    from words import PLAIN
    for path, programs in write_files(folder, seeds, 1, PLAIN):
        yield Subject(path, "random", path.read_text(), [[]])


def is_within(hazard, function, name):
    """Whether a line, or an end of a hazard, lies in a function of the file."""
    ends = [(hazard.get("file"), hazard.get("line")), (hazard.get("other_file"), hazard.get("other_line"))]
    return any(file and pathlib.Path(file).name == name and function[0] <= (line or 0) <= function[1]
               for file, line in ends)


class Bench:
    """Runs programs under --check and the reference at once."""

    def __init__(self, options, folder):
        self.compiler, self.folder, self.is_verbose = options.compiler, folder, options.verbose
        self.environment = dict(os.environ, XDG_CACHE_HOME=str(folder / "cache"))
        (folder / "bin").mkdir()
        self.tool = folder / "bin" / "tilescope"
        # The tool looks for its runtime beside itself.
        shutil.copy(options.tool, self.tool)
        (folder / "lib").symlink_to(options.reference.resolve())

    def tool_run(self, source, arguments, options, **environment):
        """The process that has ended, None if it does not, and its profile, None if it left none."""
        with tempfile.TemporaryDirectory(dir=self.folder) as own:
            profile = pathlib.Path(own) / "profile.json"
            command = [str(self.tool), "run", "-q", *UNCACHED, "--no-ptxas", "--compiler", self.compiler, *options,
                       "--json", str(profile), str(source), "--", *arguments]
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT,
                                      env=dict(self.environment, **environment), errors="replace")
            except subprocess.TimeoutExpired:
                return None, None
            return done, json.loads(profile.read_text()) if profile.exists() else None

    def run(self, source, arguments):
        with tempfile.NamedTemporaryFile("r", dir=self.folder) as judged:
            done, data = self.tool_run(source, arguments, ["--check", "all"], TILESCOPE_REFERENCE=judged.name)
            lines = judged.read().splitlines()
        if done is None:
            return Run([], None, [], "it does not end")
        if data is None:
            return Run([], done.returncode, [], done.stderr[-300:])
        hazards = list(data.get("hazards", []))
        for launch in data.get("launches", []):
            hazards += launch.get("hazards", [])
        return Run(hazards, done.returncode, [json.loads(line) for line in lines], None)

    def result(self, source, arguments, fill, options=()):
        """What comes out, without checks, when fresh memory holds a byte."""
        done, data = self.tool_run(source, arguments, ["--jobs", "1", "--fill", fill, *options])
        return Result(done and done.returncode, done and done.stdout, data["launches"] if data else [])

    def by_fresh_memory(self, source, arguments, function=None, fills=FILLS):
        """What hangs on bytes that nobody wrote, in words, and whether these are of the function's registers."""
        plain = self.result(source, arguments, fills[0])
        for fill in fills[1:]:
            if what := difference(plain, self.result(source, arguments, fill)):
                return f"with --fill {fill} {what}", False
        if self.compiler.startswith("clang"):
            other = self.result(source, arguments, fills[0], PATTERN)
            # It is another machine code, which counts otherwise.
            if what := difference(plain, other._replace(launches=plain.launches)):
                with_local = [line for launch in plain.launches if launch["local_bytes_per_thread"]
                              for line in launch["lines"]]
                in_registers = function and not any(is_within(line, function, source.name) for line in with_local)
                return f"with a pattern in automatic variables {what}", bool(in_registers)
        return None, False


def difference(one, other):
    """What two results of a program do not share, in words."""
    if one.status != other.status:
        return f"the status is {other.status} instead of {one.status}"
    if one.output != other.output:
        lines = zip(*([*text.splitlines(), ""] for text in (one.output or "", other.output or "")))
        return "it prints otherwise: " + next((f'"{b}" instead of "{a}"' for a, b in lines if a != b), "its last lines")
    if len(one.launches) != len(other.launches):
        return f"{len(other.launches)} launches instead of {len(one.launches)}"
    for a, b in zip(one.launches, other.launches):
        for name, count in a["counters"].items():
            if b["counters"].get(name) != count:
                return f"{a['kernel']} has {b['counters'].get(name)} {name} instead of {count}"
    return None


def pair_of(space, one, other):
    return space, min(one, other), max(one, other)


def against_reference(run):
    """Races that only the check has, and sets of races of which it has none."""
    reported = {pair_of(hazard["space"], hazard.get("line", 0), hazard.get("other_line", 0))
                for hazard in run.hazards if hazard["kind"] == "race"}
    known, sets = set(), set()
    for launch in run.reference:
        pairs = [pair_of(race["space"], race["one"][1], race["other"][1]) for race in launch["races"]]
        known |= set(pairs)
        sets |= {frozenset(pairs[i] for i in numbers) for numbers in launch["by_byte"]}
    is_judged = all(launch["judged"] for launch in run.reference)
    return (reported - known if is_judged else set()), [each for each in sets if not each & reported], is_judged


def verdict_of(subject, mutation, bench, source):
    """The columns that a mutant counts in, and what to say of it."""
    found, elsewhere, large, said = False, False, False, []
    missed = false = registers = False
    for arguments in subject.of_init if mutation.kind == "init" else subject.arguments:
        run = bench.run(source, arguments)
        if run.problem:
            return (["found"], ["it does not end"]) if run.status is None else ([], [run.problem])
        extra, unseen, is_judged = against_reference(run)
        errors = [hazard for hazard in run.hazards if not hazard.get("warning") and
                  hazard.get("severity", "error") == "error"]
        if errors and run.status not in (3, 4):
            said.append(f"{arguments}: hazards are reported, and the status is {run.status}")
        if mutation.kind == "init":
            run = run._replace(hazards=[hazard for hazard in run.hazards if hazard["kind"] != "leak"])
        undefined = [hazard for hazard in run.hazards if hazard["kind"] == "uninitialized"]
        near = [hazard for hazard in run.hazards if is_within(hazard, mutation.function, source.name)] \
            if mutation.function else undefined
        found, elsewhere = found or bool(near), elsewhere or bool(run.hazards)
        large = large or not is_judged
        if unseen:
            missed = True
            said.append(f"{arguments}: missed, one of {sorted(unseen[0])}")
        if extra:
            false = True
            said.append(f"{arguments}: false alarm, {sorted(extra)[:3]}")
        is_fault = run.hazards and run.status == FAULT
        if mutation.kind == "init" and not is_fault and (bench.is_verbose or not undefined):
            what, is_register = bench.by_fresh_memory(source, arguments, mutation.function)
            if undefined and not what:
                said.append(f"{arguments}: no result hangs on what is reported")
            elif what and not undefined:
                missed, registers = missed or not is_register, registers or is_register
                said.append(f"{arguments}: {'in registers' if is_register else 'missed'}, {what}")
    kind = "found" if found else "elsewhere" if elsewhere else "missed" if missed else \
        "registers" if registers else "too large" if large and mutation.kind in RACES else "harmless"
    columns = [kind] + (["missed"] if missed and kind != "missed" else []) + (["false"] if false else [])
    return columns, said


def chosen(subject, options):
    """Mutations of a program, at most --each of every kind."""
    draw = random.Random(f"{options.seed} {subject.path.name}")
    by_kind = collections.defaultdict(list)
    for mutation in mutations_of(subject.text):
        if mutation.kind in options.kinds and mutation.kind in subject.kinds:
            by_kind[mutation.kind].append(mutation)
    for kind in KINDS:
        some = by_kind[kind]
        yield from some if len(some) <= options.each else draw.sample(some, options.each)


def judge_baseline(subject, bench):
    """What is wrong with the program as it is; and it has to be clean to say anything."""
    said = []
    for arguments in subject.arguments:
        run = bench.run(subject.path, arguments)
        if run.problem:
            return [run.problem]
        extra, unseen, _ = against_reference(run)
        if run.hazards:
            said.append(f"{arguments}: not clean, {run.hazards[0]['kind']} line {run.hazards[0].get('line')}")
        if unseen or extra:
            said.append(f"{arguments}: the reference differs, {unseen[:1]} {sorted(extra)[:1]}")
        elif all(hazard["kind"] == "leak" for hazard in run.hazards):
            subject.of_init.append(arguments)
    return said


def judge_fresh_memory(subject, bench):
    """Which cases of the program as it is hang on memory that nobody wrote; they have no mutants of initialisations."""
    said = []
    for arguments in list(subject.of_init):
        what, _ = bench.by_fresh_memory(subject.path, arguments, fills=[FILLS[0], FILLS[-1]])
        if what:
            said.append(f"{arguments}: {what}")
            subject.of_init.remove(arguments)
    return said


def print_table(table):
    print(f"{'program':22} {'kind':9}" + "".join(f"{name:>11}" for name in COLUMNS))
    sums = collections.Counter()
    for (name, kind), counts in sorted(table.items()):
        print(f"{name:22} {kind:9}" + "".join(f"{counts[column]:11}" for column in COLUMNS))
        sums.update(counts)
    for kind in KINDS:
        of_kind = sum((counts for (_, other), counts in table.items() if other == kind), collections.Counter())
        print(f"{'all':22} {kind:9}" + "".join(f"{of_kind[column]:11}" for column in COLUMNS))
    print(f"{'all':22} {'':9}" + "".join(f"{sums[column]:11}" for column in COLUMNS))
    return sums


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default="build/release/bin/tilescope", type=pathlib.Path)
    parser.add_argument("--reference", default="build/release/lib/reference", type=pathlib.Path)
    parser.add_argument("--compiler", default="clang")
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--each", type=int, default=1000)
    parser.add_argument("--random", help="FIRST..LAST, seeds of tests/random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("programs", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    options.kinds = options.kinds.split(",")
    if options.compiler.startswith("clang") and not any(
            shutil.which(name) for name in ["clang++", "clang"] + [f"clang++-{v}" for v in range(14, 20)]):
        print("skipped: no clang on this machine")
        return SKIPPED
    table, problems = collections.defaultdict(collections.Counter), []
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        folder = pathlib.Path(name)
        bench = Bench(options, folder)
        subjects = [subject_of(path) for path in options.programs]
        if options.random:
            first, _, last = options.random.partition("..")
            subjects += random_subjects(range(int(first), int(last or first) + 1), folder / "random")
        subjects = [subject for subject in subjects if subject.arguments]
        good = []
        for subject, said in zip(subjects, pool.map(lambda each: judge_baseline(each, bench), subjects)):
            if said:
                print(f"{subject.path.name}: left out{' of all but init' if subject.of_init else ''}: {said[0]}")
                problems += [line for line in said if "reference differs" in line]
                subject.kinds = ["init"]
            good.append(subject)
        if "init" in options.kinds:
            for subject, said in zip(good, pool.map(lambda each: judge_fresh_memory(each, bench), good)):
                for line in said:
                    print(f"{subject.path.name}: left out of init: {line}")
                if not subject.of_init:
                    subject.kinds = [kind for kind in subject.kinds if kind != "init"]

        def work(item):
            number, subject, mutation = item
            own = folder / f"mutant{number}"
            own.mkdir()
            for header in [*subject.path.parent.glob("*.h"), *subject.path.parent.glob("*.cuh")]:
                (own / header.name).symlink_to(header.resolve())
            source = own / subject.path.name
            source.write_text(mutation.text)
            return verdict_of(subject, mutation, bench, source)

        items = [(number, subject, mutation) for number, (subject, mutation) in enumerate(
            (subject, mutation) for subject in good for mutation in chosen(subject, options))]
        for (_, subject, mutation), (columns, said) in zip(items, pool.map(work, items)):
            where = f"{subject.path.name}:{mutation.line}: {mutation.kind}"
            if columns:
                table[subject.name, mutation.kind].update(["mutants", *columns])
            if options.verbose or set(columns) & {"missed", "false"}:
                print(f"{where}: {', '.join(columns) or 'not built'} {'; '.join(said)[:400]}", flush=True)
    sums = print_table(table)
    return 1 if problems or sums["missed"] or sums["false"] else 0


if __name__ == "__main__":
    sys.exit(main())
