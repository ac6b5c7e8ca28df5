#!/usr/bin/env python3
"""Holds the spelling of instructions to the rows: outside scope/isa/families and scope/isa/library no string of the code
that runs kernels may be an opcode. What a pass wants to know of an instruction stands in its row's effect.

usage: check_opcodes.py [ROOT]

Prints FILE:LINE: for each such string and exits with 1 if there is one. Standard library only.
"""
import pathlib
import re
import sys

ROWS = ("scope/isa/families", "scope/isa/library")  # where opcodes are spelled
LOOKED_AT = ("scope/isa", "scope/machine", "scope/observers")
SYNTAX = re.compile(r'\.syntax = "([a-z][a-z0-9_]*)')
STRING = re.compile(r'"([a-z][a-z0-9_]*)(?:\.[a-z0-9_.:]*)?"')
# Some modifiers are spelled like instructions: atom.add, setp.and.
# ... and features of the processor: fma.
OTHER = re.compile(r"\b(?:has|one_of|__builtin_cpu_supports)\(\{?[^)]*\)")


def opcodes(root):
    return {
        match[1]
        for folder in ROWS
        for path in (root / folder).glob("*.cpp")
        for match in SYNTAX.finditer(path.read_text(encoding="utf-8"))
    }


def check(root):
    known = opcodes(root)
    if not known:
        yield f"{ROWS[0]}: no rows were found; does SYNTAX in scripts/check_opcodes.py still fit them?"
    for folder in LOOKED_AT:
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix not in (".cpp", ".h") or name.startswith(ROWS):
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                code = OTHER.sub("", line.partition("//")[0])
                for match in STRING.finditer(code):
                    if match[1] in known:
                        yield f"{name}:{number}: {match[0]} is an opcode; ask the row's effect (scope/isa/table/row.h)"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve()
    problems = list(check(root))
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
