#!/usr/bin/env python3
"""check_patterns.py TILESCOPE

Holds `tilescope pattern` to an oracle that was written apart from it: expressions by Python's own arithmetic with C's
rules of truncation, sectors as sets of 32-byte pieces, passes by the rule of banks (docs/internals/rules/shared.md) for elements of
up to 4 bytes, and for wider ones whose lanes ask for different elements. Expressions are made at random, by a fixed seed.
"""
import json
import random
import re
import subprocess
import sys

LANES = 32


class Undefined(Exception):
    pass


class Int(int):
    """A C int in Python: quotients are cut towards 0, what leaves 32 bits is undefined."""

    @staticmethod
    def of(value):
        if not -2**31 <= value < 2**31:
            raise Undefined
        return Int(value)

    def __add__(self, other): return Int.of(int(self) + int(other))
    def __sub__(self, other): return Int.of(int(self) - int(other))
    def __mul__(self, other): return Int.of(int(self) * int(other))
    def __neg__(self): return Int.of(-int(self))
    def __invert__(self): return Int(~int(self))
    def __and__(self, other): return Int(int(self) & int(other))
    def __or__(self, other): return Int(int(self) | int(other))
    def __xor__(self, other): return Int(int(self) ^ int(other))

    def __floordiv__(self, other):
        if other == 0:
            raise Undefined
        quotient = abs(int(self)) // abs(int(other))
        return Int.of(quotient if (self < 0) == (other < 0) else -quotient)

    def __mod__(self, other):
        return Int(int(self) - int(other) * int(self // other))

    def __lshift__(self, other):
        if not 0 <= other < 32:
            raise Undefined
        return Int.of(int(self) << int(other))

    def __rshift__(self, other):
        if not 0 <= other < 32:
            raise Undefined
        return Int(int(self) >> int(other))


def expression(random_, depth):
    if depth == 0 or random_.random() < 0.2:
        return random_.choice(["tid", "tx", "ty", "lane", str(random_.randint(0, 64))])
    kind = random_.random()
    if kind < 0.1:
        return random_.choice("-~") + " " + "(" + expression(random_, depth - 1) + ")"
    op = random_.choice(["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^"])
    left, right = expression(random_, depth - 1), expression(random_, depth - 1)
    if op in ("<<", ">>"):
        right = str(random_.randint(0, 5))
    return f"({left}) {op} ({right})" if random_.random() < 0.4 else f"{left} {op} {right}"


def oracle_indexes(text, block_x, warp):
    """Of each lane; Python binds & ^ | and shifts as C does."""
    indexes = []
    for lane in range(LANES):
        tid = warp * LANES + lane
        names = {"tid": Int(tid), "tx": Int(tid % block_x), "ty": Int(tid // block_x), "lane": Int(lane)}
        # Every number is a C int, too.
        python = re.sub(r"\b\d+", r"Int(\g<0>)", text).replace("/", "//")
        indexes.append(int(eval(python, {"Int": Int}, names)))  # of expressions made above
    return indexes


def oracle(indexes, element):
    begin = 1 << 50
    firsts = [begin + index * element for index in indexes]
    distinct = len(set(firsts))
    sectors = {byte // 32 for first in firsts for byte in range(first, first + element)}
    lines = {byte // 128 for first in firsts for byte in range(first, first + element)}
    found = {"sectors": len(sectors), "ideal_sectors": (distinct * element + 31) // 32, "lines": len(lines)}
    if element > 4 and distinct != LANES:
        return found, None
    group = LANES * 4 // max(element, 4)
    wavefronts = 0
    for from_ in range(0, LANES, group):
        banks = {}
        for first in firsts[from_:from_ + group]:
            banks.setdefault(first // 4 % 32, set()).add(first // 4)
        wavefronts += max(len(words) for words in banks.values())
    return found, {"wavefronts": wavefronts, "ideal_wavefronts": LANES // group,
                   "conflicts": wavefronts - LANES // group}


def main():
    tilescope = sys.argv[1]
    random_ = random.Random(36)
    checked = undefined = wrong = 0
    texts = ["tid*17", "tid*2", "(tid/8)*32 + tid%8", "tid*33", "tid ^ 3", "7", "tid/2", "tid*32", "-tid", "ty*17 + tx"]
    texts += [expression(random_, random_.randint(1, 4)) for _ in range(290)]
    for text in texts:
        element = random_.choice([1, 2, 4, 4, 4, 8, 16])
        block_x = random_.choice([8, 16, 32, 64])
        warp = random_.randint(0, 64 // 8 - 1)
        # In parentheses, as what begins with a minus would be an option.
        ran = subprocess.run([tilescope, "pattern", f"({text})", "--element", str(element), "--block",
                              f"{block_x},{1024 // block_x}", "--warp", str(warp), "--json", "-"],
                             capture_output=True, text=True)
        try:
            indexes = oracle_indexes(text, block_x, warp)
        except Undefined:
            undefined += 1
            if ran.returncode != 2:
                wrong += 1
                print(f"{text}: undefined in C, and status {ran.returncode}")
            continue
        if ran.returncode != 0:
            wrong += 1
            print(f"{text}: status {ran.returncode}: {ran.stderr}")
            continue
        said = json.loads(ran.stdout)
        checked += 1
        got = [lane["index"] for lane in said["lanes"]]
        global_, shared = oracle(indexes, element)
        for what, one, other in [("indexes", got, indexes),
                                 ("sectors", {key: said["global"][key] for key in global_}, global_)] + \
                                ([("banks", said["shared"], shared)] if shared and said["shared"] else []):
            if one != other:
                wrong += 1
                print(f"{text} of {element} B, block {block_x}, warp {warp}: {what} {one}, not {other}")
    print(f"{checked} expressions, {undefined} that C does not define, {wrong} wrong")
    return 1 if wrong or checked < 200 or undefined < 5 else 0


if __name__ == "__main__":
    sys.exit(main())
