"""Breaks correct programs in one place at a time, and asks whether --check finds it.

usage: mutate.py [--tool TILESCOPE] [--reference FOLDER] [--compiler NAME] [--kinds KIND,...] [--each N] [--random SEEDS]
                 [--seed NUMBER] [--jobs N] [-v] [PROGRAM.cu...]

A mutation takes away one barrier, fence, __syncwarp or atomic, makes a bound check always true, or makes an index one
larger, in a kernel or device function. PROGRAMs are examples, or programs of this folder, of which the cases that are
clean are run; --random adds programs of tests/random. --each: mutations of a kind and program, drawn by --seed.

Races are judged by the reference detector (reference/) as well, which looks at the same run: FOLDER holds the runtimes
with it, lib/reference of a build. The table says of each program and kind:
    mutants    that compile
    found      a hazard or fault is reported, in the function that was changed
    elsewhere  reported, but in other functions
    harmless   nothing is reported, and nothing raced says the reference; of bounds and indices: no access left its
               allocation, which the machine itself checks
    too large  nothing is reported, and the reference did not look at every launch
    missed     bytes race by the reference, and none of their races is reported
    false      races are reported that the reference does not have
Ends with status 1 if something is missed or false, and 77 without a compiler.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

from check_hazards import SKIPPED, UNCACHED, read_cases

HERE = pathlib.Path(__file__).resolve().parent
KINDS = ["barrier", "syncwarp", "fence", "atomic", "bound", "index"]
RACES = {"barrier", "syncwarp", "fence", "atomic"}
COLUMNS = ["mutants", "found", "elsewhere", "harmless", "too large", "missed", "false"]
LIMIT = 120  # seconds for a run

Mutation = collections.namedtuple("Mutation", "kind line function text")  # text: of the whole program
Run = collections.namedtuple("Run", "hazards status reference problem")


def closing(text, at):
    """Where the bracket that opens at `at` closes."""
    pairs, depth = {"(": ")", "[": "]", "{": "}"}, 0
    opens, closes = text[at], pairs[text[at]]
    for i in range(at, len(text)):
        depth += (text[i] == opens) - (text[i] == closes)
        if depth == 0:
            return i
    return -1


def without_comments(text):
    """The text with its comments as blanks, so that places stay."""
    blank = lambda found: re.sub(r"[^\n]", " ", found.group(0))
    return re.sub(r"//[^\n]*|/\*.*?\*/", blank, text, flags=re.DOTALL)


def device_functions(text):
    """(begin, end) of the bodies of kernels and device functions."""
    for found in re.finditer(r"__(?:global|device)__", text):
        open_brace, semicolon, equals = (text.find(sign, found.end()) for sign in "{;=")
        if open_brace < 0 or 0 <= semicolon < open_brace or 0 <= equals < open_brace:
            continue
        end = closing(text, open_brace)
        if end > 0:
            yield open_brace, end


def rewrites(text, begin, end):
    """(kind, from, to, what stands there instead) within a body."""
    body = lambda pattern: re.compile(pattern).finditer(text, begin, end)
    for found in body(r"__syncthreads\(\)|\b\w+\.sync\(\)|cg::sync\(\w+\)"):
        yield "barrier", found.start(), found.end(), "((void)0)"
    for found in body(r"__syncthreads_(?:or|and|count)(?=\()"):
        yield "barrier", found.start(), found.end(), ""
    for found in body(r"__syncwarp\([^()]*\)"):
        yield "syncwarp", found.start(), found.end(), "((void)0)"
    for found in body(r"__threadfence(?:_block|_system)?\(\)"):
        yield "fence", found.start(), found.end(), "((void)0)"
    for found in body(r"\batomicAdd(?:_block|_system)?\("):
        last = closing(text, found.end() - 1)
        inside = text[found.end():last]
        depth = [inside[:i].count("(") + inside[:i].count("[") - inside[:i].count(")") - inside[:i].count("]")
                 for i in range(len(inside))]
        commas = [i for i, sign in enumerate(inside) if sign == "," and depth[i] == 0]
        if len(commas) == 1:
            place, value = inside[:commas[0]].strip(), inside[commas[0] + 1:].strip()
            yield "atomic", found.start(), last + 1, f"((*({place}) += ({value})) - ({value}))"
    for found in body(r"\bif (?:constexpr )?\("):
        last = closing(text, found.end() - 1)
        condition = text[found.end():last]
        if "constexpr" not in found.group(0) and re.search(r"[^<]<[^<]|[^>-]>[^>]", condition):
            returns = re.match(r"\s*\{?\s*(return|continue|break)\b", text[last + 1:end])
            yield "bound", found.end(), last, "false" if returns else "true"
    for found in body(r"\b\w+(\[)"):
        last = closing(text, found.end() - 1)
        line = text[text.rfind("\n", 0, found.start()) + 1:found.start()]
        declares = re.search(r"(?:__shared__|constexpr|\b(?:int|unsigned|float|double|char|bool|long|short|T)\s+)$|__shared__",
                             line)
        if last > 0 and not declares and text[found.end():last].strip():
            yield "index", found.end(), last, f"({text[found.end():last]}) + 1"


def mutations_of(source):
    plain = without_comments(source)
    seen = set()
    for begin, end in device_functions(plain):
        lines = plain.count("\n", 0, begin) + 1, plain.count("\n", 0, end) + 1
        for kind, first, last, instead in rewrites(plain, begin, end):
            if (first, last) in seen:
                continue
            seen.add((first, last))
            line = plain.count("\n", 0, first) + 1
            yield Mutation(kind, line, lines, source[:first] + instead + source[last:])


class Subject:
    """A correct program with the arguments that it is run with."""

    def __init__(self, path, name, text, arguments):
        self.path, self.name, self.text, self.arguments = path, name, text, arguments


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


class Bench:
    """Runs programs under --check and the reference at once."""

    def __init__(self, options, folder):
        self.compiler, self.folder = options.compiler, folder
        self.environment = dict(os.environ, XDG_CACHE_HOME=str(folder / "cache"))
        (folder / "bin").mkdir()
        self.tool = folder / "bin" / "tilescope"
        # The tool looks for its runtime beside itself.
        shutil.copy(options.tool, self.tool)
        (folder / "lib").symlink_to(options.reference.resolve())

    def run(self, source, arguments):
        with tempfile.TemporaryDirectory(dir=self.folder) as own:
            profile, judged = pathlib.Path(own) / "profile.json", pathlib.Path(own) / "reference.jsonl"
            command = [str(self.tool), "run", "-q", *UNCACHED, "--no-ptxas", "--compiler", self.compiler,
                       "--check", "all", "--json", str(profile), str(source), "--", *arguments]
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT,
                                      env=dict(self.environment, TILESCOPE_REFERENCE=str(judged)), errors="replace")
            except subprocess.TimeoutExpired:
                return Run([], None, [], "it does not end")
            if not profile.exists():
                return Run([], done.returncode, [], done.stderr[-300:])
            data = json.loads(profile.read_text())
            lines = judged.read_text().splitlines() if judged.exists() else []
        hazards = list(data.get("hazards", []))
        for launch in data.get("launches", []):
            hazards += launch.get("hazards", [])
        return Run(hazards, done.returncode, [json.loads(line) for line in lines], None)


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
    missed = false = False
    for arguments in subject.arguments:
        run = bench.run(source, arguments)
        if run.problem:
            return (["found"], ["it does not end"]) if run.status is None else ([], [run.problem])
        extra, unseen, is_judged = against_reference(run)
        errors = [hazard for hazard in run.hazards if not hazard.get("warning") and
                  hazard.get("severity", "error") == "error"]
        if errors and run.status not in (3, 4):
            said.append(f"{arguments}: hazards are reported, and the status is {run.status}")
        first, last = mutation.function
        near = [hazard for hazard in run.hazards
                if any(first <= (hazard.get(end) or 0) <= last for end in ("line", "other_line"))]
        found, elsewhere = found or bool(near), elsewhere or bool(run.hazards)
        large = large or not is_judged
        if unseen:
            missed = True
            said.append(f"{arguments}: missed, one of {sorted(unseen[0])}")
        if extra:
            false = True
            said.append(f"{arguments}: false alarm, {sorted(extra)[:3]}")
    kind = "found" if found else "elsewhere" if elsewhere else "missed" if missed else \
        "too large" if large and mutation.kind in RACES else "harmless"
    columns = [kind] + (["missed"] if missed and kind != "missed" else []) + (["false"] if false else [])
    return columns, said


def chosen(subject, options):
    """Mutations of a program, at most --each of every kind."""
    draw = random.Random(f"{options.seed} {subject.path.name}")
    by_kind = collections.defaultdict(list)
    for mutation in mutations_of(subject.text):
        if mutation.kind in options.kinds:
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
                print(f"{subject.path.name}: left out: {said[0]}")
                problems += [line for line in said if "reference differs" in line]
            else:
                good.append(subject)

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
