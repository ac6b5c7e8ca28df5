"""Random choices that are the same for a seed on every machine and with every release of Python."""

MASK = (1 << 64) - 1


def mixed(x):
    """The finaliser of splitmix64."""
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


class Choices:
    def __init__(self, seed):
        self.state = mixed((seed + 1) * 0xD1342543DE82EF95 & MASK)  # far from the state of the next seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        return mixed(self.state)

    def below(self, count):
        return self.next() % count

    def between(self, low, high):
        """Both ends included."""
        return low + self.below(high - low + 1)

    def one_in(self, count):
        return self.below(count) == 0

    def of(self, items):
        return items[self.below(len(items))]

    def weighted(self, pairs):
        """One of the items of (weight, item) pairs."""
        at = self.below(sum(weight for weight, _ in pairs))
        for weight, item in pairs:
            at -= weight
            if at < 0:
                return item
        raise AssertionError("weights were counted")
