"""What a place in a program offers: variables, other sources of values, and who is there with it."""


class Scope:
    def __init__(self, variables=(), sources=()):
        self.variables = list(variables)  # (name, type) of scalars that can be read
        self.assignable = list(variables)
        self.aggregates = []  # (name, type) of whole structs and vectors
        self.sources = list(sources)  # functions from a scope to an expression: memory, calls
        self.mask = None  # the name of the mask of lanes that are here together, if that is known
        self.uniform = False  # all threads of the block are here together
        self.memory = None  # the arrays of the program, where statements may touch them
        self.depth = 0
        self.outside = 0  # so many of the variables belong to scopes around this one
        self.rounds = 1  # how often the place is reached, at most, each time the program gets to its function
        self.in_loop = False  # break and continue make sense and skip nothing that others wait for

    def inner(self, **changes):
        """A scope inside this one: what it declares ends with it."""
        inside = Scope()
        inside.variables = list(self.variables)
        inside.assignable = list(self.assignable)
        inside.aggregates = list(self.aggregates)
        inside.sources = self.sources
        inside.mask, inside.uniform, inside.memory = self.mask, self.uniform, self.memory
        inside.outside = len(self.variables)
        inside.depth, inside.rounds, inside.in_loop = self.depth + 1, self.rounds, self.in_loop
        for name, value in changes.items():
            setattr(inside, name, value)
        return inside

    def apart(self):
        """A scope in which nobody knows which lanes are there."""
        return self.inner(mask=None, uniform=False)

    def declare(self, name, of):
        if of.kind == "aggregate":
            self.aggregates.append((name, of))
            for ending, kind in of.fields:
                self.variables.append((name + ending, kind))
                self.assignable.append((name + ending, kind))
        else:
            self.variables.append((name, of))
            self.assignable.append((name, of))
