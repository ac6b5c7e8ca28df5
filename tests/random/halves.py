"""Half precision: __half and __nv_bfloat16, and two of either as one value, which CUDA's own functions take at once.

Sums and products are asked for in ways that no compiler fuses. Everything else goes through functions by name, so that
the reference never uses what CUDA's headers compute for the host.
"""
from tree import Expression, Form
from value_types import BF16, BF16X2, BOOL, F16, F16X2, F32, F64, I16, I32, I64, I8, U16, U32, U64, U8

DIRECTIONS = ("rn", "rz", "ru", "rd")
COMPARISONS = ("eq", "ne", "le", "ge", "lt", "gt")
WORDS = ((I16, "short"), (U16, "ushort"), (I32, "int"), (U32, "uint"), (I64, "ll"), (U64, "ull"))
PATTERNS = (0x0000, 0x8000, 0x3c00, 0xbc00, 0x3f80, 0x4000, 0x3800, 0x0001, 0x03ff, 0x0400, 0x8001, 0x007f, 0x0080, 0x7bff,
            0x7c00, 0xfbff, 0xfc00, 0x7f7f, 0x7f80, 0xff80, 0x5640, 0x42c8, 0x6400, 0x4b00, 0x3555)


class Format:
    """One of the two formats: its types, and what their names are within those of CUDA's functions."""

    def __init__(self, one, two, name, names):
        self.one, self.two, self.name, self.names = one, two, name, names


FLOAT16 = Format(F16, F16X2, "half", "half2")
BFLOAT16 = Format(BF16, BF16X2, "bfloat16", "bfloat162")
FORMAT_OF = {F16: FLOAT16, F16X2: FLOAT16, BF16: BFLOAT16, BF16X2: BFLOAT16}


def is_half(of):
    return of in FORMAT_OF


def literal_of(of, *patterns):
    """By its bits: one pattern, or the lower and the upper for two at once. Constants may be initialised by it."""
    one = FORMAT_OF[of].one
    parts = [f"{one}({one}_raw{{{{{bits:#06x}}}}})" for bits in patterns]  # the braces are doubled for str.format
    return Expression(of, parts[0] if of is one else f"{of}({', '.join(parts)})")


