"""Makes a failing random program small: leaves out statements and simplifies expressions while it still fails.

usage: reduce.py TILESCOPE WAY SEED [--to FILE.cu] [--half]

WAY and --half as for check.py. The result is a source file of one program, with its reference. Barriers stay as long as anything
that they keep apart does, so what is left has no race that the program did not have.
"""
import argparse
import pathlib
import re
import sys
import tempfile

from check import CompilerDied, Way, check_file
from emission import file_text
from expressions import literal_zero
from generate import write_headers
from program import Program


def lists_of_statements(statements):
    """A list of statements and all lists inside of it, outer ones first."""
    yield statements
    for statement in statements:
        for block in statement.blocks:
            yield from lists_of_statements(block)


def expressions_of(statements):
    """(list of parts, place in it) of all expressions, outer ones first."""
    for block in lists_of_statements(statements):
        for statement in block:
            pending = [statement.parts]
            while pending:
                parts = pending.pop()
                for i, part in enumerate(parts):
                    yield parts, i
                    pending.append(part.parts)


class Reducer:
    def __init__(self, tool, way, program):
        self.tool, self.way, self.program = tool, way, program
        self.folder = tempfile.TemporaryDirectory()
        write_headers(pathlib.Path(self.folder.name))
        self.tried = 0
        self.all_results = list(program.results)
        self.failure = self.run()

    def bodies(self):
        return [self.program.body, *(body for _, body in self.program.functions.made)]

    def run(self):
        """How the program fails: "wrong", or the text of a refusal, or that the compiler died; None if it passes or does not compile."""
        self.tried += 1
        text = "\n".join(line for statement in self.program.body for line in statement.lines(0))
        self.program.results = [name for name in self.all_results
                                if re.search(rf"\b{re.escape(name.split('.')[0])}(;| = )", text)]
        source = pathlib.Path(self.folder.name) / f"try{self.tried}.cu"
        source.write_text(file_text([self.program]))
        try:
            failed = check_file(self.tool, self.way, source, [self.program], quiet=True)
        except CompilerDied:
            return "the compiler died"
        finally:
            source.unlink()
        what = failed.get(self.program.seed)
        if what is None or "the launch failed" in what or "did not run" in what:
            return what
        return "wrong"

    def still_fails(self):
        return self.run() == self.failure

    def leave_out(self, statements):
        """Drops runs of statements, long ones first."""
        length = len(statements)
        while length >= 1:
            start = 0
            while start < len(statements):
                before = list(statements)
                kept = []
                for statement in statements[start:start + length]:
                    kept += [statement] if statement.stays else statement.remains
                if len(kept) < len(statements[start:start + length]) or kept != statements[start:start + length]:
                    statements[start:start + length] = kept
                    if self.still_fails():
                        continue
                    statements[:] = before
                start += length
            length //= 2

    def unwrap(self, statements):
        """A branch or loop by what is inside of it."""
        for i in range(len(statements) - 1, -1, -1):
            for block in statements[i].blocks:
                before = list(statements)
                statements[i:i + 1] = block
                if self.still_fails():
                    break
                statements[:] = before

    def simplify(self, body):
        done = False
        while not done:
            done = True
            for parts, i in expressions_of(body):
                part = parts[i]
                if not part.parts:
                    continue
                simpler = [inner for inner in part.parts if inner.type is part.type]
                if part.type.kind != "aggregate":
                    simpler.insert(0, literal_zero(part.type))
                for candidate in simpler:
                    parts[i] = candidate
                    if self.still_fails():
                        done = False
                        break
                    parts[i] = part
                if not done:
                    break

    def drop_functions(self):
        made = self.program.functions.made
        for i in range(len(made) - 1, -1, -1):
            function = made.pop(i)
            if not self.still_fails():
                made.insert(i, function)

    def reduce(self):
        for body in self.bodies():
            for statements in list(lists_of_statements(body)):
                self.leave_out(statements)
        self.drop_functions()
        for body in self.bodies():
            for statements in list(lists_of_statements(body)):
                self.unwrap(statements)
        for body in self.bodies():
            for statements in list(lists_of_statements(body)):
                self.leave_out(statements)
            self.simplify(body)
        for body in self.bodies():
            for statements in list(lists_of_statements(body)):
                self.leave_out(statements)
        self.drop_functions()
        self.run()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("way", type=Way)
    parser.add_argument("seed", type=int)
    parser.add_argument("--to", type=pathlib.Path, default=pathlib.Path("reduced.cu"))
    parser.add_argument("--half", action="store_true")
    options = parser.parse_args()
    reducer = Reducer(options.tool, options.way, Program(options.seed, options.way.words(options.half)))
    if reducer.failure is None:
        print(f"program {options.seed} does not fail through {options.way.text}")
        return 1
    print(f"fails: {reducer.failure}", flush=True)
    reducer.reduce()
    options.to.write_text(file_text([reducer.program]))
    print(f"{options.to}: {len(options.to.read_text().splitlines())} lines, after {reducer.tried} runs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
