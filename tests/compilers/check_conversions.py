"""Conversions of values that the integer cannot hold: what conversions.cu prints through each compiler is what the PTX ISA says
of cvt; an NVIDIA H200 printed the same.

usage: check_conversions.py TILESCOPE COMPILER...     (77: none of the compilers is installed)
"""
import math
import pathlib
import re
import subprocess
import sys

import compilers

INTEGERS = {"int": (32, True), "uint": (32, False), "ll": (64, True), "ull": (64, False), "short": (16, True),
            "ushort": (16, False), "char": (8, True), "uchar": (8, False)}
# A cast to less than 32 bits goes through 32: (bits and sign of the instruction, bits of the result).
CASTS = {"(unsigned char)(signed char)x": (32, True, 8), "(unsigned char)x": (32, False, 8),
         "(unsigned short)(short)x": (32, True, 16), "(unsigned short)x": (32, False, 16), "(unsigned)(int)x": (32, True, 32),
         "(unsigned)x": (32, False, 32), "(unsigned long)(long)x": (64, True, 64), "(unsigned long)x": (64, False, 64),
         "(unsigned long long)(long long)x": (64, True, 64), "(unsigned long long)x": (64, False, 64)}


def half_away(x):
    return math.floor(abs(x) + 0.5) * (1 if x > 0 else -1) if abs(x) < 2.0**52 else int(x)


ROUNDINGS = {"rn": round, "rz": math.trunc, "rd": math.floor, "ru": math.ceil, "away": half_away}


def converted(x, source, bits, signed, rounding):
    """cvt to an integer: rounded, then the nearest that the integer holds; 0 for what is no number, but the highest bit alone
    where 64 bits are on either side."""
    if math.isnan(x):
        return 1 << (bits - 1) if source == "double" or bits == 64 else 0
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    if math.isinf(x):
        return high if x > 0 else low
    return min(max(ROUNDINGS[rounding](x), low), high)


def expected(source, name, x):
    """What a conversion gives for x, or None for one that does not end in an integer."""
    if name in CASTS:
        bits, signed, kept = CASTS[name]
        return converted(x, source, bits, signed, "rz") % (1 << kept)
    if name == "(bool)x":
        return int(x != 0)
    if found := re.search(r"__(float|double|half)2(\w+)_(r[nzdu])\b", name):
        if found[2] not in INTEGERS:
            return None
        bits, signed = INTEGERS[found[2]]
        return converted(x, found[1], bits, signed, found[3]) % (1 << (bits if "(unsigned" in name else 64))
    if found := re.match(r"l*(rint|round)f?\(", name):
        return converted(x, source, 64, True, "rn" if found[1] == "rint" else "away") % (1 << 64)
    return None


def literal(name):
    """The value that a conversion of a constant has in its call."""
    text = name[name.rindex("(") + 1:].rstrip(")")
    return {"NAN": math.nan, "INFINITY": math.inf}.get(text) if text.isupper() else float(text.rstrip("f"))


def problems_of(output):
    values, problems, checked = {}, [], 0
    for line in output.splitlines():
        title, results = line.split(": ", 1)
        source, name = title.split(" ", 1)
        if name == "values":
            values[source] = [float.fromhex(value) for value in results.split()]
            continue
        for i, result in enumerate(results.split()):
            x = literal(name) if source == "constant" else values[source][i]
            if source == "constant":
                source_of_name = "double" if "double" in name or name.startswith("llround(") else "float"
                want = expected(source_of_name, name, x)
            else:
                want = expected(source, name, x)
            if want is not None:
                checked += 1
                if int(result, 16) != want:
                    problems.append(f"{title} of {x}: {result}, not {want:x}")
    return problems, checked


def main():
    tool, *wanted = sys.argv[1:]
    names = [name for name in wanted if compilers.installed(name)]
    if not names:
        print("skipped: none of " + ", ".join(wanted) + " is installed")
        return compilers.SKIPPED
    failed = False
    for compiler in names:
        source = pathlib.Path(__file__).parent / "conversions.cu"
        done = subprocess.run([tool, "run", "-q", "--compiler", compiler, str(source)], capture_output=True, text=True)
        problems, checked = problems_of(done.stdout)
        if done.returncode != 0 or checked == 0:
            problems.append(f"exit status {done.returncode}, {checked} results: {done.stderr[-2000:]}")
        for problem in problems:
            print(f"{compiler}: {problem}", file=sys.stderr)
        print(f"{compiler}: {checked} results, {len(problems)} wrong")
        failed = failed or bool(problems)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
