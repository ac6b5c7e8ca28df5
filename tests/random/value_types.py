"""The types of values: CUDA's scalars, and aggregates whose fields are scalars."""


class Scalar:
    def __init__(self, name, bits, kind, signed=False):
        self.name = name
        self.bits = bits
        self.kind = kind  # "int", "float", "bool", "half" or "pair" (of halves)
        self.signed = signed

    @property
    def wide(self):
        """The unsigned type in which arithmetic of this one takes place and wraps."""
        return "unsigned long long" if self.bits == 64 else "unsigned"

    def __repr__(self):
        return self.name


BOOL = Scalar("bool", 8, "bool")
I8 = Scalar("signed char", 8, "int", True)
U8 = Scalar("unsigned char", 8, "int")
I16 = Scalar("short", 16, "int", True)
U16 = Scalar("unsigned short", 16, "int")
I32 = Scalar("int", 32, "int", True)
U32 = Scalar("unsigned", 32, "int")
I64 = Scalar("long long", 64, "int", True)
U64 = Scalar("unsigned long long", 64, "int")
F32 = Scalar("float", 32, "float", True)
F64 = Scalar("double", 64, "float", True)

INTEGERS = [I8, U8, I16, U16, I32, U32, I64, U64]
REALS = [F32, F64]
SCALARS = [BOOL, *INTEGERS, *REALS]
# As programs use them: words more than the rest.
USUAL = [(4, I32), (4, U32), (4, F32), (2, I64), (2, U64), (2, F64), (1, I8), (1, U8), (1, I16), (1, U16), (1, BOOL)]


# In 16 bits, and two of them in 32. Not every compiler has these: words.py.
F16 = Scalar("__half", 16, "half", True)
F16X2 = Scalar("__half2", 32, "pair", True)
BF16 = Scalar("__nv_bfloat16", 16, "half", True)
BF16X2 = Scalar("__nv_bfloat162", 32, "pair", True)


class Aggregate:
    """A struct or a vector type. `fields` are (what stands behind the name, its type)."""

    kind = "aggregate"

    def __init__(self, name, fields, definition=None):
        self.name = name
        self.fields = fields
        self.definition = definition  # None: CUDA defines it

    def __repr__(self):
        return self.name


def vector(name, of, width):
    return Aggregate(name, [("." + "xyzw"[i], of) for i in range(width)])


VECTORS = [vector("int2", I32, 2), vector("uint4", U32, 4), vector("float2", F32, 2), vector("float4", F32, 4),
           vector("short4", I16, 4), vector("uchar4", U8, 4), vector("double2", F64, 2), vector("longlong2", I64, 2),
           vector("int3", I32, 3), vector("float3", F32, 3)]


def draw_struct(choices, usual, name):
    """A struct of two to four members, some of them small arrays: padding and alignment as they come."""
    fields, lines = [], []
    for i in range(choices.between(2, 4)):
        member, of = f"m{i}", choices.weighted(usual)
        if choices.one_in(4):
            count = choices.between(2, 3)
            lines.append(f"    {of} {member}[{count}];")
            fields += [(f".{member}[{k}]", of) for k in range(count)]
        else:
            lines.append(f"    {of} {member};")
            fields.append((f".{member}", of))
    return Aggregate(name, fields, "\n".join([f"struct {name} {{", *lines, "};"]))


def fields_of(of):
    return of.fields if of.kind == "aggregate" else [("", of)]
