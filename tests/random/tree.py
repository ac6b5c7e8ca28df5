"""The tree of a program: expressions and statements as forms of text with holes for what stands inside.

A name behind an @ is spelled one way in the kernel and another in the reference (dialects.py); all other text is the same
in both, so that what a program means is written once.
"""


class Expression:
    __slots__ = ("type", "form", "parts")

    def __init__(self, of, form, *parts):
        self.type = of
        self.form = form  # as for str.format: {0} is the first part
        self.parts = list(parts)

    def text(self):
        return self.form.format(*[part.text() for part in self.parts])


class Form:
    """A kind of expression: how often it is drawn, its type, those of its operands, and its text with holes for them."""

    def __init__(self, weight, result, operands, text):
        self.weight, self.result, self.operands, self.text = weight, result, operands, text


class Statement:
    """`shape` lists lines of text, whose holes the expressions `parts` fill, and numbers of inner `blocks`."""

    __slots__ = ("shape", "parts", "blocks", "stays", "remains")

    def __init__(self, shape, parts=(), blocks=(), stays=False, remains=()):
        self.shape = [shape] if isinstance(shape, str) else list(shape)
        self.parts = list(parts)
        self.blocks = list(blocks)  # lists of statements
        self.stays = stays  # other statements rely on it: a declaration, a barrier
        self.remains = list(remains)  # what must take its place when it is dropped: a barrier that was inside

    def lines(self, indent):
        texts = [part.text() for part in self.parts]
        for piece in self.shape:
            if isinstance(piece, int):
                for inner in self.blocks[piece]:
                    yield from inner.lines(indent + 1)
            else:
                yield "    " * indent + piece.format(*texts)


def lines_of(statements, indent=0):
    return [line for statement in statements for line in statement.lines(indent)]
