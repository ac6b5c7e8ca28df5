#!/usr/bin/env python3
"""Asks a GPU what single instructions give, and writes its answers into tests/truth/isa/h200.tsv.

Run where the GPU is; the kernels are made where the project is built:

    build/release/bin/tilescope_isa_table --kernels FOLDER
    nvcc -arch=sm_90 -cubin -o FOLDER/device_library.cubin FOLDER/device_library.cu   # or there
    scripts/measure_isa_table.py FOLDER    # there

Every line is measured, those marked `ours` become `h200`, and the head says the device, the driver and the day. Lines
whose outputs were others before are shown: a device of the same kind should have none. It refuses any device but the one
that the table is of.

usage: measure_isa_table.py FOLDER [--table TABLE] [--check]
  --check   only say what differs
"""
import argparse
import datetime
import pathlib
import re
import subprocess
import sys

from gpu_driver import Driver

LANES, OUTPUT_BYTES = 16, 16  # tests/truth/isa/table.h and kernels.h
TABLE = pathlib.Path(__file__).resolve().parent.parent / "tests/truth/isa/h200.tsv"
ORIGIN, TOLERANCE, INSTRUCTION, OUTPUTS = 0, 1, 2, 3  # columns


def width(kind):
    """Bytes of a result in memory."""
    if kind == "pred":
        return 4
    return 4 if kind.endswith("16x2") else int(re.search(r"\d+", kind)[0]) // 8


def words(values):
    """As tests/truth/isa/table.h has them: hexadecimal, equal neighbours as V*N."""
    text, i = [], 0
    while i < len(values):
        same = 1
        while i + same < len(values) and values[i + same] == values[i]:
            same += 1
        text.append(f"{values[i]:x}" + (f"*{same}" if same > 1 else ""))
        i += same
    return " ".join(text)


def modules(folder):
    """Kernels' names, and images or texts that hold them."""
    for path in sorted(folder.iterdir()):
        if path.suffix == ".ptx":
            text = path.read_text()
            yield re.findall(r"\.entry (line_\d+)\(", text), text
        elif path.suffix == ".cu":
            image = path.with_suffix(".cubin")
            if not image.exists():
                subprocess.run(["nvcc", "-arch=sm_90", "-cubin", "-o", image, path], check=True)
            yield re.findall(r"void (line_\d+)\(", path.read_text()), image.read_bytes()


def measure(driver, folder, lines):
    """Outputs as text, a list for each result, by the line's number."""
    answers = {}
    for kernels, code in modules(folder):
        module = driver.load_ptx(code) if isinstance(code, str) else driver.load(code)
        for kernel in kernels:
            number = int(kernel.split("_")[1])
            instruction = lines[number - 1].split("\t")[INSTRUCTION]
            results = re.findall(r"=(\w+)", instruction)
            empty = b"\xa5" * (len(results) * LANES * OUTPUT_BYTES)  # what is not written cannot look like a zero
            out, = driver.launch(module, kernel, (1, 1, 1), (LANES, 1, 1), 0, [("buffer", empty)])
            answers[number] = []
            for r, kind in enumerate(results):
                places = [(r * LANES + lane) * OUTPUT_BYTES for lane in range(LANES)]
                answers[number].append(words([int.from_bytes(out[at:at + width(kind)], "little") for at in places]))
        driver.call("cuModuleUnload", module)
    return answers


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=pathlib.Path)
    options.add_argument("--table", type=pathlib.Path, default=TABLE)
    options.add_argument("--check", action="store_true")
    options = options.parse_args()
    lines = options.table.read_text().split("\n")
    heads = {line.split("\t")[0]: i for i, line in enumerate(lines) if line.count("\t") == 1 and line[0] != "#"}
    driver = Driver()
    facts = {**driver.facts(), "date": datetime.date.today().isoformat()}
    wanted = lines[heads["device"]].split("\t")[1]
    if facts["device"] != wanted:
        sys.exit(f"the table is of an {wanted}, this is an {facts['device']}")
    answers = measure(driver, options.folder, lines)
    differ = new = 0
    for i, line in enumerate(lines):
        columns = line.split("\t")
        if columns[ORIGIN] not in ("h200", "ours"):
            continue
        if i + 1 not in answers:
            sys.exit(f"line {i + 1} has no kernel in {options.folder}: make the kernels again")
        was, now = columns[OUTPUTS:], answers[i + 1]
        new += columns[ORIGIN] == "ours"
        if was and was != now:
            differ += 1
            print(f"line {i + 1}, {columns[INSTRUCTION]}, of {columns[ORIGIN]}:\n  was {was}\n  is  {now}")
        lines[i] = "\t".join(["h200", *columns[TOLERANCE:OUTPUTS], *now])
    print(f"{len(answers)} lines measured on {facts}: {new} were ours, {differ} differ")
    if not options.check:
        for key, value in facts.items():
            lines[heads[key]] = f"{key}\t{value}"
        options.table.write_text("\n".join(lines))
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
