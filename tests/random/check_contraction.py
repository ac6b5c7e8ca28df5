"""Random lines of products and sums in PTX: what tilescope computes and counts, held against ptxas' machine code.

usage: check_contraction.py TILESCOPE [--seeds FIRST..LAST] [--ptxas PTXAS] [--keep FOLDER]

Each seed is a kernel of one type: a few values are loaded, some ten instructions follow with and without roundings, and
some of what came out is stored. ptxas assembles it, machine_code.py says what that computes for the inputs and how many
sums, products and multiply-adds it has, and tilescope must give the same bits and the same counts. Ends with status 1 if
a kernel differs, and 77 where there is no ptxas.
"""
import argparse
import ast
import json
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

from choices import Choices
from generate import seeds
from machine_code import ADD, FORMATS, FUSED, MULTIPLY, Thread, Unreadable, encoded, kernels_of
from fractions import Fraction

SKIPPED = 77
TYPES = {"f32": ("f32", 4, "f32"), "f64": ("f64", 8, "f64"), "f16": ("b16", 2, "f16"), "bf16": ("b16", 2, "bf16"),
         "f16x2": ("b32", 4, "f16"), "bf16x2": ("b32", 4, "bf16")}
INPUTS = 6
EACH = 50  # kernels in a file
BETWEEN = ["bar.sync 0;", "membar.gl;", "bar.warp.sync -1;", "fence.acq_rel.gpu;"]


