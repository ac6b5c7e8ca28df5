#!/usr/bin/env python3
"""Runs the golden cases on a GPU and compares; marks the cases that it agrees with as measured.

Needs NVIDIA's driver and nothing else. Cases that expect a fault or an error are left out. Each file runs in a process
of its own: a kernel that ends its process, or never ends, is a line of the report and no more.

usage: check_goldens_on_gpu.py [--mark] [FILE.ptx ...]     all of tests/golden without a FILE
  --mark   writes `measured=DEVICE,DRIVER,DATE` behind the launch of each case that the GPU agrees with: nothing of ours
           overwrites its expectations from then on. Empty expectations (`// expect: arg 0 =`) get the GPU's values
"""
import argparse
import datetime
import pathlib
import re
import struct
import subprocess
import sys

from gpu_driver import Driver

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "tests" / "golden"
DIRECTIVE = re.compile(r"// (launch|arg|expect|counter|fault|hazard|error): ?(.*)")
CONTINUATION = "//    "
LONGEST = 60  # seconds for one file
SHOWN = 4  # values of an expectation that differ


def parse_value(kind, size, text):
    if kind != "f":
        return int(text, 0) & ((1 << 8 * size) - 1)
    if text[:2] in ("0f", "0d"):
        return int(text[2:], 16)
    return int.from_bytes(struct.pack("<f" if size == 4 else "<d", float(text)), "little")


def read_values(kind, size, text, count):
    words = text.split()
    if words in (["iota"], ["zeros"], ["ones"]):
        words = [str(i if words == ["iota"] else int(words == ["ones"])) for i in range(count)]
    values = []
    for word in words:
        value, _, times = word.partition("*")
        values += [parse_value(kind, size, value)] * int(times or 1)
    return values


def print_value(kind, size, bits):
    if kind == "u":
        return str(bits)
    if kind == "s":
        return str(bits - (1 << 8 * size) if bits >> (8 * size - 1) else bits)
    if kind == "b":
        return f"0x{bits:0{2 * size}x}"
    return f"0{'f' if size == 4 else 'd'}{bits:0{2 * size}x}"


def print_values(kind, size, values):
    words, i = [], 0
    while i < len(values):
        same = 1
        while i + same < len(values) and values[i + same] == values[i]:
            same += 1
        words.append(print_value(kind, size, values[i]) + (f"*{same}" if same > 1 else ""))
        i += same
    return words


def read_golden(path):
    """The file's lines, and its cases with the lines they stand in."""
    lines, cases, i = path.read_text().split("\n"), [], 0
    while i < len(lines):
        found = DIRECTIVE.match(lines[i])
        if not found:
            i += 1
            continue
        first, (key, text) = i, found.groups()
        i += 1
        while i < len(lines) and lines[i].startswith(CONTINUATION):
            text += " " + lines[i][2:].strip()
            i += 1
        if key == "launch":
            words = text.split()
            options = dict(word.split("=") for word in words[1:])
            shape = {k: ([int(v) for v in options.get(k, "1").split(",")] + [1, 1])[:3] for k in ("grid", "block")}
            cases.append({"kernel": words[0], "line": first, "shared": int(options.get("shared", 0)),
                          "args": [], "expect": [], "fails": False, **shape})
        elif key == "arg":
            kind, _, values = text.partition("=")
            form, letter, bits, count = re.match(r"(?:(buffer|value):)?([usbf])(\d+)(?:\[(\d+)\])?",
                                                 kind.strip()).groups()
            size = int(bits) // 8
            numbers = read_values(letter, size, values, int(count or 1))
            cases[-1]["args"].append({"buffer": form == "buffer", "kind": letter, "size": size,
                                      "bytes": b"".join(v.to_bytes(size, "little") for v in numbers)})
        elif key == "expect":
            head, _, values = text.partition("=")
            cases[-1]["expect"].append({"arg": int(head.split()[1]), "head": head.strip(), "values": values,
                                        "lines": (first, i)})
        elif key in ("fault", "hazard", "error"):
            cases[-1]["fails"] = True
    return lines, cases


