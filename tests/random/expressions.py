"""Expressions: which there are, and how one is drawn.

Every form has a meaning for all values of its operands: arithmetic of integers wraps in an unsigned type, counts of
shifts are masked, divisors are looked at, conversions that C++ leaves open are made by CUDA's own functions. Results of
floating point do not depend on whether a compiler fuses a product and a sum: products are either exact or made by a
function that is never fused.
"""
import halves
from tree import Expression, Form
from value_types import BOOL, F32, F64, I16, I32, I64, I8, INTEGERS, REALS, SCALARS, U16, U32, U64, U8

def integer_forms(of):
    wide, last = of.wide, of.bits - 1
    for sign in "+-*&|^":
        yield Form(6, of, (of, of), f"({of})(({wide}){{0}} {sign} ({wide}){{1}})")
    yield Form(4, of, (of, U32), f"({of})(({wide}){{0}} << ({{1}} & {last}))")
    yield Form(4, of, (of, U32), f"({of})({{0}} >> ({{1}} & {last}))")
    yield Form(3, of, (of, of), f"both::divide<{of}>({{0}}, {{1}})")
    yield Form(3, of, (of, of), f"both::remainder<{of}>({{0}}, {{1}})")
    yield Form(2, of, (of,), f"({of})(0 - ({wide}){{0}})")
    yield Form(2, of, (of,), f"({of})~{{0}}")
    for name in ("min", "max"):
        if of.bits >= 32:
            yield Form(3, of, (of, of), f"@{name}({{0}}, {{1}})")
        else:
            yield Form(3, of, (of, of), f"({of})@{name}((int){{0}}, (int){{1}})")
    for divisor in (3, 7, 10, 16):
        yield Form(1, of, (of,), f"({of})({{0}} / {divisor})")
        yield Form(1, of, (of,), f"({of})({{0}} % {divisor})")
    yield Form(1, of, (F32,), f"both::truncated<{of}>({{0}}, {limits(of)})")
    yield Form(1, of, (F64,), f"both::truncated<{of}>({{0}}, {limits(of, '')})")


def limits(of, suffix="f"):
    """A range that every conversion to `of` holds."""
    high = f"{float(2 ** (of.bits - 2)):.1f}{suffix}"
    return (f"-{high}" if of.signed else f"-0.5{suffix}") + f", {high}"


# Functions of contracted.h: PTX of which ptxas makes multiply-adds, or does not.
CONTRACTED = ("product_plus", "plus_product", "product_minus", "minus_product", "horner", "two_products", "later_product",
              "two_sums", "kept_product", "product_twice", "rounded_product", "rounded_sum", "rounded_between")


def contracted_forms(of, weight):
    for name in CONTRACTED:
        yield Form(weight, of, (of,) * 5, f"both::{name}({{0}}, {{1}}, {{2}}, {{3}}, {{4}})")


def real_forms(of):
    f = "f" if of is F32 else ""
    letter = "f" if of is F32 else "d"
    fused = "@fmaf_rn" if of is F32 else "@fma_rn"
    for sign in "+-":
        yield Form(8, of, (of, of), f"({{0}} {sign} {{1}})")
    yield Form(8, of, (of, of), f"@{letter}mul_rn({{0}}, {{1}})")
    yield Form(3, of, (of, of), "({0} / {1})")
    yield Form(4, of, (of, of, of), f"{fused}({{0}}, {{1}}, {{2}})")
    yield from contracted_forms(of, 2)
    small = ((I8, I16), (U8, I16)) if of is F32 else ((I16, I32), (U16, I32))
    for left, right in small:  # exact, so fused or not is the same
        yield Form(2, of, (left, right, of), f"(({of}){{0}} * ({of}){{1}} + {{2}})")
        yield Form(2, of, (left, right, of), f"({{2}} - ({of}){{0}} * ({of}){{1}})")
    yield Form(2, of, (of,), f"@sqrt{f}(@fabs{f}({{0}}))")
    yield Form(2, of, (of,), f"@fabs{f}({{0}})")
    yield Form(2, of, (of,), "(- {0})")
    for name in ("floor", "ceil", "trunc", "rint", "round"):
        yield Form(1, of, (of,), f"@{name}{f}({{0}})")
    zero = "0.0" + f  # which of two zeros is the smaller is left open: adding 0 makes them one
    yield Form(2, of, (of, of), f"(@fmin{f}({{0}}, {{1}}) + {zero})")
    yield Form(2, of, (of, of), f"(@fmax{f}({{0}}, {{1}}) + {zero})")
    yield Form(1, of, (of, of), f"@fmod{f}({{0}}, {{1}})")
    yield Form(1, of, (of, I8), f"@ldexp{f}({{0}}, {{1}})")
    yield Form(1, of, (of, I32), f"@copysign{f}({{0}}, ({of}){{1}})")
    for name in ("add", "sub", "mul", "div"):
        for direction in ("rz", "ru", "rd"):
            yield Form(1, of, (of, of), f"@{letter}{name}_{direction}({{0}}, {{1}})")


