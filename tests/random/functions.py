"""Device functions: plain ones, recursive ones, templates, groups that are called through pointers, functions of structs,
and ones that ask the lanes of a mask. Those that give a value are sources of values for all that comes after them."""
from expressions import literal
from scope import Scope
from tree import Expression, Statement, lines_of
from value_types import BOOL, I32, INTEGERS, U32

MOST_WORK_OF_A_CALL = 1000
DEPTH = 7


class Functions:
    def __init__(self, choices, drawer, statements, names, structs):
        self.choices, self.drawer, self.statements, self.names, self.structs = choices, drawer, statements, names, structs
        self.made = []  # (lines before the body, statements), in an order in which each calls only earlier ones
        self.groups = []  # (names, result, operands): alike, for calls through a pointer
        self.collective = []  # (name, result, operand): asks the lanes of a mask
        self.modifiers = []  # (name, struct, operand): changes what it gets by reference
        self.sources = []

    def make(self):
        for _ in range(self.choices.between(0, 2)):
            self.drawer.work = 0
            self.choices.weighted(self.kinds())()

    def kinds(self):
        return [(4, self.plain), (2, self.recursive), (2, self.template), (2, self.group), (2, self.of_lanes),
                (2, self.of_struct)]

    @property
    def cost(self):
        """Of the function just drawn, in statements."""
        return self.drawer.work + 1

    def lines(self):
        for head, body in self.made:
            yield head + " {"
            yield from lines_of(body, 1)
            yield "}"

    def scope(self, parameters):
        scope = Scope(parameters, self.sources)
        scope.depth = 2
        return scope

    def add(self, result, name, parameters, body):
        note = self.choices.of(["@device", "@device_noinline"])
        self.made.append((f"{note} {result} {name}(" + ", ".join(f"{of} {n}" for n, of in parameters) + ")", body))

    def offer(self, name, result, operands, last=None):
        """From now on expressions may call the function; `last` is the text of one more argument."""
        cost = self.cost

        def source(scope):
            if cost * scope.rounds > MOST_WORK_OF_A_CALL:
                return literal(self.choices, result)
            self.drawer.work += cost * scope.rounds
            parts = [self.drawer.draw(scope, of, self.choices.between(0, 1)) for of in operands]
            arguments = [f"{{{i}}}" for i in range(len(parts))]
            if last:
                parts.append(self.drawer.draw(scope, U32, 0))
                arguments.append(last.replace("{0}", f"{{{len(parts) - 1}}}"))
            return Expression(result, f"{name}({', '.join(arguments)})", *parts)

        self.sources = self.sources + [source]

    def draw_parameters(self):
        return [(f"a{i}", self.choices.weighted(self.drawer.words.usual)) for i in range(self.choices.between(1, 4))]

    def define(self, name, parameters, result):
        choices, body = self.choices, []
        if choices.one_in(3):
            scope = self.scope(parameters)
            body.append(Statement("if ({0}) return {1};", [self.drawer.draw(scope, BOOL), self.drawer.draw(scope, result)]))
        scope = self.scope(parameters)
        body += self.statements.block(scope, choices.between(0, 3))
        body.append(Statement("return {0};", [self.drawer.draw(scope, result)], stays=True))
        self.add(result, name, parameters, body)

    def plain(self):
        name, parameters, result = self.names.next("plain"), self.draw_parameters(), self.choices.weighted(self.drawer.words.usual)
        self.define(name, parameters, result)
        self.offer(name, result, [of for _, of in parameters])

    def recursive(self):
        """Calls itself to a depth of seven."""
        choices, name, of = self.choices, self.names.next("recursive"), self.choices.weighted(self.drawer.words.usual)
        parameters = [("a0", of), ("depth", I32)]
        scope = self.scope(parameters)
        scope.assignable = [("a0", of)]
        body = [Statement("if (depth <= 0) return {0};", [self.drawer.draw(scope, of)], stays=True)]
        body += self.statements.block(scope, choices.between(0, 2))
        again = Expression(of, f"{name}({{0}}, depth - {choices.between(1, 2)})", self.drawer.draw(scope, of, 1))
        body.append(Statement(f"const {of} deeper = {{0}};", [again], stays=True))
        scope.variables.append(("deeper", of))
        body.append(Statement("return {0};", [self.drawer.draw(scope, of)], stays=True))
        self.add(of, name, parameters, body)
        self.drawer.work *= DEPTH + 1
        self.offer(name, of, [of], f"(int)({{0}} & {DEPTH}u)")

    def template(self):
        """Over an integer type and a number, used with some of both."""
        choices, name = self.choices, self.names.next("pattern")
        a, b, c = (choices.between(1, 99) for _ in range(3))
        lines = ["for (int i = 0; i < N; ++i) {{",
                 f"    const T part = both::divide<T>(x, static_cast<T>(i + {b}));",
                 f"    x = static_cast<T>(static_cast<W>(x) * {a}u + static_cast<W>(part));",
                 f"    if ((static_cast<W>(x) & 3u) == {c % 4}u) x = static_cast<T>(~x);", "}}", "return x;"]
        head = "template <class T, class W, int N>\n" + self.choices.of(["@device", "@device_noinline"]) + f" T {name}(T x)"
        self.made.append((head, [Statement(lines, stays=True)]))
        for _ in range(choices.between(1, 3)):
            of = choices.of(INTEGERS)
            self.offer(f"{name}<{of}, {of.wide}, {choices.between(1, 6)}>", of, [of])

    def group(self):
        parameters, result = self.draw_parameters(), self.choices.weighted(self.drawer.words.usual)
        names = [self.names.next("alike") for _ in range(self.choices.between(2, 4))]
        for name in names:
            self.define(name, parameters, result)
        self.groups.append((names, result, [of for _, of in parameters]))

    def of_lanes(self):
        name, of = self.names.next("together"), self.choices.of([I32, U32])
        scope = self.scope([("a0", of)])
        scope.mask = "mask"
        body = [self.statements.warps.draw(scope) for _ in range(self.choices.between(1, 2))]
        body.append(Statement("return {0};", [self.drawer.draw(scope, of)], stays=True))
        head = f"{self.choices.of(['@device', '@device_noinline'])} {of} {name}(unsigned mask, int lane, int tid, {of} a0)"
        self.made.append((head, [Statement("(void)lane, (void)tid;", stays=True), *body]))
        self.collective.append((name, of, of))

    def of_struct(self):
        """One that takes a struct by value and gives another back, or changes one by reference."""
        choices, struct = self.choices, self.choices.of(self.structs)
        name, operand = self.names.next("struct_of"), choices.weighted(self.drawer.words.usual)
        scope = self.scope([("a0", operand)])
        scope.declare("s", struct)
        body = self.statements.block(scope, choices.between(1, 3))
        by_reference = choices.one_in(2)
        if not by_reference:
            body.append(Statement("return s;", stays=True))
        result = "void" if by_reference else struct.name
        note, argument = choices.of(["@device", "@device_noinline"]), f"{struct}{'&' if by_reference else ''} s"
        head = f"{note} {result} {name}({argument}, {operand} a0)"
        self.made.append((head, body))
        self.modifiers.append((name, struct, operand, by_reference))
