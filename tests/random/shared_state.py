"""What the threads of a block hold while a program of shared memory runs, for the reference.

Owns: State: a word for each thread, the shared arrays, the input. Guarantees: nothing here knows what the device does.
"""
from choices import mixed

WORD = 0xFFFFFFFF
INPUT_WORDS = 4096


def input_word(seed, place):
    """The words of a program's input; the harness computes the same."""
    return mixed((seed << 20) + place) & WORD


class Array:
    """A shared array of words. `name` is a pointer in the kernel's text."""

    def __init__(self, name, words, declaration):
        self.name, self.words, self.declaration = name, words, declaration
        self.values = [0] * words


class State:
    def __init__(self, seed, threads, arrays):
        self.seed, self.threads, self.arrays = seed, threads, arrays
        self.input = [input_word(seed, place) for place in range(INPUT_WORDS)]
        self.v = self.input[:threads]
        for number, array in enumerate(arrays):
            array.values = [self.input[(place + 77 * number) % INPUT_WORDS] for place in range(array.words)]

    def update(self, function):
        """v of each thread from its number and its old value."""
        self.v = [function(thread, value) & WORD for thread, value in enumerate(self.v)]


class Spread:
    """A different place for each thread of a block, among `count` places (a power of two that holds them all)."""

    def __init__(self, choices, count):
        self.count = count
        self.step, self.start = 2 * choices.below(count) + 1, choices.below(count)

    def of(self, thread):
        return (thread * self.step + self.start) % self.count

    def text(self, thread="t"):
        return f"(({thread} * {self.step}u + {self.start}u) & {self.count - 1}u)"