def bool_forms():
    for of in SCALARS[1:]:
        for sign in ("<", ">", "==", "!=", "<=", ">="):
            yield Form(1, BOOL, (of, of), f"({{0}} {sign} {{1}})")
    yield Form(8, BOOL, (BOOL, BOOL), "({0} && {1})")
    yield Form(8, BOOL, (BOOL, BOOL), "({0} || {1})")
    yield Form(4, BOOL, (BOOL, BOOL), "({0} != {1})")
    yield Form(4, BOOL, (BOOL,), "!{0}")
    yield Form(8, BOOL, (U32, U32), "(({0} >> ({1} & 31) & 1u) != 0)")


def bit_forms():
    for name, result, operands in (
            ("popc", I32, (U32,)), ("popcll", I32, (U64,)), ("clz", I32, (I32,)), ("clzll", I32, (I64,)),
            ("ffs", I32, (I32,)), ("ffsll", I32, (I64,)), ("brev", U32, (U32,)), ("brevll", U64, (U64,)),
            ("byte_perm", U32, (U32, U32, U32)), ("funnelshift_l", U32, (U32, U32, U32)),
            ("funnelshift_r", U32, (U32, U32, U32)), ("funnelshift_lc", U32, (U32, U32, U32)),
            ("funnelshift_rc", U32, (U32, U32, U32)), ("mulhi", I32, (I32, I32)), ("umulhi", U32, (U32, U32)),
            ("umul64hi", U64, (U64, U64)), ("mul64hi", I64, (I64, I64)), ("mul24", I32, (I32, I32)),
            ("umul24", U32, (U32, U32)), ("usad", U32, (U32, U32, U32)), ("sad", U32, (I32, I32, U32)),
            ("hadd", I32, (I32, I32)), ("rhadd", I32, (I32, I32)), ("uhadd", U32, (U32, U32)),
            ("urhadd", U32, (U32, U32)), ("dp4a", I32, (I32, I32, I32)), ("dp4a", U32, (U32, U32, U32))):
        holes = ", ".join(f"{{{i}}}" for i in range(len(operands)))
        yield Form(2, result, operands, f"@{name}({holes})")


def conversion_forms():
    for to, target in ((I32, "int"), (U32, "uint"), (I64, "ll"), (U64, "ull")):
        for source, of in (("float", F32), ("double", F64)):
            for direction in ("rz", "rn", "ru", "rd"):
                yield Form(1, to, (of,), f"@{source}2{target}_{direction}({{0}})")
    for name, to, of in (("int2float", F32, I32), ("uint2float", F32, U32), ("ll2float", F32, I64),
                         ("ll2double", F64, I64), ("double2float", F32, F64)):
        for direction in ("rz", "rn", "ru", "rd"):
            yield Form(1, to, (of,), f"@{name}_{direction}({{0}})")
    yield Form(3, U32, (F32,), "(unsigned)both::bits({0})")
    yield Form(3, U64, (F64,), "both::bits({0})")
    yield Form(2, F32, (U32,), "@uint_as_float({0} & 0xbfffffffu)")  # neither infinite nor NaN
    yield Form(2, F64, (I64,), "@longlong_as_double({0} & 0xbfffffffffffffffll)")


