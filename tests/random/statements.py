"""Statements: assignments and all of C++'s control flow, with what a block of threads may do at each place.

Barriers stand where all threads of a block come, and what lanes ask of each other where a mask of those who come is
known: branches and loops that keep that knowledge work out the mask by a vote first.
"""
from halves import drawn_operand
from memory import aggregate_value, barrier
from tree import Expression, Statement
from value_types import BOOL, I32, U32, U64, VECTORS

DEEPEST = 4
MOST_WORK = 4000  # statements that a thread executes, about


class Statements:
    def __init__(self, choices, drawer, warps, names, structs):
        self.choices, self.drawer, self.warps, self.names, self.structs = choices, drawer, warps, names, structs
        self.functions = None  # set once there are some
        self.left = 40  # so many statements more, about

    def block(self, scope, count):
        statements = []
        for _ in range(count):
            if self.left <= 0 or self.drawer.work > MOST_WORK:
                break
            self.left -= 1
            self.drawer.work += scope.rounds
            statements += self.one(scope)
        return statements + self.fold(scope)

    def fold(self, scope):
        """What a block inside the kernel declared ends with it: let it leave a trace."""
        declared = scope.variables[scope.outside:]
        if not (scope.memory and scope.outside and declared):
            return []
        return [Statement(f"fold = fold * 31 + both::bits({self.choices.of(declared)[0]});")]

    def one(self, scope):
        kinds = [(8, self.declare), (10, self.assign), (3, self.compound_assign)]
        if scope.depth < DEEPEST:
            kinds += [(4, self.branch), (3, self.loop), (2, self.switch), (2, self.local_array)]
            if scope.mask:
                kinds += [(4, self.branch_with_mask), (2, self.loop_with_mask),
                          (5, self.branch_of_groups), (3, self.loop_of_groups)]
            if scope.uniform:
                kinds += [(2, self.loop_of_all), (1, self.branch_of_all)]
        if scope.mask:
            kinds += [(8, lambda inside: [self.warps.draw(inside)])]
            if scope.memory:
                kinds += [(2, lambda inside: [self.warps.exchange(inside)])]
        if scope.memory:
            kinds += [(7, self.write), (3, self.total)]
        if scope.uniform:
            kinds += [(5, self.meet)]
        if scope.in_loop:
            kinds += [(2, self.leave_loop)]
        if self.functions:
            kinds += [(3, self.call)]
        if self.drawer.words.half_forms:
            kinds += [(6, self.mill)]
        return self.choices.weighted(kinds)(scope)

    # ---- values -----------------------------------------------------------------------------------------------------
    def declare(self, scope):
        choices = self.choices
        name = self.names.next("v")
        if choices.one_in(5):
            of = choices.of(self.structs + VECTORS)
            value = aggregate_value(self.drawer, scope, of)
        else:
            of = choices.weighted(self.drawer.words.usual)
            value = self.drawer.draw(scope, of)
        scope.declare(name, of)
        return [Statement(f"{of} {name} = {{0}};", [value])]

    def assign(self, scope):
        if not scope.assignable:
            return self.declare(scope)
        if scope.aggregates and self.choices.one_in(6):
            name, of = self.choices.of(scope.aggregates)
            other = [n for n, kind in scope.aggregates if kind is of and n != name]
            value = Expression(of, self.choices.of(other)) if other else aggregate_value(self.drawer, scope, of)
            return [Statement(f"{name} = {{0}};", [value])]
        name, of = self.choices.of(scope.assignable)
        return [Statement(f"{name} = {{0}};", [self.drawer.draw(scope, of)])]

    def compound_assign(self, scope):
        """On unsigned words, where C++ itself wraps."""
        words = [(name, of) for name, of in scope.assignable if of.kind == "int" and not of.signed and of.bits >= 32]
        if not words:
            return self.assign(scope)
        name, of = self.choices.of(words)
        sign = self.choices.of(["+=", "-=", "*=", "^=", "|=", "&="])
        return [Statement(f"{name} {sign} {{0}};", [self.drawer.draw(scope, of)])]

    def local_array(self, scope):
        """An array of a thread's own, filled, changed and read at places that only the run knows."""
        choices, of, count = self.choices, self.choices.weighted(self.drawer.words.usual), self.choices.between(2, 12)
        name, result = self.names.next("local"), self.names.next("v")
        fill = Expression(of, "{0}", self.drawer.draw(scope, of))
        statements = [Statement([f"{of} {name}[{count}];", f"for (int i = 0; i < {count}; ++i) {name}[i] = {{0}};"], [fill])]
        for _ in range(choices.between(1, 3)):
            statements.append(Statement(f"{name}[{{0}} % {count}u] = {{1}};",
                                        [self.drawer.draw(scope, U32, 1), self.drawer.draw(scope, of)]))
        statements.append(Statement(f"{of} {result} = {name}[{{0}} % {count}u];", [self.drawer.draw(scope, U32, 1)]))
        scope.declare(result, of)
        return statements

    def mill(self, scope):
        """One form of half precision over and over, of values that change from round to round."""
        choices, rounds = self.choices, self.choices.between(8, 32)
        form, narrow = choices.weighted(self.drawer.words.half_forms), not choices.one_in(4)
        state, counter, result = self.names.next("state"), self.names.next("i"), self.names.next("mill")
        operands = [drawn_operand(choices, of, state, narrow) for of in form.operands]
        lines = [f"unsigned {state} = {{0}};", f"unsigned long long {result} = 0;",
                 f"for (int {counter} = 0; {counter} < {rounds}; ++{counter}) {{{{",
                 f"    {state} = {state} * 1664525u + 1013904223u;",
                 f"    {result} = {result} * 31 + both::bits({form.text.format(*operands)});", "}}"]
        self.drawer.work += rounds * scope.rounds
        start = self.drawer.draw(scope, U32)
        scope.declare(result, U64)
        return [Statement(lines, [start])]

    def call(self, scope):
        """What is not a source of values: through pointers, by reference, together with the lanes of a mask."""
        choices, functions = self.choices, self.functions
        ways = [self.call_through_pointer] if functions.groups else []
        ways += [self.call_with_struct] if functions.modifiers else []
        ways += [self.call_together] if functions.collective and scope.mask and scope.memory else []
        return choices.of(ways)(scope) if ways else self.assign(scope)

    def call_through_pointer(self, scope):
        choices = self.choices
        names, result, operands = choices.of(self.functions.groups)
        pointer, value = self.names.next("pointer"), self.names.next("v")
        kind = ", ".join(map(str, operands))
        chosen = names[-1]
        for i, name in enumerate(names[:-1]):
            chosen = f"which == {i}u ? {name} : {chosen}"
        lines = ["{{", f"    const unsigned which = {{0}} % {len(names)}u;",
                 f"    {result} (*{pointer})({kind}) = {chosen};"]
        arguments = ", ".join(f"{{{i + 1}}}" for i in range(len(operands)))
        lines = [f"{result} {value};", *lines, f"    {value} = {pointer}({arguments});", "}}"]
        parts = [self.drawer.draw(scope, of, 1) for of in [U32, *operands]]
        scope.declare(value, result)
        return [Statement(lines, parts)]

    def call_with_struct(self, scope):
        name, struct, operand, by_reference = self.choices.of(self.functions.modifiers)
        mine = [n for n, of in scope.aggregates if of is struct]
        statements = []
        if not mine:
            mine = [self.names.next("v")]
            statements.append(Statement(f"{struct} {mine[0]} = {{0}};", [aggregate_value(self.drawer, scope, struct)]))
            scope.declare(mine[0], struct)
        target = self.choices.of(mine)
        value = self.drawer.draw(scope, operand)
        form = f"{name}({target}, {{0}});" if by_reference else f"{target} = {name}({target}, {{0}});"
        return [*statements, Statement(form, [value])]

    def call_together(self, scope):
        name, result, operand = self.choices.of(self.functions.collective)
        value = self.names.next("w")
        statement = Statement(f"{result} {value} = {name}({scope.mask}, lane, tid, {{0}});",
                              [self.drawer.draw(scope, operand)])
        scope.declare(value, result)
        return [statement]

    # ---- memory -----------------------------------------------------------------------------------------------------
    def write(self, scope):
        statement = scope.memory.write(scope)
        return [statement] if statement else self.assign(scope)

    def total(self, scope):
        statement = scope.memory.add_to_total(scope)
        return [statement] if statement else self.assign(scope)

    def meet(self, scope):
        """A barrier, plain or with a vote; behind it shared memory may be used in another way."""
        choices = self.choices
        if choices.one_in(4):
            name, vote = self.names.next("v"), choices.of(["count", "and", "or"])
            test = "" if vote == "count" else " != 0"
            statement = Statement(f"int {name} = @syncthreads_{vote}({{0}}){test};", [self.drawer.draw(scope, BOOL)],
                                  remains=[barrier()])
            scope.declare(name, I32)
        else:
            statement = barrier()
        scope.memory.change_modes()
        return [statement]

    # ---- control flow that lanes take apart -------------------------------------------------------------------------
    def branch(self, scope):
        choices = self.choices
        condition = self.drawer.draw(scope, BOOL)
        blocks = [self.block(scope.apart(), choices.between(1, 3))]
        if choices.one_in(2):
            return [Statement(["if ({0}) {{", 0, "}}"], [condition], blocks)]
        blocks.append(self.block(scope.apart(), choices.between(1, 3)))
        return [Statement(["if ({0}) {{", 0, "}} else {{", 1, "}}"], [condition], blocks)]

    def loop(self, scope):
        """At most a dozen rounds, a number of the thread's own."""
        choices, counter = self.choices, self.names.next("i")
        inside = scope.apart()
        inside.in_loop = True
        inside.variables.append((counter, I32))
        most = choices.between(2, 12)
        inside.rounds *= most
        rounds = Expression(I32, f"(int)({{0}} % {most}u)", self.drawer.draw(scope, U32))
        kind = choices.of(["for", "down", "while", "do"])
        if kind in ("for", "down"):
            body = self.block(inside, choices.between(1, 3))
            unroll = ["#pragma unroll 1"] if choices.one_in(4) else []
            head = f"for (int {counter} = 0; {counter} < {{0}}; ++{counter}) {{{{" if kind == "for" else \
                f"for (int {counter} = {{0}}; {counter} > 0; --{counter}) {{{{"
            return [Statement([*unroll, head, 0, "}}"], [rounds], [body])]
        condition = self.drawer.draw(inside, BOOL)
        body = self.block(inside, choices.between(1, 3))
        shape = ["{{", f"    int {counter} = {{0}};", "    do {{", 0, f"    }}}} while ({counter}-- > 0 && {{1}});", "}}"]
        if kind == "while":
            shape[2:] = [f"    while ({counter}-- > 0 && {{1}}) {{{{", 0, "    }}", "}}"]
        return [Statement(shape, [rounds, condition], [body])]

    def leave_loop(self, scope):
        return [Statement("if ({0}) " + self.choices.of(["break;", "continue;"]), [self.drawer.draw(scope, BOOL)])]

    def switch(self, scope):
        choices, cases = self.choices, self.choices.between(2, 5)
        value = self.drawer.draw(scope, U32)
        shape, blocks = [f"switch ({{0}} % {cases + 1}u) {{{{"], []
        for case in range(cases):
            number = case if not choices.one_in(3) else cases - case + 10  # some are never met
            shape += [f"case {number}u: {{{{", case, "}}" + ("" if choices.one_in(4) else " break;")]
            blocks.append(self.block(scope.apart().inner(in_loop=False), choices.between(1, 2)))
        shape += ["default: break;", "}}"]
        return [Statement(shape, [value], blocks)]

    # ---- control flow whose lanes are known -------------------------------------------------------------------------
    def branch_with_mask(self, scope):
        choices, mask = self.choices, self.names.next("mask")
        condition = self.drawer.draw(scope, BOOL)
        taken = scope.inner(mask=f"{mask}_in", uniform=False, in_loop=False)
        blocks = [self.block(taken, choices.between(1, 4))]
        shape = [f"const bool {mask}_if = {{0}};", f"const unsigned {mask}_in = @ballot_sync({scope.mask}, {mask}_if);"]
        if choices.one_in(2):
            return [Statement([*shape, f"if ({mask}_if) {{{{", 0, "}}"], [condition], blocks)]
        other = scope.inner(mask=f"{mask}_out", uniform=False, in_loop=False)
        blocks.append(self.block(other, choices.between(1, 4)))
        shape.append(f"const unsigned {mask}_out = {scope.mask} & ~{mask}_in;")
        return [Statement([*shape, f"if ({mask}_if) {{{{", 0, "}} else {{", 1, "}}"], [condition], blocks)]

    def loop_with_mask(self, scope):
        """Lanes leave one after another, and those that stay know who stayed."""
        choices, mask, counter = self.choices, self.names.next("mask"), self.names.next("i")
        inside = scope.inner(mask=mask, uniform=False, in_loop=False)
        inside.variables.append((counter, I32))
        inside.rounds *= 4
        stay = self.drawer.draw(inside, BOOL)
        body = self.block(inside, choices.between(1, 3))
        shape = [f"unsigned {mask} = {scope.mask};",
                 f"for (int {counter} = 0; {counter} < {choices.between(2, 6)}; ++{counter}) {{{{",
                 f"    const bool {mask}_stays = {{0}};", f"    {mask} = @ballot_sync({mask}, {mask}_stays);",
                 f"    if (!{mask}_stays) break;", 0, "}}"]
        return [Statement(shape, [stay], [body])]

    def groups(self, scope):
        """The mask of the lane's group by position, the one lane whose value counts for the group, and its lines."""
        name, width = self.names.next("group"), self.choices.of([2, 4, 8, 16])
        lines = [f"const unsigned {name} = ({hex((1 << width) - 1)}u << (lane & {32 - width})) & {scope.mask};"]
        return name, f"both::nth_lane({name}, {self.choices.below(width)}u)", lines

    def branch_of_groups(self, scope):
        """Each group takes its way as a whole, so that its mask needs no vote; groups of a warp part."""
        choices = self.choices
        group, chosen, shape = self.groups(scope)
        condition = self.drawer.draw(scope, BOOL)
        shape.append(f"const bool {group}_if = @shfl_sync({group}, (int){{0}}, {chosen}) != 0;")
        blocks = [self.block(scope.inner(mask=group, uniform=False, in_loop=False), choices.between(1, 4))]
        if choices.one_in(2):
            return [Statement([*shape, f"if ({group}_if) {{{{", 0, "}}"], [condition], blocks)]
        blocks.append(self.block(scope.inner(mask=group, uniform=False, in_loop=False), choices.between(1, 4)))
        return [Statement([*shape, f"if ({group}_if) {{{{", 0, "}} else {{", 1, "}}"], [condition], blocks)]

    def loop_of_groups(self, scope):
        """Groups that go round as often as one of their lanes says."""
        group, chosen, shape = self.groups(scope)
        counter = self.names.next("i")
        inside = scope.inner(mask=group, uniform=False, in_loop=False)
        inside.variables.append((counter, I32))
        inside.rounds *= 3
        rounds = self.drawer.draw(scope, U32)
        body = self.block(inside, self.choices.between(1, 3))
        shape += [f"const unsigned {group}_rounds = @shfl_sync({group}, {{0}}, {chosen}) % 4u;",
                  f"for (int {counter} = 0; {counter} < (int){group}_rounds; ++{counter}) {{{{", 0, "}}"]
        return [Statement(shape, [rounds], [body])]

    def same_for_all(self, scope):
        """A value that all threads of a block share."""
        choices = self.choices
        return choices.of(["@block.x", "@block.y", "@grid_size.x", "scalar", f"({choices.below(100)}u + scalar)"])

    def loop_of_all(self, scope):
        """All threads go round together, so there may be barriers inside; one at each end keeps the rounds apart."""
        choices, counter = self.choices, self.names.next("i")
        entry = scope.memory.modes()
        inside = scope.inner(in_loop=False)
        inside.variables.append((counter, I32))
        inside.rounds *= 3
        inside.memory.change_modes()
        body = [barrier(), *self.block(inside, choices.between(1, 4)), barrier()]
        scope.memory.restore(entry)
        scope.memory.change_modes()
        rounds = f"(int)({self.same_for_all(scope)} % {choices.between(2, 5)}u) + 1"
        shape = [f"for (int {counter} = 0; {counter} < {rounds}; ++{counter}) {{{{", 0, "}}"]
        return [Statement(shape, [], [body], remains=[barrier()])]

    def branch_of_all(self, scope):
        choices = self.choices
        entry = scope.memory.modes()
        body = [*self.block(scope.inner(in_loop=False), choices.between(1, 4)), barrier()]
        scope.memory.restore(entry)
        return [Statement([f"if ({self.same_for_all(scope)} % 2u == {choices.below(2)}u) {{{{", 0, "}}"], [], [body])]
