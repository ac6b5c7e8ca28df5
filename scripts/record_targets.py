#!/usr/bin/env python3
"""Asks ptxas which PTX version and which target each spelling needs, and writes the answers down:
tests/isa/targets_ptxas.txt (the verdicts) and the rows of scope/isa/families/word_needs_rows.h (from which words they
follow).

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
LAST = "mov.b16 %h0, {%h3, %h4};"  # refused everywhere: ptxas has read to the end, and stops there
AT_ONCE = 800
# What ptxas says of operands; the verdict on the spelling stands.
OF_OPERANDS = ("Arguments mismatch", "Vector expected", "Vector of size", "Operand vector", "Predicate output",
               "Result discard")
HOPPER = {"wgmma", "setmaxnreg"}  # by their full name: "not supported on .target" gives no number


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


def verdicts(ptxas, texts):
    """{spelling: (version, target)}, without spellings that ptxas does not take."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        items = list(enumerate(texts))
        targets, versions = {}, {}
        for at in range(0, len(items), AT_ONCE):
            part = items[at:at + AT_ONCE]
            targets |= ask(ptxas, "9.0", "sm_50", "sm_75", part, folder)
            versions |= ask(ptxas, "2.0", "sm_100a", "sm_100a", part, folder)
    for number, text in items:
        spelling = text.split(" ")[0]
        opcode = spelling.split(".")[0]
        target, version, known = 90 if opcode in HOPPER else 50, 10, True
        for words in (targets.get(number, []), versions.get(number, [])):
            if words is None:
                known = False
                continue
            for message in words:
                if match := re.search(r"requires .target (?:sm_)?(\d+)", message):
                    target = max(target, int(match[1]))
                elif match := re.search(r"requires PTX ISA .version (\d+)\.(\d+)", message):
                    version = max(version, 10 * int(match[1]) + int(match[2]))
                elif "not supported on .target" not in message and "cannot be compiled" not in message:
                    known = known and message.startswith(OF_OPERANDS)
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


def main():
    ptxas = sys.argv[2] if len(sys.argv) > 2 else "ptxas"
    listed = subprocess.run([sys.argv[1]], stdout=subprocess.PIPE, text=True, check=True).stdout
    rows = [line.split("\t") for line in listed.splitlines()]
    texts = list(dict.fromkeys(text for family, _, _, text in rows if family not in ("device_library", "system_call")))
    found = verdicts(ptxas, texts)
    write_verdicts(found)
    write_rows(found)
    print(f"{len(found)} spellings")


if __name__ == "__main__":
    main()