def all_forms():
    sources = [integer_forms(of) for of in INTEGERS] + [real_forms(of) for of in REALS]
    for source in [*sources, bool_forms(), bit_forms(), conversion_forms()]:
        yield from source


INTERESTING = (0, 1, 2, 3, 5, 7, 31, 32, 33, 63, 64, 100, 127, 128, 255, 256, 1000, 32767, 65535, 65536, 123456789,
               2147483647, 2147483648, 4294967295)


def literal_zero(of):
    """The plainest value of a scalar type."""
    if halves.is_half(of):
        return halves.zero_of(of)
    return Expression(of, {"bool": "false", "int": f"({of})0", "float": f"({of})0.0"}[of.kind])


def literal(choices, of):
    if halves.is_half(of):
        return halves.literal(choices, of)
    if of is BOOL:
        return Expression(of, choices.of(["true", "false"]))
    if of in REALS:
        suffix = "f" if of is F32 else ""
        value = choices.of(["0.0", "1.0", "-1.0", "0.5", "3.0", "-2.75", "0.1", "1e-3", "65536.0", "1e10", "-7.0", "1e-40"])
        return Expression(of, value + suffix)
    value = choices.of(INTERESTING) if choices.one_in(2) else choices.below(1 << choices.between(1, 16))
    if of.bits == 64 and choices.one_in(4):
        value = choices.next() >> 1
    value %= 1 << (of.bits - (1 if of.signed else 0))
    sign = "-" if of.signed and choices.one_in(3) else ""
    ending = {(32, False): "u", (64, True): "ll", (64, False): "ull"}.get((of.bits, of.signed), "")
    text = f"{sign}{value}{ending}"
    return Expression(of, f"({of}){text}" if of.bits < 32 or sign else text)


def converted(expression, to):
    """The value as another type, by C++'s conversion where that is defined for all values."""
    of = expression.type
    if of is to:
        return expression
    if halves.is_half(of):
        return converted(halves.as_float(expression), to)
    if halves.is_half(to):
        return halves.from_float(converted(expression, F32), to)
    if to is BOOL:
        return Expression(to, "({0} != 0)", expression)
    if of in REALS and to in INTEGERS:
        return Expression(to, f"both::truncated<{to}>({{0}}, {limits(to, 'f' if of is F32 else '')})", expression)
    return Expression(to, f"({to}){{0}}", expression)


class Drawer:
    """Draws expressions out of what a scope offers."""

    def __init__(self, choices, words):
        self.choices = choices
        self.words = words  # which types and forms there are
        self.nested = 0  # sources of values inside of others
        self.work = 0  # about how many statements the function drawn now executes

    def draw(self, scope, of, depth=None):
        choices = self.choices
        if depth is None:
            depth = choices.weighted([(3, 1), (5, 2), (3, 3), (1, 4)])
        if depth <= 0:
            return self.leaf(scope, of)
        if choices.one_in(8):
            return converted(self.draw(scope, choices.weighted(self.words.usual), depth - 1), of)
        form = choices.weighted(self.words.forms[of])
        parts = [self.draw(scope, operand, depth - (1 if choices.one_in(2) else 2)) for operand in form.operands]
        return Expression(of, form.text, *parts)

    def leaf(self, scope, of):
        choices = self.choices
        if choices.one_in(5):
            return literal(choices, of)
        if scope.sources and self.nested < 2 and choices.one_in(3):
            self.nested += 1
            value = choices.of(scope.sources)(scope)
            self.nested -= 1
            return converted(value, of)
        same = [name for name, kind in scope.variables if kind is of]
        if same and not choices.one_in(4):
            return Expression(of, choices.of(same))
        if not scope.variables:
            return literal(choices, of)
        newest = scope.variables[-4:] if choices.one_in(2) else scope.variables  # else most would never be read
        name, kind = choices.of(newest)
        return converted(Expression(kind, name), of)
