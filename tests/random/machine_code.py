"""What ptxas made of straight-line kernels: its arithmetic, and what it computes of given inputs.

Reads cubins of sm_70 and later (16 bytes an instruction; NVIDIA publishes no description of them) and runs one thread of
a kernel that loads from one buffer, computes and stores to another. Exact: numbers are fractions, rounded to nearest once
for each instruction. What it does not know ends in Unreadable. Zeros have no sign here.
"""
import struct
from fractions import Fraction

RZ = 255
FORMATS = {"f32": (24, -126, 127, 32), "f64": (53, -1022, 1023, 64), "f16": (11, -14, 15, 16), "bf16": (8, -126, 127, 16)}


class Unreadable(Exception):
    pass


def decoded(bits, of):
    digits, least, most, width = FORMATS[of]
    fraction, field = bits & ((1 << (digits - 1)) - 1), bits >> (digits - 1) & ((1 << (width - digits)) - 1)
    if field == (1 << (width - digits)) - 1:
        raise Unreadable("infinity")
    size = Fraction(fraction + (1 << (digits - 1) if field else 0)) * Fraction(2) ** (max(field, 1) - 1 + least - digits + 1)
    return -size if bits >> (width - 1) else size


def encoded(x, of):
    digits, least, most, width = FORMATS[of]
    if x == 0:
        return 0
    size, sign = abs(x), (1 << (width - 1)) if x < 0 else 0
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if Fraction(2) ** exponent > size:
        exponent -= 1
    exponent = max(exponent, least)
    whole = round(size / Fraction(2) ** (exponent - digits + 1))  # to even in the middle
    if whole == 1 << digits:
        whole, exponent = whole >> 1, exponent + 1
    if exponent > most:
        raise Unreadable("overflow")
    if whole < 1 << (digits - 1):
        return sign | whole
    return sign | (exponent - least + 1) << (digits - 1) | (whole & ((1 << (digits - 1)) - 1))


def kernels_of(cubin):
    """{kernel: [(low, high) of each instruction]}."""
    at, = struct.unpack_from("<Q", cubin, 40)
    size, count, names = struct.unpack_from("<HHH", cubin, 58)
    sections = [struct.unpack_from("<IIQQQQ", cubin, at + i * size) for i in range(count)]
    found = {}
    for name, _, _, _, start, length in sections:
        begin = sections[names][4] + name
        text = cubin[begin:cubin.index(b"\0", begin)].decode()
        if text.startswith(".text."):
            found[text[6:]] = list(struct.iter_unpack("<QQ", cubin[start:start + length]))
    return found


ADD, MULTIPLY, FUSED = "add", "mul", "fma"
ARITHMETIC = {0x20: (MULTIPLY, "f32"), 0x21: (ADD, "f32"), 0x23: (FUSED, "f32"), 0x28: (MULTIPLY, "f64"), 0x29: (ADD, "f64"),
              0x2b: (FUSED, "f64"), 0x30: (ADD, "half"), 0x31: (FUSED, "half"), 0x32: (MULTIPLY, "half"), 0x35: (FUSED, "half")}
WIDTHS = (1, 1, 2, 2, 4, 8, 16, 0)
# S2R, LDC, ULDC, NOP, BAR, MEMBAR and what goes with it, CCTL, ERRBAR, S2UR, WARPSYNC, UMOV: nothing to a straight line.
PASSED_OVER = {0x119, 0x182, 0xb82, 0xab9, 0x918, 0xb1d, 0x992, 0x98f, 0x9ab, 0x9c3, 0x948, 0xd48, 0x882, 0xc82, 0x91a, 0x3c6, 0x805, 0x5ab}
EXIT = 0x94d


