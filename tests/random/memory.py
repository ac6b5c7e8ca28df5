"""Arrays that threads share, and who may touch them when.

Between two barriers an array is in one mode: everybody reads it, each thread reads and writes elements of its own, one
thread does as it likes, or everybody adds to it by one kind of atomic operation. Modes only change at a barrier, so no
program has a race. Atomics add up to the same in every order: their old values are never looked at.
"""
from tree import Expression, Statement
from value_types import F32, F64, I32, I64, U32, U64, VECTORS, fields_of

READ, OWN, ONE, ATOMIC = "read", "own", "one", "atomic"
ATOMICS = {
    I32: ["atomicAdd", "atomicSub", "atomicMin", "atomicMax", "atomicAnd", "atomicOr", "atomicXor"],
    U32: ["atomicAdd", "atomicSub", "atomicMin", "atomicMax", "atomicAnd", "atomicOr", "atomicXor", "atomicInc",
          "multiply"],
    U64: ["atomicAdd", "atomicMin", "atomicMax", "atomicAnd", "atomicOr", "atomicXor"],
    F32: ["atomicAdd"],
    F64: ["atomicAdd"],
}


class Array:
    """`place`: shared, dynamic (shared), device (a static variable, a part for each block), input or constant."""

    def __init__(self, name, of, count, place):
        self.name, self.of, self.count, self.place = name, of, count, place
        self.mode = READ
        self.operation = None  # of the mode ATOMIC
        self.owner = 0  # the thread of the mode ONE
        self.own = None  # index and condition of the mode OWN

    def element(self, index):
        """Text of the element at `index`, itself a text."""
        return f"{self.name}[block_number * {self.count} + {index}]" if self.place == "device" else f"{self.name}[{index}]"


class Total:
    """What all blocks add to, by atomics of one kind; a buffer, or a __managed__ variable."""

    def __init__(self, name, of, count, operation, place):
        self.name, self.of, self.count, self.operation, self.place = name, of, count, operation, place


class Memory:
    """The arrays of one program and their modes."""

    def __init__(self, choices, drawer, threads):
        self.choices, self.drawer, self.threads = choices, drawer, threads
        self.arrays = []  # that change
        self.fixed = []  # inputs and constants
        self.totals = []  # of Total: global, atomics from all blocks

    # ---- reading ----------------------------------------------------------------------------------------------------
    def read(self, scope):
        """An element of an array that may be read here; itself a source of values for expressions."""
        choices = self.choices
        readable = self.fixed + ([a for a in self.arrays if a.mode == READ] if scope.memory is self else [])
        array = choices.of(readable)
        ending, of = choices.of(fields_of(array.of))
        index = self.drawer.draw(scope, U32, choices.between(0, 1))
        place = array.element(f"({{0}} % {array.count}u)")
        if array.place == "input" and not ending and choices.one_in(3) and of in self.drawer.words.read_only:
            return Expression(of, f"@ldg(&{place})", index)
        return Expression(of, place + ending, index)

    # ---- modes ------------------------------------------------------------------------------------------------------
    def change_modes(self):
        """After a barrier every array may be used in another way."""
        choices = self.choices
        for array in self.arrays:
            modes = [(3, READ), (3, OWN), (1, ONE)]
            if array.of in ATOMICS:
                modes.append((2, ATOMIC))
            array.mode = choices.weighted(modes)
            array.owner = choices.below(self.threads)
            array.own = self.draw_own(array)
            if array.mode == ATOMIC:
                array.operation = choices.of(ATOMICS[array.of])
                if array.of in (F32, F64):  # what it holds need not be whole: sums would depend on the order of threads
                    array.mode = READ

    def modes(self):
        return [(array.mode, array.owner, array.own, array.operation) for array in self.arrays]

    def restore(self, modes):
        for array, saved in zip(self.arrays, modes):
            array.mode, array.owner, array.own, array.operation = saved

    # ---- writing ----------------------------------------------------------------------------------------------------
    def draw_own(self, array):
        """The index of an element that no other thread has, until the next barrier, and when there is one."""
        threads = self.threads
        if array.count < threads:
            return "tid", f"tid < {array.count}"
        indices = ["tid", f"({threads - 1} - tid)"]
        if array.count >= 2 * threads:
            indices += [f"(tid + {threads})", "(2 * tid)", "(2 * tid + 1)"]
        return self.choices.of(indices), None

    def value_of(self, scope, of):
        """A scalar, or an aggregate put together or taken whole."""
        if of.kind != "aggregate":
            return self.drawer.draw(scope, of)
        same = [name for name, kind in scope.aggregates if kind is of]
        if same:
            return Expression(of, self.choices.of(same))
        return aggregate_value(self.drawer, scope, of)

    def write(self, scope):
        """A statement that changes a shared array as its mode allows; None if there is none to change."""
        choices = self.choices
        changeable = [a for a in self.arrays if a.mode != READ]
        if not changeable:
            return None
        array = choices.of(changeable)
        if array.mode == ATOMIC:
            return self.atomic(scope, array.element(f"({{0}} % {array.count}u)"), array.of, array.operation)
        ending, of = ("", array.of) if choices.one_in(2) else choices.of(fields_of(array.of))
        if array.mode == ONE:
            index = self.drawer.draw(scope, U32, 1)
            value = self.value_of(scope, of)
            head = f"if (tid == {array.owner}) {array.element(f'({{0}} % {array.count}u)')}{ending} = {{1}};"
            return Statement(head, [index, value])
        own, condition = array.own
        guard = f"if ({condition}) " if condition else ""
        place = array.element(own) + ending
        if of.kind != "aggregate" and choices.one_in(3):
            targets = [name for name, kind in scope.assignable if kind is of]
            if targets:
                return Statement(f"{guard}{choices.of(targets)} = {place};")
        return Statement(f"{guard}{place} = {{0}};", [self.value_of(scope, of)])

    def atomic(self, scope, place, of, operation):
        """`place` has a hole for an index."""
        choices, drawer = self.choices, self.drawer
        index = drawer.draw(scope, U32, 1)
        if of in (F32, F64):  # whole numbers, whose sums are exact in every order
            value = Expression(of, f"({of})(signed char){{0}}", drawer.draw(scope, I32))
        elif operation == "multiply":  # by a loop that compares and swaps; odd factors commute
            factor = Expression(of, "({0} | 1u)", drawer.draw(scope, U32))
            return Statement(["{{", "    const unsigned factor = {1};",
                              f"    unsigned *place = &{place}, seen = @atomicOr(place, 0u), before;",
                              "    do {{", "        before = seen;",
                              "        seen = @atomicCAS(place, before, before * factor);",
                              "    }} while (seen != before);", "}}"], [index, factor])
        elif operation == "atomicInc":
            value = Expression(U32, "12u")
        else:
            value = drawer.draw(scope, of)
        return Statement(f"@{operation}(&{place}, {{1}});", [index, value])

    def add_to_total(self, scope):
        if not self.totals:
            return None
        total = self.choices.of(self.totals)
        return self.atomic(scope, f"{total.name}[{{0}} % {total.count}u]", total.of, total.operation)

    # ---- the beginning and the end ----------------------------------------------------------------------------------
    def set_up(self, scope):
        """All elements get a value, then all threads meet."""
        statements = []
        for array in self.arrays:
            value = aggregate_value(self.drawer, scope, array.of) if array.of.kind == "aggregate" else \
                self.drawer.draw(scope, array.of)
            loop = ["#pragma unroll 1",
                    f"for (int i = tid; i < {array.count}; i += {self.threads}) {array.element('i')} = {{0}};"]
            statements.append(Statement(loop, [value], stays=True))
        statements.append(barrier())
        return statements

    def digest(self):
        """What is in the arrays at the end, folded into one number for each thread."""
        lines = []
        for array in self.arrays:
            for ending, _ in fields_of(array.of):
                lines.append("#pragma unroll 1")
                element = array.element(f"(i + tid) % {array.count}")
                lines.append(f"for (int i = 0; i < {array.count}; ++i) "
                             f"digest = digest * 31 + both::bits({element}{ending});")
        return [Statement(lines, stays=True)]


