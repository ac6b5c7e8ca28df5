#!/usr/bin/env python3
"""Asks ptxas which PTX version and which target each spelling needs, and writes the answers down:
tests/isa/targets_ptxas.txt (the verdicts) and the rows of scope/isa/families/word_needs_rows.h (from which words they
follow).

It also asks whether ptxas takes instructions under each of HEADS, and writes these answers to tests/isa/targets_asked.txt:
of each group of verdicts one, and spellings drawn by a hash, from which the rows were not made.

usage: record_targets.py ROW_TEXTS [PTXAS]

ROW_TEXTS is the built program tilescope_row_texts. ptxas says of .version 2.0 what version a feature needs, and of
.target sm_50 what target; it names every line, so that hundreds of instructions share a file. Standard library only.
"""
import collections
import itertools
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
VERDICTS = ROOT / "tests/isa/targets_ptxas.txt"
ASKED = ROOT / "tests/isa/targets_asked.txt"
ROWS = ROOT / "scope/isa/families/word_needs_rows.h"
HEAD = """.address_size 64
.const .align 32 .b8 table[64];
.func leaf() { ret; }
.visible .entry k(.param .u64 buffer, .param .align 32 .b8 number[64])
{
 .reg .pred %p<64>; .reg .b16 %h<64>; .reg .b32 %r<200>; .reg .b64 %d<200>; .reg .b128 %q<64>;
 .shared .align 32 .b8 tile[256];
 .local .align 32 .b8 stack[64];
 TARGETS: .branchtargets L1, L1, L1, L1, L1;
"""
# Versions and targets, each with the other.
HEADS = [("9.0", target) for target in (
    "sm_50", "sm_60", "sm_61", "sm_70", "sm_72", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_100a",
    "sm_100f", "sm_103a", "sm_110a", "sm_120", "sm_120a", "sm_121a")] + [
    ("5.0", "sm_60"), ("6.0", "sm_70"), ("6.3", "sm_75"), ("6.4", "sm_70"), ("7.0", "sm_80"), ("7.4", "sm_80"), ("7.8", "sm_90"),
    ("8.0", "sm_90a"), ("8.1", "sm_90"), ("8.3", "sm_90a"), ("8.5", "sm_89"), ("8.6", "sm_100a"), ("8.8", "sm_120a"),
    ("8.8", "sm_100f")]
DRAWN_OF_A_ROW = 12
ALIKE = 2  # spellings of one opcode with the same answers that are written down
LAST = "mov.b16 %h0, {%h3, %h4};"  # refused everywhere: ptxas has read to the end, and stops there
AT_ONCE = 1500
# Operands that have to be numbers.
IMMEDIATES = {"cp": "1", "setmaxnreg": "40", "pmevent": "1", "wgmma": "1", "discard": "128", "applypriority": "128"}
# Asked one after another of spellings that ptxas calls "not supported on .target", without a number. It assembles for sm_75
# and later, and reads older targets.
TARGETS = ("sm_53", "sm_60", "sm_61", "sm_70", "sm_72", "sm_75", "sm_80", "sm_86", "sm_87", "sm_89", "sm_90", "sm_90a",
           "sm_100", "sm_100a", "sm_103a", "sm_110a", "sm_120a", "sm_121a")
DROPPED = "without '.sync' is not supported"  # in a later version on a later target, which kDropped has


def ask_once(ptxas, version, target, arch, texts, folder):
    head = f".version {version}\n.target {target}\n{HEAD}"
    first = head.count("\n") + 1
    path = pathlib.Path(folder) / "query.ptx"
    path.write_text(head + "".join(text + ";\n" for text in texts) + LAST + "\nL1:\n ret;\n}\n", encoding="utf-8")
    run = subprocess.run([ptxas, f"-arch={arch}", path, "-o", "/dev/null"], capture_output=True, text=True, check=False)
    said, fatal = collections.defaultdict(list), []
    for line in (run.stdout + run.stderr).splitlines():
        match = re.match(r"ptxas \S+, line (\d+); (error|fatal) *: (.*)", line)
        if match:
            said[int(match[1]) - first].append(match[3])
            if match[2] == "fatal":
                fatal.append(int(match[1]) - first)
    return said, fatal


def ask(ptxas, version, target, arch, items, folder):
    """{number: what ptxas says} of (number, text) pairs; None where ptxas itself fails."""
    if not items:
        return {}
    said, fatal = ask_once(ptxas, version, target, arch, [text for _, text in items], folder)
    if len(items) in said:
        return {items[at][0]: words for at, words in said.items() if 0 <= at < len(items)}
    fatal = [at for at in fatal if 0 <= at < len(items)]
    if fatal:
        at = fatal[0]
        others = items[:at] + items[at + 1:]
        return {items[at][0]: said[at]} | ask(ptxas, version, target, arch, others, folder)
    if len(items) == 1:
        return {items[0][0]: None}
    half = len(items) // 2
    return (ask(ptxas, version, target, arch, items[:half], folder) |
            ask(ptxas, version, target, arch, items[half:], folder))


