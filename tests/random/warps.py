"""What the lanes of a warp ask of each other: shuffles, votes, matches, reductions, and memory between lanes.

Each of these names a mask of lanes that are known to be here together. A lane only uses what it got from a lane of the
mask.
"""
from tree import Expression, Statement
from value_types import BOOL, I32, I64, U32, U64


class WarpOperations:
    def __init__(self, choices, drawer, names):
        self.choices, self.drawer, self.names = choices, drawer, names

    def draw(self, scope):
        """A statement that asks the lanes of the scope's mask, and declares what came."""
        choices = self.choices
        mask, before = scope.mask, []
        if choices.one_in(4):
            mask, before = self.part_of(scope)
        kind = choices.weighted([(4, self.shuffle), (2, self.vote), (2, self.match), (3, self.reduce)])
        name = self.names.next("w")
        statement, of = kind(scope, mask, name)
        statement.shape[:0] = before
        scope.declare(name, of)
        return statement

    def part_of(self, scope):
        """The lanes of the mask in groups, each lane naming its own: by position, or by what they hold."""
        choices, name = self.choices, self.names.next("group")
        if choices.one_in(2):
            width = choices.of([2, 4, 8, 16])
            lanes = f"({hex((1 << width) - 1)}u << (lane & {32 - width})) & {scope.mask}"
            return name, [f"const unsigned {name} = {lanes};"]
        held = choices.of([f"lane % {choices.between(2, 5)}", f"tid / {choices.between(3, 9)}"])
        return name, [f"const unsigned {name} = @match_any_sync({scope.mask}, {held});"]

    def shuffle(self, scope, mask, name):
        choices, drawer = self.choices, self.drawer
        of = choices.of(drawer.words.shuffled)
        value = drawer.draw(scope, of)
        kind = choices.of(["nth", "up", "down", "xor", "segment"])
        if kind == "nth":
            source = drawer.draw(scope, U32, 1)
            return Statement(f"{of} {name} = @shfl_sync({mask}, {{0}}, both::nth_lane({mask}, {{1}}));", [value, source]), of
        # From a lane that may not be in the mask: then the own value counts, whatever came.
        width = choices.of([32, 32, 16, 8, 4])
        if kind == "segment":
            place = choices.below(width)
            call = f"@shfl_sync({mask}, {name}_sent, {place}, {width})"
            source = f"((lane & {32 - width}) + {place})"
        else:
            distance = choices.between(1, width - 1)
            call = f"@shfl_{kind}_sync({mask}, {name}_sent, {distance}, {width})"
            source = {"up": f"(lane % {width} < {distance} ? lane : lane - {distance})",
                      "down": f"(lane % {width} + {distance} >= {width} ? lane : lane + {distance})",
                      "xor": f"(lane ^ {distance})"}[kind]
        lines = [f"const {of} {name}_sent = {{0}};", f"{of} {name} = {call};",
                 f"if (({mask} >> {source} & 1) == 0) {name} = {name}_sent;"]
        return Statement(lines, [value]), of

    def vote(self, scope, mask, name):
        choices = self.choices
        vote = choices.of(["ballot_sync", "all_sync", "any_sync"])
        of = U32 if vote == "ballot_sync" else BOOL
        # 0 or not 0 is all that CUDA promises of all and any
        form = f"{of} {name} = @{vote}({mask}, {{0}})" + (";" if of is U32 else " != 0;")
        return Statement(form, [self.drawer.draw(scope, BOOL)]), of

    def match(self, scope, mask, name):
        choices, drawer = self.choices, self.drawer
        of = choices.of([I32, U32, I64, U64])
        few = choices.between(1, 5)
        value = Expression(of, f"({of})({{0}} % {few}u)", drawer.draw(scope, U32))
        if choices.one_in(2):
            return Statement(f"unsigned {name} = @match_any_sync({mask}, {{0}});", [value]), U32
        return Statement([f"int {name}_alike;", f"unsigned {name} = @match_all_sync({mask}, {{0}}, &{name}_alike);",
                          f"{name} += {name}_alike != 0;"], [value]), U32

    def reduce(self, scope, mask, name):
        choices = self.choices
        operation = choices.of(["add", "min", "max", "and", "or", "xor"])
        of = choices.of([I32, U32]) if operation in ("add", "min", "max") else U32
        return Statement(f"{of} {name} = @reduce_{operation}_sync({mask}, {{0}});", [self.drawer.draw(scope, of)]), of

    def exchange(self, scope):
        """Through an array in shared memory that only this serves: one lane writes, another of the mask reads."""
        choices, name = self.choices, self.names.next("w")
        value, source = self.drawer.draw(scope, U32), self.drawer.draw(scope, U32, 1)
        statement = Statement([
            "exchanged[tid] = {0};", f"@syncwarp({scope.mask});",
            f"unsigned {name} = exchanged[tid - lane + both::nth_lane({scope.mask}, {{1}})];", f"@syncwarp({scope.mask});"],
            [value, source])
        scope.declare(name, U32)
        return statement