def aggregate_value(drawer, scope, of):
    """Every field by itself, in a function that is written with the type."""
    parts = [drawer.draw(scope, kind, 1) for _, kind in of.fields]
    return Expression(of, f"make_{of.name}_value(" + ", ".join(f"{{{i}}}" for i in range(len(parts))) + ")", *parts)


def maker(of):
    """The text of that function, for kernel and reference."""
    arguments = ", ".join(f"{kind} a{i}" for i, (_, kind) in enumerate(of.fields))
    fields = " ".join(f"value{ending} = a{i};" for i, (ending, _) in enumerate(of.fields))
    return f"RANDOM_BOTH {of.name} make_{of.name}_value({arguments}) {{ {of.name} value; {fields} return value; }}"


def barrier():
    return Statement("@barrier;", stays=True)


def draw_arrays(choices, memory, structs):
    """Which arrays a program has."""
    scalars = memory.drawer.words.stored
    for i in range(choices.between(1, 3)):
        of = choices.weighted([(6, choices.of(scalars)), (1, choices.of(structs)), (1, choices.of(VECTORS))])
        memory.fixed.append(Array(f"in{i}", of, choices.of([16, 32, 37, 64, 100]), "input"))
    if choices.one_in(2):
        memory.fixed.append(Array("table", choices.of(scalars), choices.of([8, 16, 21]), "constant"))
    for i in range(choices.weighted([(1, 0), (3, 1), (3, 2), (1, 3)])):
        of = choices.weighted([(6, choices.of(scalars)), (1, choices.of(structs)), (1, choices.of(VECTORS))])
        count = choices.of([5, 32, 33, 64, memory.threads, memory.threads + 1, 2 * memory.threads])
        place = choices.weighted([(5, "shared"), (2, "device"), (1, "dynamic")])
        if place == "dynamic" and any(array.place == "dynamic" for array in memory.arrays):
            place = "shared"
        memory.arrays.append(Array(f"{'static' if place == 'device' else 'shared'}{i}", of, count, place))
    for i in range(choices.between(0, 2)):
        of = choices.of([I32, U32, U32, U64, F32, F64])
        place = "managed" if choices.one_in(4) else "buffer"
        memory.totals.append(Total(f"total{i}", of, choices.of([1, 4, 13]), choices.of(ATOMICS[of]), place))
