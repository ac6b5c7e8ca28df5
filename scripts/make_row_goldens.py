#!/usr/bin/env python3
"""Writes the bodies of tests/golden/isa/*.ptx from the instruction table.

Covers the rows that compute values from values, one kernel a row, a few of its spellings each; the files for memory,
control and warps are written by hand (control.ptx, memory.ptx, warp.ptx, ...). Expected values are left empty:
scripts/run_goldens_on_gpu.py fills them in from a GPU, TILESCOPE_UPDATE_GOLDENS=1 from the emulator.

usage: make_row_goldens.py ROWS.tsv FOLDER [--ptxas PTXAS]
  ROWS.tsv   the output of tilescope_instruction_page --rows
  --library  the device library's functions have no body in PTX; nvcc gives them one
  --ptxas    leave out spellings that NVIDIA's assembler refuses
"""
import argparse
import collections
import os
import re
import subprocess
import tempfile

LANES = 16
FAMILIES = """integer integer_division integer_carry bits logic compare select move float32 float64 half approximate
convert convert_packed device_library""".split()
HEAD = ".version 8.5\n.target sm_90\n.address_size 64\n"
TYPES = set("""pred b8 u8 s8 b16 u16 s16 f16 bf16 b32 u32 s32 f32 f16x2 bf16x2 tf32 u16x2 s16x2 b64 u64 s64 f64
b128""".split())

B16 = [0, 1, 2, 5, 7, 0x7FFF, 0x8000, 0xFFFF, 0xFFFE, 0x1234, 0xDEAD, 0x00FF, 0x0100, 100, 0xAAAA, 31]
B32 = [0, 1, 2, 5, 7, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFFFFE, 0x12345678, 0xDEADBEEF, 0xFFFF, 0x10000, 100,
       0xAAAAAAAA, 31]
B64 = [0, 1, 2, 5, 7, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000, 0xFFFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFE,
       0x123456789ABCDEF0, 0xDEADBEEFCAFEF00D, 0xFFFFFFFF, 0x100000000, 100, 0xAAAAAAAAAAAAAAAA, 63]
F32 = [0, 0x80000000, 0x3F800000, 0xBFC00000, 0x7F800000, 0xFF800000, 0x7FC00000, 1, 0x807FFFFF, 0x7F7FFFFF,
       0x00800000, 0x3EAAAAAB, 0xC0490FDB, 0x4B800001, 0x0DA24260, 0x4640E6B7]
F64 = [0, 0x8000000000000000, 0x3FF0000000000000, 0xBFF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000,
       0x7FF8000000000000, 1, 0x800FFFFFFFFFFFFF, 0x7FEFFFFFFFFFFFFF, 0x0010000000000000, 0x3FD5555555555555,
       0xC00921FB54442D18, 0x4170000010000000, 0x39B4484BFEEBC2A0, 0x40C81CD6E631F8A1]
F16 = [0, 0x8000, 0x3C00, 0xBE00, 0x7C00, 0xFC00, 0x7E00, 1, 0x83FF, 0x7BFF, 0x0400, 0x3555, 0xC248, 0x6400, 0x1419,
       0x5640]
BF16 = [0, 0x8000, 0x3F80, 0xBFC0, 0x7F80, 0xFF80, 0x7FC0, 1, 0x807F, 0x7F7F, 0x0080, 0x3EAB, 0xC049, 0x4B80, 0x0DA2,
        0x4641]
SMALL = [0, 1, 5, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 255, 0x7FFFFFFF, 0xFFFFFFFF]
LANE = [0, 1, 5, 8, 15, 16, 17, 31, 30, 2, 3, 4, 7, 9, 29, 12]
COUNT = [1, 2, 3, 1, 0, 0xFFFFFFFF, 0xFFFFFFFE, 5, 1, 2, 4, 6, 8, 16, 1, 2]
SELECTOR = [0x3210, 0x0123, 0x7654, 0x4567, 0xFEDC, 0x89AB, 0x0000, 0x7777, 1, 2, 3, 0x10, 0x5140, 0x6240, 0xFFFF,
            0x31]