class Kernel:
    def __init__(self, seed):
        self.seed, self.name = seed, f"k{seed}"
        choices = Choices(seed)
        self.type = choices.of(list(TYPES))
        self.register, self.bytes, self.of = TYPES[self.type]
        self.given = b"".join(self.drawn(choices) for _ in range(INPUTS * self.bytes // (FORMATS[self.of][3] // 8)))
        self.lines, self.stores = [], 0
        self.has_dead = choices.one_in(8)  # lines whose results nobody reads, which machine code does not have
        self.has_negatives = False
        self.draw(choices)

    def drawn(self, choices):
        """Around 1, with all digits: nothing is rounded away, and nothing overflows."""
        digits, width = FORMATS[self.of][0], FORMATS[self.of][3]
        size = Fraction((1 << (digits - 1)) + choices.below(1 << (digits - 1)), 1 << (digits - choices.below(2)))
        return encoded(-size if choices.one_in(2) else size, self.of).to_bytes(width // 8, "little")

    def draw(self, choices):
        values, fresh, negative = [f"x{i}" for i in range(INPUTS)], [], set()
        count, known = choices.between(3, 14), set()
        for number in range(count):
            name = f"v{number}"

            def drawn():
                return choices.of(fresh[-3:]) if fresh and choices.one_in(2) else choices.of(values)
            ftz = ".ftz" if self.type == "f32" and choices.one_in(10) else ""
            rounding = ".rn" if choices.one_in(6) else ""
            operands = [drawn() for _ in range(3)]
            kind = choices.weighted([(6, "mul"), (5, "add"), (4, "sub"), (1, "fma"), (1, "neg"), (1, "mov")])
            self.has_negatives |= kind == "neg"
            if kind in ("mul", "add", "sub"):  # the same twice is computed once
                key = kind, *(operands[:2] if kind == "sub" else sorted(operands[:2]))
                if key in known:
                    continue
                known.add(key)
            if kind == "fma":
                line = f"fma.rn{ftz}.{self.type} {','.join([name, *operands])};"
            elif kind == "neg":
                line = f"neg.{self.type} {name},{operands[0]};"
            elif kind == "mov":
                line = f"mov.{self.register} {name},{operands[0]};"
            else:
                line = f"{kind}{rounding}{ftz}.{self.type} {','.join([name, *operands[:2]])};"
            self.lines.append(line)
            values.append(name)
            fresh.append(name)
            # A negative is never stored: it may take an instruction, which is no sum of ours.
            negative = {*negative, name} if kind == "neg" or kind == "mov" and operands[0] in negative else negative - {name}
            if choices.one_in(10):
                self.store(choices, fresh, negative)
            if choices.one_in(12):
                self.lines.append(choices.of(BETWEEN))
        for _ in range(choices.between(1, 3)):
            self.store(choices, fresh[-4:], negative)
        if not self.has_dead:
            self.leave_out_dead()

    @property
    def is_countable(self):
        """Single halves are computed two at a time where that goes, and a negative of bf16x2 takes an instruction."""
        return not (self.has_dead or self.bytes == 2 or self.type == "bf16x2" and self.has_negatives)

    def leave_out_dead(self):
        wanted, kept = set(), []
        for line in reversed(self.lines):
            operands = line.rstrip(";").split(" ")[-1].split(",")
            if line.startswith("st."):
                wanted.add(operands[1])
            elif operands[0].startswith("v"):
                if operands[0] not in wanted:
                    continue
                wanted = (wanted - {operands[0]}) | set(operands[1:])
            kept.append(line)
        self.lines = kept[::-1]

    def store(self, choices, values, negative):
        values = [value for value in values if value not in negative]
        if not values:
            return
        value = choices.of(values)
        self.lines.append(f"st.global.{self.register} [q+{self.stores * self.bytes}],{value};")
        self.stores += 1

    def text(self):
        loads = "".join(f"ld.global.{self.register} x{i},[p+{i * self.bytes}]; " for i in range(INPUTS))
        return (f".visible .entry {self.name}(.param .u64 in, .param .u64 out)\n{{\n.reg .{self.register} x<{INPUTS}>, v<20>;\n"
                ".reg .b64 p, q;\nld.param.u64 p,[in]; ld.param.u64 q,[out];\n" + loads + "\n" + "\n".join(self.lines) + "\nret;\n}\n")


def found_by_ptxas(kernel, words):
    thread = Thread(kernel.given)
    thread.run(words)
    stored = bytearray(kernel.stores * kernel.bytes)
    for at, piece in thread.stored.items():
        stored[at:at + len(piece)] = piece
    of = {"f32": "fp32", "f64": "fp64"}.get(kernel.type)
    counted = thread.counts
    if of:
        return bytes(stored), {f"{of}_{kind}": counted.get((kernel.type, kind), 0) for kind in (ADD, MULTIPLY, FUSED)}
    lanes = 2 if kernel.type.endswith("x2") else 1
    operations = sum(counted.get(("half", kind), 0) * (2 if kind == FUSED else 1) for kind in (ADD, MULTIPLY, FUSED))
    return bytes(stored), {"fp16_operations": operations * lanes}


def write_array(path, data):
    head = f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({len(data)},), }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + data)


def read_array(path):
    data = path.read_bytes()
    length, = struct.unpack_from("<H", data, 8)
    ast.literal_eval(data[10:10 + length].decode().strip())
    return data[10 + length:]


def found_by_us(tool, source, kernel, folder):
    write_array(folder / "in.npy", kernel.given)
    size = kernel.stores * kernel.bytes
    command = [tool, "launch", "-q", "--no-ptxas", "--caches", "off", str(source), "--kernel", kernel.name, "--arg",
               f"buffer:u8[{len(kernel.given)}]=@{folder / 'in.npy'}", "--arg", f"buffer:u8[{size}]=zeros", "--save",
               f"1={folder / 'out.npy'}", "--json", str(folder / "profile.json")]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    counters = json.loads((folder / "profile.json").read_text())["launches"][0]["counters"]
    return read_array(folder / "out.npy"), counters


def same_numbers(one, other, kernel):
    """But for the signs of zeros."""
    width = FORMATS[kernel.of][3] // 8
    for at in range(0, len(one), width):
        left, right = (int.from_bytes(data[at:at + width], "little") for data in (one, other))
        if left != right and (left | right) & ~(1 << (8 * width - 1)):
            return False
    return True


def check(tool, ptxas, numbers, keep):
    equal, unread, wrong = 0, 0, 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(keep or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for start in range(0, len(numbers), EACH):
            kernels = [Kernel(seed) for seed in numbers[start:start + EACH]]
            source = folder / f"contraction_{kernels[0].seed}.ptx"
            source.write_text(".version 8.0\n.target sm_90\n.address_size 64\n" + "".join(k.text() for k in kernels))
            cubin = source.with_suffix(".cubin")
            subprocess.run([ptxas, "-arch=sm_90", str(source), "-o", str(cubin)], check=True)
            code = kernels_of(cubin.read_bytes())
            for kernel in kernels:
                try:
                    stored, counts = found_by_ptxas(kernel, code[kernel.name])
                except Unreadable as reason:
                    unread += 1
                    print(f"{kernel.name} ({kernel.type}): not read: {reason}", file=sys.stderr)
                    continue
                ours, counters = found_by_us(tool, source, kernel, folder)
                differing = {name: (counters.get(name, 0), n) for name, n in counts.items() if counters.get(name, 0) != n}
                if not kernel.is_countable:
                    differing = {}
                if same_numbers(ours, stored, kernel) and not differing:
                    equal += 1
                    continue
                wrong += 1
                what = "counts" if same_numbers(ours, stored, kernel) else "values"
                print(f"{kernel.name} ({kernel.type}): {what}: {differing}\n  ours {ours.hex()}\n  code {stored.hex()}\n    " +
                      "\n    ".join(kernel.lines), flush=True)
    print(f"{len(numbers)} kernels: {equal} equal, {wrong} wrong, {unread} not read")
    return wrong, unread


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("--seeds", type=seeds, default=range(1, 501))
    parser.add_argument("--ptxas", default=shutil.which("ptxas") or "/usr/local/cuda/bin/ptxas")
    parser.add_argument("--keep", help="the kernels and their machine code")
    options = parser.parse_args()
    if not pathlib.Path(options.ptxas).exists():
        print("skipped: ptxas is not installed")
        return SKIPPED
    wrong, _ = check(options.tool, options.ptxas, list(options.seeds), options.keep)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
