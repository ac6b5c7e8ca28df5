"""The step of programs about shared memory that multiplies matrices by wgmma: random types, shapes, layouts and descriptors.

Owns: product(), a step as of shared_steps.py. Guarantees: the reference knows matrices alone and no descriptor. The text for the
device puts each element where the PTX ISA's canonical layouts have it, and elements are whole numbers whose sums are exact in
the type of the result, in any order. Does not test: sparse products, and how sums are rounded.
"""
import struct

from shared_state import WORD
from shared_steps import mix

GROUP, DEPTH_BYTES, MOST_BYTES = 128, 32, 12 << 10

FUNCTIONS = r'''
// A small whole number in a format with this bias of the exponent and this many fraction bits.
template <int kBias, int kFraction>
__device__ __forceinline__ unsigned small_float(int value) {
    const unsigned bits = __float_as_uint((float)value);
    const unsigned sign = bits >> 31 << (32 - __clz(kBias) + 1 + kFraction);
    return value == 0 ? 0 : sign | ((bits >> 23 & 255) - 127 + kBias) << kFraction | (bits & 0x7fffff) >> (23 - kFraction);
}
__device__ __forceinline__ int whole(unsigned row, unsigned k, unsigned by_row, unsigned by_k, unsigned by_both, unsigned most) {
    return (int)((row * by_row + k * by_k + row * k * by_both) % (2 * most + 1)) - (int)most;
}
__device__ __forceinline__ unsigned word_of(unsigned row, unsigned k, unsigned by_row, unsigned by_k) {
    unsigned x = (row * by_row + k * by_k + 1) * 0x9e3779b1u;
    x ^= x >> 15;
    return x * 0x85ebca77u;
}
// Two halves without the sign of a zero.
__device__ __forceinline__ unsigned without_minus(unsigned two) {
    if ((two & 0xffffu) == 0x8000u) two &= 0xffff0000u;
    return two >> 16 == 0x8000u ? two & 0xffffu : two;
}
__device__ __forceinline__ unsigned swizzled(unsigned place, unsigned base, unsigned mask) {
    return place ^ ((place >> 7) - base & mask) << 4;
}
'''


def whole(row, k, rule):
    by_row, by_k, by_both, most = rule
    return (row * by_row + k * by_k + row * k * by_both) % (2 * most + 1) - most


def word_of(row, k, by_row, by_k):
    x = (row * by_row + k * by_k + 1) * 0x9e3779b1 & WORD
    x ^= x >> 15
    return x * 0x85ebca77 & WORD


class Type:
    """Of elements: bytes per unit of storage, units per step of a product, the text and the value of an element."""

    def __init__(self, name, size, bias=0, fraction=0):
        self.name, self.size, self.bias, self.fraction = name, size, bias, fraction
        self.depth = DEPTH_BYTES // size
        self.is_float = fraction > 0

    def rule(self, choices, most):
        if self.is_float:
            return (choices.below(97) + 1, choices.below(97) + 1, choices.below(3), most)
        return (choices.below(1 << 12) * 2 + 1, choices.below(1 << 12) * 2 + 1)

    def text(self, row, k, rule):
        arguments = ", ".join(f"{number}u" for number in rule)
        if self.is_float:
            return f"small_float<{self.bias}, {self.fraction}>(whole({row}, {k}, {arguments}))"
        return f"word_of({row}, {k}, {arguments})" + ("" if self.size == 4 else " >> 24")

    def value(self, row, k, rule):
        if self.is_float:
            return whole(row, k, rule)
        word = word_of(row, k, *rule)
        if self.size == 4:
            return word
        byte = word >> 24
        return byte - 256 if self.name == "s8" and byte >= 128 else byte


F16, BF16, TF32 = Type("f16", 2, 15, 10), Type("bf16", 2, 127, 7), Type("tf32", 4, 127, 23)
E4M3, E5M2 = Type("e4m3", 1, 7, 3), Type("e5m2", 1, 15, 2)
S8, U8, B1 = Type("s8", 1), Type("u8", 1), Type("b1", 4)
MOST = {"f16": 5, "bf16": 15, "tf32": 15, "e4m3": 3, "e5m2": 3}  # so that 128 products and an addend stay exact in any order
KINDS = [(F16, F16, "f16"), (F16, F16, "f32"), (BF16, BF16, "f32"), (TF32, TF32, "f32"), (B1, B1, "s32")] + \
        [(a, b, d) for a in (E4M3, E5M2) for b in (E4M3, E5M2) for d in ("f16", "f32")] + [(a, b, "s32") for a in (S8, U8) for b in (S8, U8)]
