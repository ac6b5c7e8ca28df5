"""A random program: its launch, its memory, its functions and the body of its kernel, all drawn from one seed."""
from choices import Choices
from expressions import Drawer, literal
from functions import Functions
from memory import Memory, draw_arrays
from scope import Scope
from statements import Statements
from tree import Expression, Statement
from value_types import F32, I32, U32, draw_struct
from warps import WarpOperations
from words import PLAIN

BLOCKS = [(32, 1, 1), (64, 1, 1), (33, 1, 1), (7, 1, 1), (96, 1, 1), (100, 1, 1), (1, 1, 1), (31, 1, 1), (8, 8, 1),
          (5, 7, 1), (16, 3, 1), (4, 4, 4), (3, 5, 2), (40, 2, 1), (128, 1, 1), (11, 3, 3), (2, 32, 1)]
GRIDS = [(1, 1, 1), (2, 1, 1), (3, 1, 1), (2, 2, 1), (1, 2, 2)]


class Names:
    def __init__(self):
        self.used = 0

    def next(self, prefix):
        self.used += 1
        return f"{prefix}{self.used}"


class Program:
    def __init__(self, seed, words=PLAIN):
        self.seed, self.words = seed, words
        choices = Choices(seed)
        self.block, self.grid = choices.of(BLOCKS), choices.of(GRIDS)
        self.threads = self.block[0] * self.block[1] * self.block[2]
        self.blocks = self.grid[0] * self.grid[1] * self.grid[2]
        self.structs = [draw_struct(choices, words.usual, f"S{i}") for i in range(choices.between(1, 2))]
        drawer, names = Drawer(choices, words), Names()
        self.memory = Memory(choices, drawer, self.threads)
        draw_arrays(choices, self.memory, self.structs)
        statements = Statements(choices, drawer, WarpOperations(choices, drawer, names), names, self.structs)
        self.functions = Functions(choices, drawer, statements, names, self.structs)
        self.functions.make()
        statements.functions = self.functions
        statements.left = choices.between(3, 14)
        drawer.work = 0
        self.scalar, self.real = literal(choices, U32), literal(choices, F32)
        self.tables = {a.name: [literal(choices, a.of) for _ in range(a.count)]
                       for a in self.memory.fixed if a.place == "constant"}
        self.body = self.draw_body(choices, statements)

    def draw_body(self, choices, statements):
        memory, scope = self.memory, self.outermost()
        body = memory.set_up(scope)
        for of in choices.of([(I32, U32, F32), (U32, F32)]):
            name, value = statements.names.next("v"), statements.drawer.draw(scope, of)
            scope.declare(name, of)
            body.append(Statement(f"{of} {name} = {{0}};", [value], stays=True))
        scope.memory, scope.uniform = memory, True
        memory.change_modes()
        body += statements.block(scope, statements.left)
        body.append(Statement("@barrier;", stays=True))
        self.results = [name for name, _ in scope.assignable]
        return body

    def outermost(self):
        functions, memory = self.functions, self.memory
        scope = Scope([("tid", I32), ("lane", I32), ("block_number", I32), ("scalar", U32), ("real", F32)])
        scope.assignable = []
        scope.mask = "everyone"
        places = [lambda _: Expression(U32, "@thread.x"), lambda _: Expression(U32, "@thread.y"),
                  lambda _: Expression(U32, "@block.x"), lambda _: Expression(U32, "@block_size.x")]
        scope.sources = [memory.read] * 6 + places + functions.sources * 3
        return scope

    @property
    def columns(self):
        return [*self.results, "fold", "digest"]

    @property
    def bytes_stored(self):
        """What the threads store to global memory, where that is only their results; else None."""
        if any(array.place == "device" for array in self.memory.arrays):
            return None
        return self.blocks * self.threads * len(self.columns) * 8
