#!/usr/bin/env python3
"""Runs the golden cases on a GPU and compares, or writes what it answered into them.

Needs NVIDIA's driver and nothing else: the driver compiles the PTX. Cases that expect a fault or an error are left out.
The device library has no body in PTX: --library names a cubin with kernels of the same names (make_row_goldens.py
--library writes the CUDA source). Goldens with a tolerance keep it; NaNs are compared by their bits.

usage: run_goldens_on_gpu.py [--write] [--library CUBIN] [FILE.ptx ...]     all of tests/golden without a FILE
"""
import argparse
import ctypes
import pathlib
import re
import struct
import sys

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "tests" / "golden"
DIRECTIVE = re.compile(r"// (launch|arg|expect|counter|fault|error): ?(.*)")
CONTINUATION = "//    "


class Driver:
    """The few calls of libcuda that a launch needs."""

    def __init__(self):
        self.lib = ctypes.CDLL("libcuda.so.1")
        self.check("cuInit", 0)
        device = ctypes.c_int()
        self.check("cuDeviceGet", ctypes.byref(device), 0)
        self.context = ctypes.c_void_p()
        self.check("cuDevicePrimaryCtxRetain", ctypes.byref(self.context), device)
        self.check("cuCtxSetCurrent", self.context)

    def check(self, name, *arguments):
        status = getattr(self.lib, name)(*arguments)
        if status != 0:
            text = ctypes.c_char_p()
            self.lib.cuGetErrorString(status, ctypes.byref(text))
            raise RuntimeError(f"{name}: {text.value.decode() if text.value else status}")

    def load(self, image):
        module = ctypes.c_void_p()
        self.check("cuModuleLoadData", ctypes.byref(module), image)
        return module

    def run(self, module, case):
        """The buffers after the launch, None for scalars."""
        function = ctypes.c_void_p()
        self.check("cuModuleGetFunction", ctypes.byref(function), module, case["kernel"].encode())
        pointers, values = [], []
        for argument in case["args"]:
            if argument["buffer"]:
                pointer = ctypes.c_uint64()
                self.check("cuMemAlloc_v2", ctypes.byref(pointer), max(1, len(argument["bytes"])))
                self.check("cuMemcpyHtoD_v2", pointer, argument["bytes"], len(argument["bytes"]))
                pointers.append(pointer)
                values.append(pointer)
            else:
                pointers.append(None)
                values.append(ctypes.create_string_buffer(argument["bytes"], len(argument["bytes"])))
        slots = (ctypes.c_void_p * max(1, len(values)))(*[ctypes.cast(ctypes.byref(v), ctypes.c_void_p) for v in values])
        try:
            self.check("cuLaunchKernel", function, *case["grid"], *case["block"], case["shared"], None, slots, None)
            self.check("cuCtxSynchronize")
            results = []
            for pointer, argument in zip(pointers, case["args"]):
                out = ctypes.create_string_buffer(len(argument["bytes"]))
                if pointer is not None:
                    self.check("cuMemcpyDtoH_v2", out, pointer, len(argument["bytes"]))
                results.append(out.raw if pointer is not None else None)
            return results
        finally:
            for pointer in pointers:
                if pointer is not None:
                    self.lib.cuMemFree_v2(pointer)


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
    value = struct.unpack("<f" if size == 4 else "<d", bits.to_bytes(size, "little"))[0]
    exact = value == value and abs(value) != float("inf") and value == int(value) and abs(value) < 1e6
    if exact and not (value == 0 and bits):
        return str(int(value))
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
    lines, cases = path.read_text().split("\n"), []
    i = 0
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
            cases.append({"kernel": words[0], "shared": int(options.get("shared", 0)), "args": [], "expect": [],
                          "fails": False, **shape})
        elif key == "arg":
            kind, _, values = text.partition("=")
            found = re.match(r"(?:(buffer|value):)?([usbf])(\d+)(?:\[(\d+)\])?", kind.strip())
            form, letter, bits, count = found.groups()
            size = int(bits) // 8
            numbers = read_values(letter, size, values, int(count or 1))
            cases[-1]["args"].append({"buffer": form == "buffer", "kind": letter, "size": size,
                                      "bytes": b"".join(v.to_bytes(size, "little") for v in numbers)})
        elif key == "expect":
            head, _, values = text.partition("=")
            cases[-1]["expect"].append({"arg": int(head.split()[1]), "head": head.strip(), "values": values,
                                        "lines": (first, i)})
        elif key in ("fault", "error"):
            cases[-1]["fails"] = True
    return lines, cases


def apart(kind, size, a, b):
    """Units in the last place between two values, and their difference."""
    if a == b:
        return 0, 0.0
    code = "<f" if size == 4 else "<d"
    x, y = (struct.unpack(code, v.to_bytes(size, "little"))[0] for v in (a, b))
    if x != x and y != y:
        return 0, 0.0
    top = 1 << (8 * size - 1)
    p, q = (top - v if v & top else v for v in (a, b))
    return abs(p - q), abs(x - y)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--write", action="store_true")
    options.add_argument("--library")
    options.add_argument("files", nargs="*", type=pathlib.Path)
    options = options.parse_args()
    driver, wrong, ran = Driver(), 0, 0
    for path in options.files or sorted(FOLDER.rglob("*.ptx")):
        lines, cases = read_golden(path)
        try:
            library = options.library if path.stem == "device_library" else None
            image = open(library, "rb").read() if library else path.read_bytes() + b"\0"
            module = driver.load(image)
        except RuntimeError as error:
            print(f"{path.name}: not run, {error}")
            continue
        changes = []
        for case in cases:
            if case["fails"]:
                continue
            try:
                results = driver.run(module, case)
            except RuntimeError as error:
                print(f"{path.name} {case['kernel']}: {error}")
                wrong += 1
                continue
            ran += 1
            for expect in case["expect"]:
                argument = case["args"][expect["arg"]]
                kind, size, raw = argument["kind"], argument["size"], results[expect["arg"]]
                got = [int.from_bytes(raw[k:k + size], "little") for k in range(0, len(raw), size)]
                wanted = read_values(kind, size, expect["values"], len(got))
                differ = [k for k in range(len(got)) if k >= len(wanted) or got[k] != wanted[k]]
                if differ:
                    wrong += 1
                    k = differ[0]
                    worst = ""
                    if kind == "f" and len(wanted) == len(got):
                        distances = [apart(kind, size, got[k], wanted[k]) for k in differ]
                        worst = f", at most {max(d[0] for d in distances)} ulp, {max(d[1] for d in distances):.3g}"
                    was = print_value(kind, size, wanted[k]) if k < len(wanted) else "nothing"
                    print(f"{path.name} {case['kernel']} {expect['head']}: {len(differ)} of {len(got)} differ{worst}; "
                          f"[{k}] expected {was}, the GPU says {print_value(kind, size, got[k])}")
                changes.append((expect, print_values(kind, size, got)))
        if options.write:
            for expect, words in reversed(changes):
                new = [f"// expect: {expect['head']} ="]
                for word in words:
                    if len(new[-1]) + 1 + len(word) > 120:
                        new.append(CONTINUATION + word)
                    else:
                        new[-1] += " " + word
                lines[expect["lines"][0]:expect["lines"][1]] = new
            path.write_text("\n".join(lines))
    print(f"{ran} cases ran, {wrong} expectations differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