def split_operands(text):
    """("add.u32", ["%r0", "{%r1, %r2}"]) of an instruction."""
    spelling, _, rest = text.partition(" ")
    return spelling, re.findall(r"(?:\{[^}]*\}|\[(?:[^\]{]|\{[^}]*\})*\]|[^,{\[])+", rest)


def repaired(text, messages):
    """The text with operands that ptxas takes: the rows take single registers for vectors of one, and registers where
    PTX wants immediates or predicates."""
    spelling, operands = split_operands(text)
    operands = [operand.strip() for operand in operands]
    opcode = spelling.split(".")[0]
    for message in messages:
        if match := re.search(r"Vector (?:of size 1 is )?expected for argument (\d)", message):
            at = int(match[1])
            operands[at] = "{" + operands[at].strip("{}") + "}"
        elif message.startswith("Predicate output"):
            operands[0] += "|%p9"
        elif message.startswith("Arguments mismatch") and opcode in IMMEDIATES:
            operands[-1] = IMMEDIATES[opcode]
    return f"{spelling} {', '.join(operands)}".rstrip()


def well_formed(ptxas, texts, folder):
    """The texts with operands that ptxas takes; without those of which it takes none."""
    texts = [text for text in texts if not text.split(" ", 1)[-1].startswith("_,") or text.startswith(("atom", "red"))]
    for _ in range(3):
        told = {}
        items = list(enumerate(texts))
        for at in range(0, len(items), AT_ONCE):
            told |= ask(ptxas, "9.0", "sm_100a", "sm_100a", items[at:at + AT_ONCE], folder)
        texts = [repaired(text, told.get(at) or []) for at, text in items if told.get(at, []) is not None]
    return [text for at, text in enumerate(texts) if not any(is_of_operands(m) for m in told.get(at) or [])]


def is_of_operands(message):
    return not re.search(r"requires (.target|PTX ISA)|not supported on .target|cannot be compiled", message)


def number_of(target):
    return int(target[3:].rstrip("af"))


def first_targets(ptxas, items, folder):
    """{number: the first target that takes it} of (number, text) pairs."""
    found = {}
    for target in TARGETS:
        left = [item for item in items if item[0] not in found]
        refused = ask(ptxas, "9.0", target, arch_of(target), left, folder)
        found |= {number: number_of(target) for number, _ in left if number not in refused}
    return found


def verdicts(ptxas, texts):
    """{spelling: (version, target)}, without spellings that ptxas does not take."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        texts = well_formed(ptxas, texts, folder)
        items = list(enumerate(texts))
        targets, versions = {}, {}
        for at in range(0, len(items), AT_ONCE):
            part = items[at:at + AT_ONCE]
            targets |= ask(ptxas, "9.0", "sm_50", "sm_75", part, folder)
            versions |= ask(ptxas, "2.0", "sm_100a", "sm_100a", part, folder)
        unnumbered = [item for item in items
                      if any("not supported on .target" in message and DROPPED not in message
                             for message in targets.get(item[0]) or [])]
        firsts = first_targets(ptxas, unnumbered, folder)
    for number, text in items:
        spelling = text.split(" ")[0]
        target, version, known = firsts.get(number, 50), 10, True
        for words in (targets.get(number, []), versions.get(number, [])):
            if words is None:
                known = False
                continue
            for message in words:
                if match := re.search(r"requires .target (?:sm_)?(\d+)", message):
                    target = max(target, int(match[1]))
                elif match := re.search(r"requires PTX ISA .version (\d+)\.(\d+)", message):
                    version = max(version, 10 * int(match[1]) + int(match[2]))
                elif is_of_operands(message) and not message.startswith("State space incorrect"):
                    known = False
        if "b128" in spelling.split("."):  # the register, which ptxas refuses where it is declared
            target, version = max(target, 70), max(version, 83)
        if known:
            before = found.get(spelling, (version, target))
            found[spelling] = (min(before[0], version), min(before[1], target))
    return found


def in_order(words, spelling):
    rest = iter(spelling)
    return all(word in rest for word in words)


def rules_of(items):
    """{words: value} of (spelling, value) pairs: a spelling's value is the most of those whose words it has."""
    rules = {(): min(value for _, value in items)}
    for length in (1, 2, 3, 4):
        low = {(spelling, value) for spelling, value in items
               if max(rule for words, rule in rules.items() if in_order(words, spelling)) < value}
        choices = {words for spelling, _ in low for words in itertools.combinations(spelling, length)}
        least = {words: min(value for spelling, value in items if in_order(words, spelling)) for words in choices}
        while low:
            explained = {words: sum(1 for spelling, value in low if value == least[words] and in_order(words, spelling))
                         for words in choices}
            best = min(choices, key=lambda words: (-explained[words], words))
            if explained[best] == 0:
                break
            rules[best] = least[best]
            low = {(spelling, value) for spelling, value in low
                   if not (value == least[best] and in_order(best, spelling))}
    wrong = [spelling for spelling, value in items
             if max(rule for words, rule in rules.items() if in_order(words, spelling)) != value]
    if wrong:
        sys.exit(f"no rule of four words explains {wrong[0]}")
    return rules