ANGLE = [0, 0x80000000, 0x7F800000, 0x7FC00000, 0x3F000000, 0xBF000000, 0x3F800000, 0xBF800000, 0x3FC90FDB, 0xBFC90FDB,
         0x40400000, 0x40000000, 0xC0000000, 0xC0400000, 0x3A83126F, 0xFF800000]
SLOPE = [0, 0x80000000, 0x3E800000, 0x3F000000, 0xBF000000, 0x3F800000, 0xBF800000, 0x3F19999A, 0x3DCCCCCD, 0x3ECCCCCD,
         0xBE99999A, 0x3F400000, 0xBF400000, 0x3A83126F, 0xBF333333, 0x3F666666]
POSITIVE32 = [0x3F000000, 0x3F800000, 0x3FC00000, 0x40000000, 0x40200000, 0x40400000, 0x40600000, 0x40800000, 0x40A00000,
              0x40D00000, 0x41000000, 0x41200000, 0x41480000, 0x41700000, 0x41900000, 0x41A80000]
POSITIVE64 = [0x3FE0000000000000, 0x3FF0000000000000, 0x3FF8000000000000, 0x4000000000000000, 0x4004000000000000,
              0x4008000000000000, 0x400C000000000000, 0x4010000000000000, 0x4014000000000000, 0x401A000000000000,
              0x4020000000000000, 0x4024000000000000, 0x4029000000000000, 0x402E000000000000, 0x4032000000000000,
              0x4035000000000000]
DEGREE = [0, 1, 2, 3, 4, 5, 2, 3, 0, 1, 4, 5, 3, 2, 1, 4]
BOOL = [0, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0]
ORDER = [0, 5, 11, 3, 7]  # how far the list is turned for each operand


def halves(low, high):
    return [low[i] | high[(i * 5 + 3) % 16] << 16 for i in range(16)]


VALUES = {
    "b8": (16, [v * 0x0101 if v < 256 else v for v in B16]), "b16": (16, B16), "b32": (32, B32), "b64": (64, B64),
    "f16": (16, F16), "bf16": (16, BF16), "f32": (32, F32), "f64": (64, F64), "u16x2": (32, halves(B16, B16)),
    "f16x2": (32, halves(F16, F16)), "bf16x2": (32, halves(BF16, BF16)), "small": (32, SMALL), "lane": (32, LANE),
    "byte": (8, [v & 255 for v in B16]), "count": (32, COUNT), "slope": (32, SLOPE), "positive32": (32, POSITIVE32),
    "positive64": (64, POSITIVE64), "degree": (32, DEGREE), "selector": (32, SELECTOR), "angle": (32, ANGLE), "pred": (32, BOOL),
}
KIND = {"u8": "b8", "s8": "b8", "u16": "b16", "s16": "b16", "u32": "b32", "s32": "b32", "u64": "b64", "s64": "b64",
        "s16x2": "u16x2", "tf32": "f32"}


def bits_of(kind):
    if kind == "pred":
        return 1
    if kind in VALUES:
        return max(16, VALUES[kind][0])
    return {"b128": 128}[kind]