def zero_of(of):
    return literal_of(of, *[0] * (of.bits // 16))


def literal(choices, of):
    patterns = [choices.of(PATTERNS) if choices.one_in(2) else choices.below(1 << 16) for _ in range(of.bits // 16)]
    return literal_of(of, *patterns)


def as_float(expression):
    form = FORMAT_OF[expression.type]
    call = f"@{form.name}2float" if expression.type is form.one else "@low2float"
    return Expression(F32, call + "({0})", expression)


def from_float(expression, of):
    form = FORMAT_OF[of]
    return Expression(of, f"@float2{form.name if of is form.one else form.names}_rn({{0}})", expression)


def drawn_operand(choices, of, state, narrow):
    """Text of a value of `of` from the bits of the unsigned variable `state`; None for types that this is not about.

    `narrow`: of about the size of 1, where roundings show; else any bits at all.
    """
    word = f"({state} * {choices.below(1 << 31) * 2 + 1}u >> 16)"
    if of in FORMAT_OF:
        form = FORMAT_OF[of]
        if of is form.two:
            parts = [drawn_operand(choices, form.one, state, narrow) for _ in range(2)]
            return f"@halves2{form.names}({', '.join(parts)})"
        bits = word
        if narrow:
            bits = f"(({word} & 0x8fffu) + 0x3000u)" if form is FLOAT16 else f"(({word} & 0x81ffu) + 0x3f00u)"
        return f"@ushort_as_{form.name}((unsigned short){bits})"
    if of is F32:
        return f"@uint_as_float(({state} & 0x87ffffffu) + 0x38000000u)"  # 2^-15 to 2
    return f"({of}){state if of.bits >= 32 else word}" if of.kind == "int" else None


def forms_everywhere(form):
    """What every compiler has that has the format at all."""
    one, two, name, names = form.one, form.two, form.name, form.names
    for of, pair in ((one, ""), (two, "2")):
        for operation in (f"hadd{pair}", f"hsub{pair}", f"hmul{pair}_rn"):
            yield Form(8, of, (of, of), f"@{operation}({{0}}, {{1}})")
        yield Form(8, of, (of, of, of), f"@hfma{pair}({{0}}, {{1}}, {{2}})")
        for operation in (f"hmin{pair}", f"hmax{pair}"):
            yield Form(4, of, (of, of), f"@{operation}({{0}}, {{1}})")
        for operation in (f"hneg{pair}", f"habs{pair}"):
            yield Form(3, of, (of,), f"@{operation}({{0}})")
    for comparison in COMPARISONS:
        yield Form(2, BOOL, (one, one), f"@h{comparison}({{0}}, {{1}})")
    yield Form(1, BOOL, (one,), "@hisnan({0})")
    yield Form(1, I32, (one,), "@hisinf({0})")
    yield Form(6, F32, (one,), f"@{name}2float({{0}})")
    yield Form(5, one, (F32,), f"@float2{name}_rn({{0}})")
    yield Form(3, one, (F64,), f"@double2{name}({{0}})")
    yield Form(3, one, (I32,), f"@int2{name}_rn({{0}})")
    for of, word in WORDS:
        for direction in DIRECTIONS:
            yield Form(1, of, (one,), f"@{name}2{word}_{direction}({{0}})")
    yield Form(1, I8, (one,), f"@{name}2char_rz({{0}})")
    yield Form(1, U8, (one,), f"@{name}2uchar_rz({{0}})")
    yield Form(2, one, (U16,), f"@ushort_as_{name}({{0}})")
    yield Form(2, U16, (one,), "(unsigned short)both::bits({0})")
    yield Form(2, U32, (two,), "(unsigned)both::bits({0})")
    yield Form(5, two, (one, one), f"@halves2{names}({{0}}, {{1}})")
    yield Form(3, two, (one,), f"@{name}2{names}({{0}})")
    yield Form(3, two, (F32, F32), f"@floats2{names}_rn({{0}}, {{1}})")
    yield Form(3, two, (two,), "@lowhigh2highlow({0})")
    for half, field in (("low", "x"), ("high", "y")):
        yield Form(3, one, (two,), f"@{half}2{name}({{0}})")
        yield Form(2, one, (two,), f"({{0}}).{field}")
        yield Form(2, F32, (two,), f"@{half}2float({{0}})")


def forms_of_nvcc(form):
    """What only CUDA's own headers have."""
    one, two, name, names = form.one, form.two, form.name, form.names
    for of, pair in ((one, ""), (two, "2")):
        for operation in ("hadd", "hsub"):
            yield Form(2, of, (of, of), f"@{operation}{pair}_rn({{0}}, {{1}})")
        for operation in ("hadd", "hsub", "hmul"):
            yield Form(2, of, (of, of), f"@{operation}{pair}_sat({{0}}, {{1}})")
        for ending in ("sat", "relu"):
            yield Form(2, of, (of, of, of), f"@hfma{pair}_{ending}({{0}}, {{1}}, {{2}})")
        for operation in ("hmin", "hmax"):
            yield Form(2, of, (of, of), f"@{operation}{pair}_nan({{0}}, {{1}})")
        for operation in ("trunc", "ceil", "floor", "rint"):
            yield Form(1, of, (of,), f"@h{pair}{operation}({{0}})")
    for comparison in COMPARISONS:
        yield Form(2, BOOL, (one, one), f"@h{comparison}u({{0}}, {{1}})")
        for ending in (comparison, comparison + "u"):
            yield Form(2, BOOL, (two, two), f"@hb{ending}2({{0}}, {{1}})")
            yield Form(2, two, (two, two), f"@h{ending}2({{0}}, {{1}})")
            yield Form(1, U32, (two, two), f"@h{ending}2_mask({{0}}, {{1}})")
    for of, word in WORDS:
        for direction in DIRECTIONS:
            yield Form(1, one, (of,), f"@{word}2{name}_{direction}({{0}})")
    for direction in ("rz", "ru", "rd"):
        yield Form(2, one, (F32,), f"@float2{name}_{direction}({{0}})")
    yield Form(1, two, (two,), "@hisnan2({0})")
    for half in ("lows", "highs"):
        yield Form(2, two, (two, two), f"@{half}2{names}({{0}}, {{1}})")