def write_verdicts(found):
    head = [line for line in VERDICTS.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    groups = collections.defaultdict(list)
    for spelling, (version, target) in found.items():
        opcode = spelling.split(".")[0]
        groups[(opcode, version, target)].append(spelling[len(opcode):] or ".")
    lines = [f"{version // 10}.{version % 10} sm_{target} {opcode} {' '.join(sorted(endings))}"
             for (opcode, version, target), endings in sorted(groups.items())]
    VERDICTS.write_text("\n".join(head + lines) + "\n", encoding="utf-8")


def arch_of(target):
    return target if number_of(target) >= 75 else "sm_75"


def answers_of(ptxas, texts):
    """{text: "1" or "0" for each of HEADS} of the texts that ptxas takes under one of them at least."""
    answers = collections.defaultdict(str)
    with tempfile.TemporaryDirectory() as folder:
        texts = well_formed(ptxas, texts, folder)
        for version, target in HEADS:
            items = list(enumerate(texts))
            refused = {}
            for at in range(0, len(items), AT_ONCE):
                refused |= ask(ptxas, version, target, arch_of(target), items[at:at + AT_ONCE], folder)
            for at, text in items:
                answers[text] += "0" if refused.get(at, []) != [] else "1"
    return {text: answer for text, answer in answers.items() if "1" in answer}


def write_asked(answers):
    lines = [line for line in ASKED.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    lines.append("heads " + " ".join(f"{version}/{target}" for version, target in HEADS))
    kept = collections.Counter()
    for text, answer in sorted(answers.items()):
        opcode = text.split(" ")[0].split(".")[0]
        kept[(opcode, answer)] += 1
        if kept[(opcode, answer)] <= ALIKE:
            lines.append(f"{answer} {text}")
    ASKED.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_rows(found):
    by_opcode = collections.defaultdict(list)
    for spelling, verdict in found.items():
        opcode, *words = spelling.split(".")
        by_opcode[opcode].append((tuple(words), verdict))
    rows = []
    for opcode, items in by_opcode.items():
        versions = rules_of([(words, verdict[0]) for words, verdict in items])
        targets = rules_of([(words, verdict[1]) for words, verdict in items])
        for words in set(versions) | set(targets):
            version, target = versions.get(words, 10), targets.get(words, 50)
            if (version, target) != (10, 50):
                rows.append((opcode, " ".join(words), version, target))
    text = ROWS.read_text(encoding="utf-8")
    start = text.index("kWords[] = {\n") + len("kWords[] = {\n")
    lines = "".join('    {"%s", "%s", {%d, %d}},\n' % row for row in sorted(rows))
    text = text[:start] + lines + text[text.index("};\n\n}  // namespace"):]
    ROWS.write_text(re.sub(r"[\d,]+ spellings", f"{len(found):,} spellings", text, count=1), encoding="utf-8")


def texts_with_syntax(program, *arguments):
    """(syntax, operands, instruction) of the rows whose instructions ptxas knows."""
    listed = subprocess.run([program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    rows = [line.split("\t") for line in listed.stdout.splitlines()]
    return [row[1:] for row in rows if row[0] not in ("device_library", "system_call")]


def texts_of(program, *arguments):
    return list(dict.fromkeys(text for _, _, text in texts_with_syntax(program, *arguments)))


def one_of_each(found, texts):
    """One instruction of each opcode, version and target."""
    chosen = {}
    for text in texts:
        spelling = text.split(" ")[0]
        if spelling in found:
            chosen.setdefault((spelling.split(".")[0], found[spelling]), text)
    return list(chosen.values())


def main():
    ptxas = sys.argv[2] if len(sys.argv) > 2 else "ptxas"
    texts = texts_of(sys.argv[1])
    found = verdicts(ptxas, texts)
    write_verdicts(found)
    write_rows(found)
    drawn = [text for text in texts_of(sys.argv[1], str(DRAWN_OF_A_ROW)) if text.split(" ")[0] not in found]
    answers = answers_of(ptxas, one_of_each(found, texts) + drawn)
    write_asked(answers)
    print(f"{len(found)} spellings, {len(answers)} instructions asked under {len(HEADS)} heads")


if __name__ == "__main__":
    main()