def near(kind, size, a, b, head):
    """Whether two values are equal, or as near as the expectation's head says ("arg 0 within 2 ulp or 1e-6")."""
    tolerance = re.search(r"within (\d+) ulp(?: or (\S+))?", head)
    if a == b or kind != "f" or not tolerance:
        return a == b
    x, y = (struct.unpack("<f" if size == 4 else "<d", v.to_bytes(size, "little"))[0] for v in (a, b))
    if x != x or y != y:
        return x != x and y != y
    top = 1 << (8 * size - 1)
    p, q = (top - v if v & top else v for v in (a, b))
    return abs(x - y) <= float(tolerance[2] or 0) or abs(p - q) <= int(tolerance[1])


def wrapped(head, words):
    lines = [f"// expect: {head} ="]
    for word in words:
        if len(lines[-1]) + 1 + len(word) > 120:
            lines.append(CONTINUATION + word)
        else:
            lines[-1] += " " + word
    return lines


def check_case(path, case, buffers, changes):
    """How many expectations differ. Notes what --mark would fill in."""
    wrong, at = 0, 0
    found = {}
    for i, argument in enumerate(case["args"]):
        if argument["buffer"]:
            found[i], at = buffers[at], at + 1
    for expect in case["expect"]:
        argument = case["args"][expect["arg"]]
        kind, size, raw = argument["kind"], argument["size"], found[expect["arg"]]
        got = [int.from_bytes(raw[k:k + size], "little") for k in range(0, len(raw), size)]
        if not expect["values"].strip():
            changes.append((*expect["lines"], wrapped(expect["head"], print_values(kind, size, got))))
            continue
        wanted = read_values(kind, size, expect["values"], len(got))
        differ = [k for k in range(len(got))
                  if k >= len(wanted) or not near(kind, size, wanted[k], got[k], expect["head"])]
        if differ:
            wrong += 1
            print(f"{path.name} {case['kernel']} {expect['head']}: {len(differ)} of {len(got)} differ")
            for k in differ[:SHOWN]:
                was = print_value(kind, size, wanted[k]) if k < len(wanted) else "nothing"
                print(f"  [{k}] expected {was}, the GPU says {print_value(kind, size, got[k])}")
    return wrong


def check_file(path, mark):
    """One file, in this process. Exit status 0 when all agrees."""
    lines, cases = read_golden(path)
    driver = Driver()
    facts = driver.facts()
    measured = "measured=" + ",".join([facts["device"].replace(" ", "-"), facts["driver"],
                                       datetime.date.today().isoformat()])
    module = driver.load_ptx(path.read_text())
    wrong, ran, changes = 0, 0, []
    for case in cases:
        if case["fails"]:
            continue
        arguments = [("buffer", a["bytes"]) if a["buffer"] else a["bytes"] for a in case["args"]]
        try:
            buffers = driver.launch(module, case["kernel"], case["grid"], case["block"], case["shared"], arguments)
        except RuntimeError as error:  # after it nothing more runs in this process
            print(f"{path.name} {case['kernel']}: {error}")
            wrong += 1
            break
        ran += 1
        differ = check_case(path, case, buffers, changes)
        wrong += differ
        if case["expect"] and not differ:
            line = case["line"]
            changes.append((line, line + 1, [re.sub(r" measured=\S*", "", lines[line]) + " " + measured]))
    if mark:
        for first, last, new in sorted(changes, key=lambda change: change[0], reverse=True):
            lines[first:last] = new
        path.write_text("\n".join(lines))
    print(f"{path.name}: {ran} cases ran, {wrong} expectations differ")
    return 1 if wrong else 0


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--mark", action="store_true")
    options.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options.add_argument("files", nargs="*", type=pathlib.Path)
    options = options.parse_args()
    if options.here:
        try:
            return check_file(options.files[0], options.mark)
        except RuntimeError as error:
            print(f"{options.files[0].name}: not run, {error}")
            return 2
    failed = 0
    for path in options.files or sorted(FOLDER.rglob("*.ptx")):
        command = [sys.executable, "-X", "faulthandler", __file__, "--here", *["--mark"] * options.mark, path]
        try:
            run = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST)
            print(run.stdout, end="")
            if run.returncode not in (0, 1, 2):
                print(f"{path.name}: ended with status {run.returncode}\n{run.stderr}", end="")
            failed += run.returncode != 0
        except subprocess.TimeoutExpired:
            print(f"{path.name}: not done after {LONGEST} s")
            failed += 1
    print(f"{failed} files do not agree or did not run")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