class Thread:
    """One thread of a kernel, with `given` the bytes of the buffer that it loads from."""

    def __init__(self, given):
        self.given, self.registers, self.stored, self.counts = given, {RZ: 0}, {}, {}

    def run(self, words):
        for low, high in words:
            if low & 0xfff == EXIT:
                return
            self.step(low, high)

    def step(self, low, high):
        opcode, guard = low & 0xfff, low >> 12 & 15
        if guard != 7:
            raise Unreadable("a guard")
        to, first, second, third = low >> 16 & 255, low >> 24 & 255, low >> 32 & 255, high & 255
        offset = (low >> 40) - (1 << 24 if low >> 63 else 0)
        width = WIDTHS[high >> 9 & 7]
        if opcode in PASSED_OVER:
            return
        if opcode in (0x381, 0x981):
            for i in range(max(width // 4, 1)):
                piece = self.given[offset + 4 * i:offset + 4 * i + min(width, 4)]
                self.registers[to + i] = int.from_bytes(piece, "little")
        elif opcode in (0x386, 0x986):
            self.stored[offset] = b"".join((self.read(second + i) & (1 << 8 * min(width, 4)) - 1).to_bytes(min(width, 4), "little")
                                           for i in range(max(width // 4, 1)))
        elif opcode == 0x202:
            self.registers[to] = self.read(second)
        elif opcode == 0x224 and RZ in (first, second):
            self.registers[to] = self.read(third)
        elif opcode == 0x816:
            whole, selector = self.read(first) | self.read(third) << 32, low >> 32
            self.registers[to] = sum((whole >> 8 * (selector >> 4 * i & 7) & 255) << 8 * i for i in range(4))
        elif opcode & 0x1ff in ARITHMETIC:
            self.compute(low, high, to, *ARITHMETIC[opcode & 0x1ff])
        else:
            raise Unreadable(f"opcode {opcode:03x}")

    def read(self, register):
        return self.registers.get(register, 0)  # the halves of words that nobody uses are anything

    def operands(self, low, high, kind, of):
        """(register or None, immediate, negated) of each source."""
        form, wide = low >> 9 & 7, of == "f64"
        immediate = low >> 32 & 0xffffffff
        first = (low >> 24 & 255, None, bool(high >> 8 & 1))
        slot = (low >> 32 & 255, None, bool(low >> 63 & 1))
        other = (high & 255, None, bool(high >> (20 if of == "half" else 11) & 1))
        if form == 1:
            pieces = [first, slot, other]
        elif form == 2:
            pieces = [first, other if kind == FUSED else (None, immediate, False), (None, immediate, False)]
        elif form == 4:
            pieces = [first, (None, immediate, False), other]
        else:
            raise Unreadable(f"form {form}")
        if kind == ADD and wide:
            pieces = [pieces[0], pieces[2]]
        return pieces if kind == FUSED else pieces[:2]

    def compute(self, low, high, to, kind, of):
        pieces = self.operands(low, high, kind, of)
        if any(high >> bit & 1 for bit in ((9,) if of != "half" else ())) or (of != "half" and low >> 62 & 1 and low >> 9 & 7 == 1):
            raise Unreadable("an absolute value")
        if of == "half":
            return self.compute_halves(low, high, to, kind, pieces)
        self.count(of, kind)
        values = []
        for register, immediate, negated in pieces:
            if register is None:
                bits = immediate << 32 if of == "f64" else immediate
            else:
                bits = self.read(register)
                if of == "f64" and register != RZ:
                    bits |= self.read(register + 1) << 32
            values.append(-decoded(bits, of) if negated else decoded(bits, of))
        bits = encoded(self.value(kind, values), of)
        self.registers[to] = bits & 0xffffffff
        if of == "f64":
            self.registers[to + 1] = bits >> 32

    @staticmethod
    def value(kind, values):
        return values[0] + values[1] if kind == ADD else values[0] * values[1] + (values[2] if kind == FUSED else 0)

    def compute_halves(self, low, high, to, kind, pieces):
        of = "bf16" if high >> 21 & 1 else "f16"
        packed = low & 0x1ff == 0x35  # this one has no halves to choose
        chosen = [0 if packed else high >> 10 & 3, 0 if packed else low >> 60 & 3, 0 if packed else high >> 17 & 3]
        if pieces[1][0] is None or low >> 9 & 7 == 2:
            chosen[1 if low >> 9 & 7 == 4 else 2] = 0
        one = 0x3f803f80 if of == "bf16" else 0x3c003c00
        lanes = []
        for lane in range(2):
            values = []
            for (register, immediate, negated), choice in zip(pieces, chosen):
                bits = immediate if register is None else self.read(register)
                half = lane if choice == 0 else choice - 2
                if choice == 1:
                    raise Unreadable("a float among halves")
                value = decoded(bits >> 16 * half & 0xffff, of)
                values.append(-value if negated else value)
            lanes.append(encoded(self.value(kind, values), of))
        self.registers[to] = lanes[0] | lanes[1] << 16
        if kind == FUSED and any(piece[0] is None and piece[1] == one for piece in pieces[:2]):
            kind = ADD  # by a product with 1
        elif kind == FUSED and pieces[2][0] == RZ:
            kind = MULTIPLY  # and -0
        self.count("half", kind)

    def count(self, of, kind):
        self.counts[of, kind] = self.counts.get((of, kind), 0) + 1