COLUMNS = {"float": [8, 16, 24, 32, 40, 56, 64, 64, 88, 128], "integer": [8, 16, 24, 32, 48, 64, 64, 96, 128]}


class Tile:
    """Where a matrix lies in shared memory: its lines (rows of A, columns of B) and its depth, by one of PTX' layouts."""

    def __init__(self, choices, kind, lines, steps, start):
        self.kind, self.lines = kind, lines
        self.width = choices.of([16, 32, 64, 128])  # bytes that are swizzled together; 16: none
        self.across = kind.size == 2 and choices.one_in(2)  # lines are neighbours in memory, not the elements of one
        self.start = start + 16 * (choices.below(64) if choices.one_in(3) else 0)
        self.base = 0 if self.width == 16 else choices.of([0, self.start >> 7 & 7, choices.below(8)])
        self.strides(choices, steps)

    def strides(self, choices, steps):
        """Three: of the field's stride, of its leading offset, and of what a descriptor's start takes from step to step."""
        pads = [16 * choices.of([0, 0, 1, 2, 3, 8, 16]) for _ in range(2)]
        block = 8 * self.width
        if self.across:
            chunks = -(-self.lines // (self.width // 2))
            counts = (chunks, 2 * steps)  # blocks along the lines, along the depth
        elif self.width == 16:
            counts = (self.lines // 8, 2 * steps)
        else:
            counts = (self.lines // 8, -(-DEPTH_BYTES * steps // self.width))
        if choices.one_in(2):
            by_line = block + pads[0]
            by_depth = by_line * counts[0] + pads[1]
        else:
            by_depth = block + pads[0]
            by_line = by_depth * counts[1] + pads[1]
        self.by_line, self.by_depth = by_line, by_depth
        end = self.start + by_line * (counts[0] - 1) + by_depth * (counts[1] - 1) + block
        self.end = -(-end // 128) * 128  # swizzling moves chunks within 128 bytes
        if self.width == 16 or not self.across:
            self.stride, self.leading = by_line, by_depth
        else:
            self.stride, self.leading = by_depth, by_line
        if self.width != 16 and not self.across:
            self.leading = 16 * choices.below(1 << 14)  # nobody reads it

    def text(self, line, k):
        """The place of an element, in bytes."""
        size, width = self.kind.size, self.width
        if self.across:
            chunk = width // 2
            plain = f"({k} & 7u) * {width}u + {line} % {chunk}u * 2u + {line} / {chunk}u * {self.by_line}u + ({k} >> 3) * {self.by_depth}u"
        else:
            per_row = width // size
            plain = f"({line} & 7u) * {width}u + ({line} >> 3) * {self.by_line}u + {k} / {per_row}u * {self.by_depth}u + {k} % {per_row}u * {size}u"
        return f"swizzled({self.start}u + {plain}, {self.base}u, {width // 16 - 1}u)"

    def descriptor(self, step, first_line="0u"):
        """Text: the start, which depends on the thread's group, and the constant rest. `first_line` counts by 64."""
        if self.across:
            offset, by_group = 2 * step * self.by_depth, 128 // self.width * self.by_line
        elif self.width == 16:
            offset, by_group = 2 * step * self.by_depth, 8 * self.by_line
        else:
            per_row = self.width // DEPTH_BYTES
            offset, by_group = step % per_row * DEPTH_BYTES + step // per_row * self.by_depth, 8 * self.by_line
        mode = {16: 0, 128: 1, 64: 2, 32: 3}[self.width]
        rest = self.leading >> 4 << 16 | self.stride >> 4 << 32 | self.base << 49 | mode << 62
        return f"(0x{rest:x}ull | (address_of(tiles) + {self.start + offset}u + {first_line} * {by_group}u) >> 4 & 0x3fffu)"


def fill(program, tile, kind, rule, depth):
    letter = {1: "unsigned char", 2: "unsigned short", 4: "unsigned"}[kind.size]
    program.line(f"for (unsigned i = t; i < {tile.lines * depth}u; i += {program.state.threads}u)")
    program.line(f"    *({letter}*)(tiles + {tile.text(f'(i / {depth}u)', f'(i % {depth}u)')}) = ({letter})({kind.text(f'(i / {depth}u)', f'(i % {depth}u)', rule)});")


class Product:
    def __init__(self, program):
        choices, self.program, self.state = program.choices, program, program.state
        self.groups = self.state.threads // GROUP
        while True:
            self.a, self.b, self.d = choices.of(KINDS)
            self.columns = choices.of(COLUMNS["float" if self.a.is_float else "integer"])
            self.steps = choices.between(1, 4)
            self.in_registers = choices.one_in(3)
            self.left = Tile(choices, self.a, 64 * self.groups, self.steps, 0)
            self.right = Tile(choices, self.b, self.columns, self.steps, 0 if self.in_registers else -(-self.left.end // 1024) * 1024)
            if self.right.end <= MOST_BYTES:
                break
        self.negated = [choices.one_in(3) and self.a.is_float for _ in range(2)]
        self.adds = [choices.one_in(2)] + [not choices.one_in(6) for _ in range(self.steps - 1)]
        self.saturates = self.a in (S8, U8) and choices.one_in(2)
        self.rules = [kind.rule(choices, MOST.get(kind.name)) for kind in (self.a, self.b)]
        self.addend = [choices.below(1 << 15) * 2 + 1 for _ in range(2)]
        self.registers = self.columns // 2 if self.d != "f16" else self.columns // 4

    def addend_of(self, thread, number):
        """What the thread's n-th sum is before."""
        mixed = thread * self.addend[0] + number * self.addend[1]
        if self.a.is_float:
            return mixed % 401 - 200
        mixed = mixed * 0x9e3779b1 & WORD
        return mixed - (1 << 32) if mixed >> 31 else mixed

    def begin_sums(self):
        by_thread, by_number = self.addend
        mixed = lambda number: f"t * {by_thread}u + {number} * {by_number}u"
        small = lambda number: f"((int)(({mixed(number)}) % 401u) - 200)"
        if self.d == "f32":
            return "float", f"(float){small('i')}"
        if self.d == "s32":
            return "unsigned", f"({mixed('i')}) * 0x9e3779b1u"
        return "unsigned", f"small_float<15, 10>({small('(2u * i)')}) | small_float<15, 10>({small('(2u * i + 1u)')}) << 16"

    def instruction(self, step):
        n, count = self.columns, self.registers
        depth = {1: "k32", 2: "k16", 4: "k8"}[self.a.size] if self.a is not B1 else "k256"
        types = f"{'.satfinite' if self.saturates else ''}.{self.d}.{self.a.name}.{self.b.name}{'.and.popc' if self.a is B1 else ''}"
        sums = "{" + ", ".join(f"%{i}" for i in range(count)) + "}"
        own = 4 if self.in_registers else 1
        left = "{" + ", ".join(f"%{count + i}" for i in range(4)) + "}" if self.in_registers else f"%{count}"
        tail = "".join(f", {-1 if negated else 1}" for negated in self.negated) if self.a.is_float else ""
        if self.a.size == 2:
            tail += ("" if self.in_registers else f", {int(self.left.across)}") + f", {int(self.right.across)}"
        outputs = ", ".join(f'"+{"f" if self.d == "f32" else "r"}"(d[{i}])' for i in range(count))
        first = ", ".join(f'"r"(a[{4 * step + i}])' for i in range(4)) if self.in_registers else f'"l"({self.left.descriptor(step, "(t / 128u)")})'
        keep = program_value(self.program, self.adds[step])
        return (f'asm volatile("{{ .reg .pred p; setp.ne.b32 p, %{count + own + 1}, 0; wgmma.mma_async.sync.aligned.m64n{n}{depth}{types} {sums}, {left}, '
                f'%{count + own}, p{tail}; }}" : {outputs} : {first}, "l"({self.right.descriptor(step)}), "r"({keep}));')

    def left_registers(self):
        """Words of A as a thread holds them: line and byte along the depth follow from lane and number."""
        per_word = 4 // self.a.size
        program = self.program
        program.line(f"unsigned a[{4 * self.steps}];")
        program.line(f"for (unsigned i = 0; i < {4 * self.steps}u; ++i) {{")
        program.line("    const unsigned row = t / 32u * 16u + (t & 31u) / 4u + (i & 1u) * 8u, byte = i / 4u * 32u + (i & 2u) * 8u + (t & 3u) * 4u;")
        parts = [f"({self.a.text('row', f'(byte / {self.a.size}u + {e}u)', self.rules[0])}) << {8 * self.a.size * e}" for e in range(per_word)]
        program.line(f"    a[i] = {' | '.join(parts)};")
        program.line("}")

    def write(self):
        program, depth = self.program, self.a.depth * self.steps
        program.shared("__align__(1024) unsigned char", "tiles", max(self.right.end, program.tile_bytes))
        program.tile_bytes = max(self.right.end, program.tile_bytes)
        with program.block():
            if not self.in_registers:
                fill(program, self.left, self.a, self.rules[0], depth)
            fill(program, self.right, self.b, self.rules[1], depth)
            program.line('asm volatile("fence.proxy.async.shared::cta;" ::: "memory");')
            program.meet()
            if self.in_registers:
                self.left_registers()
            kind, begin = self.begin_sums()
            program.line(f"{kind} d[{self.registers}];")
            program.line(f"for (unsigned i = 0; i < {self.registers}u; ++i) d[i] = {begin};")
            program.line('asm volatile("wgmma.fence.sync.aligned;" ::: "memory");')
            for step in range(self.steps):
                program.line(self.instruction(step))
                if step + 1 < self.steps and program.choices.one_in(4):
                    program.line('asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");')
            program.line('asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");')
            program.line('asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");')
            program.line("unsigned all = 0;")
            bits = {"f32": "__float_as_uint(d[i] + 0.0f)", "s32": "d[i]", "f16": "without_minus(d[i])"}[self.d]
            program.line(f"for (unsigned i = 0; i < {self.registers}u; ++i) all = all * 31u + {bits};")
            mix(program, "all", [self.folded(thread, sums) for thread, sums in enumerate(self.sums())])
        program.meet()

    def lines(self, number, count):
        """The elements of each line, one list for each step."""
        kind, rule = (self.a, self.b)[number], self.rules[number]
        return [[[kind.value(line, step * kind.depth + k, rule) for k in range(kind.depth)] for step in range(self.steps)] for line in range(count)]

    def sums(self):
        """Of each thread, in the order of its registers."""
        left, right = self.lines(0, 64 * self.groups), self.lines(1, self.columns)
        sign = -1 if self.negated[0] != self.negated[1] else 1
        for thread in range(self.state.threads):
            sums = []
            for number in range(self.columns // 2):
                row = thread // 32 * 16 + thread % 32 // 4 + number // 2 % 2 * 8
                column = number // 4 * 8 + thread % 4 * 2 + number % 2
                total = self.addend_of(thread, number)
                for step in range(self.steps):
                    pairs = zip(left[row][step], right[column][step])
                    product = sum((x & y).bit_count() for x, y in pairs) if self.a is B1 else sum(x * y for x, y in pairs)
                    total = (total if self.adds[step] else 0) + sign * product
                    if not self.a.is_float:
                        total = max(-1 << 31, min((1 << 31) - 1, total)) if self.saturates else total
                        total = (total + (1 << 31) & WORD) - (1 << 31)
                sums.append(total)
            yield sums

    def folded(self, thread, sums):
        if self.d == "s32":
            words = [total & WORD for total in sums]
        elif self.d == "f32":
            words = [int.from_bytes(struct.pack("<f", total), "little") for total in sums]
        else:
            words = [int.from_bytes(struct.pack("<ee", *sums[i:i + 2]), "little") for i in range(0, len(sums), 2)]
        all_words = 0
        for word in words:
            all_words = all_words * 31 + word & WORD
        return all_words


def program_value(program, is_true):
    """A word that is 0 or not, as the compiler sees it or not."""
    return program.choices.of(["1", "0x80000000u", "(unsigned)(in != null)"] if is_true else ["0", "(unsigned)(in == null)"])


def product(program):
    Product(program).write()