class Kernel:
    """One row: inputs loaded once, then each spelling and its results."""

    def __init__(self, name, tolerance):
        self.name, self.tolerance = name, tolerance
        self.inputs = {}  # (kind, operand) -> register
        self.loads, self.blocks = [], []
        self.tables = set()

    def value(self, kind, operand):
        """A register with values of this kind, other ones for each operand."""
        key = (kind, operand)
        if key in self.inputs:
            return self.inputs[key]
        name = f"%{kind}_{'abcde'[operand]}"
        self.inputs[key] = name
        if kind == "b128":
            low, high = self.value("b64", operand), self.value("b64", (operand + 2) % 5)
            self.loads += [f".reg .b128 {name};", f"mov.b128 {name}, {{{low}, {high}}};"]
            return name
        bits = VALUES[kind][0]
        self.tables.add(kind)
        turn = ORDER[operand] * bits // 8
        loaded = name if kind != "pred" else name + "_bits"
        self.loads += [f".reg .b{bits} {loaded};", f"ld.global.b{bits} {loaded}, [%in_{kind}+{turn}];"]
        if kind == "pred":
            self.loads += [f".reg .pred {name};", f"setp.ne.b32 {name}, {loaded}, 0;"]
        return name

    def text(self):
        wide = any(store[1] == 64 for block in self.blocks for store in block["stores"])
        size = 8 if wide else 4
        lines = ["    .reg .b64 %out, %lane1, %lane2, %lane4, %lane8;", "    .reg .b32 %lane;", "    mov.u32 %lane, %tid.x;"]
        for bytes_ in sorted({2, 4, 8} | {VALUES[kind][0] // 8 for kind in self.tables}):
            lines.append(f"    mul.wide.u32 %lane{bytes_}, %lane, {bytes_};")
        lines += ["    ld.param.u64 %out, [out];", f"    add.u64 %out, %out, %lane{size};"]
        for kind in sorted(self.tables):
            lines += [f"    .reg .b64 %in_{kind};", f"    mov.u64 %in_{kind}, {kind}_values;",
                      f"    add.u64 %in_{kind}, %in_{kind}, %lane{VALUES[kind][0] // 8};"]
        lines += ["    " + line for line in self.loads]
        slot = 0
        for block in self.blocks:
            lines.append("    {")
            lines += ["        " + line for line in block["code"]]
            for register, bits in block["stores"]:
                if bits == 1:
                    lines += [f"        .reg .b32 %bit{slot};",
                              f"        selp.b32 %bit{slot}, 1, 0, {register};"]
                    register, bits = f"%bit{slot}", 32
                if bits == 32 and wide:
                    lines += [f"        .reg .b64 %long{slot};", f"        cvt.u64.u32 %long{slot}, {register};"]
                    register = f"%long{slot}"
                lines.append(f"        st.global.b{bits if bits < 32 else 8 * size} [%out+{slot * LANES * size}], {register};")
                slot += 1
            lines.append("    }")
        lines.append("    ret;")
        types = {block["type"] for block in self.blocks}
        kind = types.pop() if len(types) == 1 else "b"
        case = [f"launch: {self.name} block={LANES}", f"arg: buffer:{kind}{8 * size}[{slot * LANES}]=zeros",
                f"expect: arg 0{self.tolerance} ="]
        return case, f".visible .entry {self.name}(.param .u64 out)\n{{\n" + "\n".join(lines) + "\n}\n"


def form_types(spelling):
    return [word for word in spelling.split(".")[1:] if word in TYPES]


def operand_kind(token, types, spelling, index, family):
    """The kind of values for a read operand."""
    opcode = spelling.split(".")[0]
    if token in ("T0", "T1", "L0", "L1", "V0"):
        kind = types[int(token[1])]
    elif token == "W0":
        kind = {"u16": "b32", "s16": "b32", "u32": "b64", "s32": "b64"}[types[0]]
    else:
        kind = token
    if kind in ("u32", "s32", "b32"):
        if opcode in ("shl", "shr", "bmsk") or (opcode in ("shf", "bfe", "bfi", "szext") and token == "u32"):
            return "small"
        if opcode == "fns" and index == 2:
            return "lane"
        if opcode == "fns" and index == 3:
            return "count"
        if opcode == "prmt" and index == 3:
            return "selector"
    if family == "approximate" and opcode in ("sin", "cos", "tanh"):
        return "angle"
    return KIND.get(kind, kind)


def result_register(token, types):
    """Bits and printed type of a written operand."""
    kind = {"T": lambda: types[int(token[1])], "L": lambda: types[int(token[1])],
            "W": lambda: {"u16": "u32", "s16": "s32", "u32": "u64", "s32": "s64"}[types[0]]}.get(
                token[0], lambda: token)() if token[0] in "TLW" else token
    if kind == "pred":
        return 1, "u"
    letter = {"f32": "f", "f64": "f", "tf32": "f"}.get(kind, kind[0] if kind[0] in "us" and "x" not in kind else "b")
    if kind in ("u8", "s8", "b8"):
        return 32, letter
    return bits_of(KIND.get(kind, kind)), letter


def code_for(kernel, spelling, operands, family, number):
    types, code, stores, arguments = form_types(spelling), [], [], []
    letters = set()
    reads = 0
    for index, token in enumerate(operands.split()):
        optional = token.endswith("?")
        token = token.rstrip("?")
        writes = token.startswith("=")
        token = token.lstrip("=")
        if optional:
            continue
        if writes:
            parts = token.split("|") if not token.startswith("{") else [token]
            names = []
            for part in parts:
                bits, letter = result_register(part, types)
                name = f"%d{number}_{len(stores)}"
                code.append(f".reg .{'pred' if bits == 1 else f'b{bits}'} {name};")
                stores.append((name, bits))
                names.append(name)
                letters.add(letter)
            arguments.append("|".join(names))
        elif spelling.startswith("lop3") and token == "b32" and reads == 3:
            arguments.append(["0x96", "0xE8", "0x1B", "0x80"][number % 4])
            reads += 1
        else:
            arguments.append(kernel.value(operand_kind(token, types, spelling, index, family), reads))
            reads += 1
    carries_in = re.match(r"(addc|subc|madc)\b", spelling)
    if carries_in:
        carry = kernel.value("pred", 4) + "_bits"
        code += [f".reg .b32 %carry{number};", f"add.cc.u32 %carry{number}, {carry}, 0xffffffff;"]
    code.append(f"{spelling} {', '.join(arguments)};")
    if ".cc" in spelling:
        code += [f".reg .b32 %flag{number};", f"addc.u32 %flag{number}, 0, 0;"]
        stores.append((f"%flag{number}", 32))
    stored = []
    for name, bits in stores:
        if family == "half" and types and spelling.split(".")[0] in ("tanh", "ex2"):
            half = types[-1].removesuffix("x2")
            parts = [name]
            if bits == 32:
                parts = [name + "_low", name + "_high"]
                code += [f".reg .b16 {', '.join(parts)};", f"mov.b32 {{{', '.join(parts)}}}, {name};"]
            for part in parts:
                code += [f".reg .b32 {part}_wide;", f"cvt.f32.{half} {part}_wide, {part};"]
                stored.append((part + "_wide", 32))
        elif bits == 128:
            code += [f".reg .b64 {name}_low, {name}_high;", f"mov.b128 {{{name}_low, {name}_high}}, {name};"]
            stored += [(name + "_low", 64), (name + "_high", 64)]
        else:
            stored.append((name, bits))
    wide = {bits for _, bits in stored}
    letter = letters.pop() if len(letters) == 1 and len(wide) == 1 and ".cc" not in spelling else "b"
    if (family == "half" and spelling.split(".")[0] in ("tanh", "ex2")) or ".tf32." in spelling:
        letter = "f"
    kernel.blocks.append({"spelling": spelling, "code": code, "stores": stored, "type": letter})


def call_for(kernel, name, operands, number):
    """A call of the device library."""
    tokens = operands.split()
    result, parameters = tokens[0].lstrip("="), tokens[1:]
    code = []
    for i, kind in enumerate(parameters):
        code += [f".param .b{bits_of(KIND.get(kind, kind))} a{i};",
                 f"st.param.b{bits_of(KIND.get(kind, kind))} [a{i}], {kernel.value(library_kind(name, kind, i), i)};"]
    bits, letter = result_register(result, [])
    code += [f".param .b{bits} r;", f"call.uni (r), {name}, ({', '.join(f'a{i}' for i in range(len(parameters)))});",
             f".reg .b{bits} %d{number};", f"ld.param.b{bits} %d{number}, [r];"]
    kernel.blocks.append({"spelling": name, "code": code, "stores": [(f"%d{number}", bits)], "type": letter})
    declared = ", ".join(f".param .b{bits_of(KIND.get(kind, kind))} a{i}" for i, kind in enumerate(parameters))
    return f".extern .func (.param .b{bits} r) {name}({declared});\n"


def library_kind(name, kind, index):
    if name in ("__nv_fast_sinf", "__nv_fast_cosf"):
        return "angle"
    if name == "__nv_fast_tanf":
        return "slope"
    if re.fullmatch(r"__nv_[jy][01n]f?", name):
        return "degree" if kind == "s32" else "positive" + kind[1:]
    if kind == "s32" and re.search(r"(powi|ldexp|scalbn)", name):
        return "lane"
    return KIND.get(kind, kind)


def library_tolerance(name, result):
    """What CUDA's manual allows, rounded up; none for what is exact or correctly rounded."""
    exact = (r"(floor|ceil|trunc|rint|round|nearbyint|fabs|fmod|remainder|fdim|fmax|fmin|copysign|nextafter|ldexp|scalbn"
             r"|logb|fma|saturate|sqrt|half|_as_)")
    if result not in ("f32", "f64") or re.search(r"(_r[nzud]|64h)$", name) or \
            re.fullmatch(rf"__nv_{exact}f?", name) or re.search(r"(half|_as_|hiloint)", name):
        return ""
    if re.search(r"fast_", name):
        return " within 4 ulp or 1e-6"
    if re.fullmatch(r"__nv_([jy][01n]|lgamma)f?", name):
        return " within 16 ulp or " + ("1e-6" if result == "f32" else "1e-11")
    return " within 4 ulp"


def mov_special(kernel, spelling, operands, number):
    """mov from and to braces; True when the row is one of these."""
    if "{" not in operands:
        return False
    code, stores = [], []
    to, source = [token.lstrip("=") for token in operands.split()]
    element = int(re.search(r"\{b(\d+)\}", operands)[1])
    whole = int(spelling.split(".b")[1])
    count = whole // element
    if to.startswith("{"):
        names = [f"%d{number}_{i}" for i in range(count)]
        code += [f".reg .b{element} {', '.join(names)};",
                 f"{spelling} {{{', '.join(names)}}}, {kernel.value(f'b{whole}', 0)};"]
    else:
        sources = [kernel.value("byte" if element == 8 else f"b{element}", i % 5) for i in range(count)]
        code += [f".reg .b{whole} %d{number};", f"{spelling} %d{number}, {{{', '.join(sources)}}};"]
        names = [f"%d{number}"]
    for name in names:
        bits = whole if len(names) == 1 else element
        if bits == 128:
            code += [f".reg .b64 {name}_low, {name}_high;", f"mov.b128 {{{name}_low, {name}_high}}, {name};"]
            stores += [(name + "_low", 64), (name + "_high", 64)]
        else:
            stores.append((name, bits))
    kernel.blocks.append({"spelling": spelling, "code": code, "stores": stores, "type": "b"})
    return True


def library_program(kernels, rows):
    """The cases of device_library.ptx as CUDA."""
    names = {"f32": "float", "f64": "double", "u32": "unsigned", "s32": "int", "u64": "unsigned long long",
             "s64": "long long", "b16": "unsigned short", "b32": "unsigned"}
    text = ""
    for kind in sorted(set().union(*(kernel.tables for kernel in kernels))):
        bits, values = VALUES[kind]
        word = "unsigned" if bits == 32 else "unsigned long long"
        text += f"__device__ {word} {kind}_values[32] = {{{', '.join(hex(v) + ('ull' if bits == 64 else 'u') for v in values + values)}}};\n"
    for kernel, (_, name, operands, _) in zip(kernels, rows):
        result, *parameters = [names[token.lstrip("=")] for token in operands.split()]
        kinds = [library_kind(name, token, i) for i, token in enumerate(operands.split()[1:])]
        loads = [f"*({parameter}*)&{kind}_values[threadIdx.x + {ORDER[i]}]"
                 for i, (parameter, kind) in enumerate(zip(parameters, kinds))]
        text += f"extern \"C\" __device__ {result} {name}({', '.join(parameters)});\n"
        text += f"extern \"C\" __global__ void {kernel.name}({result}* out) {{\n"
        text += f"    out[threadIdx.x] = {name}({', '.join(loads)});\n}}\n"
    return text


def tolerance(family, syntax, operands):
    """The errors that PTX allows."""
    opcode = re.split(r"[.{]", syntax)[0]
    if family == "device_library":
        return library_tolerance(syntax, operands.split()[0].lstrip("="))
    if opcode in ("tanh", "ex2") and family == "half":
        return " within 131072 ulp" if "bf16" in syntax else " within 16384 ulp or 5e-4"
    if "satfinite.tf32" in syntax:
        return " within 0 ulp or 1e-45"  # any NaN will do
    if family != "approximate":
        return ""
    return {"tanh": " within 8192 ulp", "lg2": " within 4 ulp or 4e-7", "sin": " within 4 ulp or 1e-6",
            "cos": " within 4 ulp or 1e-6"}.get(opcode, " within 2 ulp")


def assemble(ptxas, text):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.ptx")
        with open(path, "w") as file:
            file.write(text)
        run = subprocess.run([ptxas, "-arch=sm_90", "-c", path, "-o", os.path.join(folder, "a.o")], capture_output=True,
                             text=True)
        return [int(line) for line in re.findall(r"line (\d+); error", run.stderr)], run.stderr


def file_text(name, kernels, declarations):
    cases, bodies, tables = [], [], set()
    for kernel in kernels:
        case, body = kernel.text()
        cases.append(case)
        bodies.append(body)
        tables |= kernel.tables
    text = f"// {name}: every row of the instruction table that has this opcode. Made by scripts/make_row_goldens.py.\n"
    for case in cases:
        text += "//\n" + "".join(f"// {line}\n" for line in case)
    text += HEAD
    for kind in sorted(tables):
        bits, values = VALUES[kind]
        turned = values + values  # so that an operand may start anywhere
        digits = bits // 4
        text += f".global .align 8 .b{bits} {kind}_values[32] = {{\n"
        for i in range(0, 32, 8):
            text += "    " + ", ".join(f"0x{v:0{digits}x}" for v in turned[i:i + 8]) + (",\n" if i < 24 else "};\n")
    return text + "".join(declarations) + "".join(bodies)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("rows")
    options.add_argument("folder")
    options.add_argument("--ptxas")
    options.add_argument("--library", help="write the device library's cases as CUDA here, for run_goldens_on_gpu.py")
    options = options.parse_args()
    files = collections.OrderedDict()
    for line in open(options.rows):
        family, syntax, operands, spellings = line.rstrip("\n").split("\t")
        if family not in FAMILIES:
            continue
        opcode = re.split(r"[.{]", syntax)[0]
        name = opcode if family != "device_library" else "device_library"
        files.setdefault(name, []).append((family, syntax, operands, spellings.split()))
    for name, rows in files.items():
        kernels, declarations = [], []
        for family, syntax, operands, spellings in rows:
            kernel = Kernel(f"{name if family != 'device_library' else syntax[5:]}_{len(kernels)}".lower(),
                            tolerance(family, syntax, operands))
            for number, spelling in enumerate(spellings):
                if family == "device_library":
                    declarations.append(call_for(kernel, spelling, operands, number))
                elif not (family == "move" and mov_special(kernel, spelling, operands, number)):
                    code_for(kernel, spelling, operands, family, number)
            kernels.append(kernel)
        text = file_text(name, kernels, declarations)
        if name == "device_library" and options.library:
            with open(options.library, "w") as file:
                file.write(library_program(kernels, rows))
        while options.ptxas and name != "device_library":
            bad, message = assemble(options.ptxas, text)
            if not bad:
                if message:
                    print(name, message[:500])
                break
            lines = text.split("\n")
            refused = {lines[at - 1].strip() for at in bad}
            dropped = 0
            for kernel in kernels:
                for block in list(kernel.blocks):
                    if refused & set(block["code"]):
                        print(f"refused by the assembler: {[c for c in block['code'] if c in refused]}")
                        kernel.blocks.remove(block)
                        dropped += 1
            kernels = [kernel for kernel in kernels if kernel.blocks]
            if not dropped or not kernels:
                print(name, message[:2000])
                break
            text = file_text(name, kernels, declarations)
        if kernels:
            with open(os.path.join(options.folder, name + ".ptx"), "w") as file:
                file.write(text)


if __name__ == "__main__":
    main()
