"""Steps of programs about shared memory that cooperative groups of every size take: tiles of 1 to 512 threads, and lanes
that a predicate or a label brings together.
"""
from shared_state import Spread
from shared_steps import load, mix, store


def bits(values):
    return sum(bool(value) << i for i, value in enumerate(values))


OPERATIONS = {"plus": lambda a, b: (a + b) & 0xFFFFFFFF, "less": min, "greater": max, "bit_and": lambda a, b: a & b,
              "bit_or": lambda a, b: a | b, "bit_xor": lambda a, b: a ^ b}


def folded(name, values):
    total = values[0]
    for value in values[1:]:
        total = OPERATIONS[name](total, value)
    return total


def by_tile(state, size, function):
    """function(values of a tile, rank) for each thread."""
    tiles = [state.v[first:first + size] for first in range(0, state.threads, size)]
    return [function(tiles[t // size], t % size) for t in range(state.threads)]


def ranks(program, size):
    count = program.state.threads
    mix(program, "tile.thread_rank() * 3u + tile.meta_group_rank() * 5u + tile.meta_group_size() * 7u + (unsigned)tile.num_threads()",
        [t % size * 3 + t // size * 5 + count // size * 7 + size for t in range(count)])


def tiles_of_lanes(program):
    state, choices = program.state, program.choices
    size = choices.of([1, 2, 4, 8, 16, 32])
    with program.block():
        program.line(f"const auto tile = cg::tiled_partition<{size}>({program.group()});")
        ranks(program, size)
        for _ in range(choices.between(1, 3)):
            d, bit, name = choices.below(size), choices.below(8), choices.of(sorted(OPERATIONS))
            text, function = choices.of([
                (f"tile.shfl(v, {d})", lambda tile, rank: tile[d]),
                (f"tile.shfl_up(v, {d})", lambda tile, rank: tile[rank - d if rank >= d else rank]),
                (f"tile.shfl_down(v, {d})", lambda tile, rank: tile[rank + d if rank + d < size else rank]),
                (f"tile.shfl_xor(v, {d})", lambda tile, rank: tile[rank ^ d]),
                (f"tile.ballot(v >> {bit} & 1u)", lambda tile, rank: bits(v >> bit & 1 for v in tile)),
                (f"(unsigned)(tile.any(v >> {bit} & 1u) != 0)", lambda tile, rank: any(v >> bit & 1 for v in tile)),
                (f"(unsigned)(tile.all(v >> {bit} & 1u) != 0)", lambda tile, rank: all(v >> bit & 1 for v in tile)),
                (f"tile.match_any(v & 3u)", lambda tile, rank: bits((v ^ tile[rank]) & 3 == 0 for v in tile)),
                (f"cg::reduce(tile, v, cg::{name}<unsigned>())", lambda tile, rank: folded(name, tile)),
                (f"cg::inclusive_scan(tile, v)", lambda tile, rank: sum(tile[:rank + 1])),
                (f"cg::exclusive_scan(tile, v)", lambda tile, rank: sum(tile[:rank]))])
            mix(program, text, by_tile(state, size, function))
    program.meet()


def tiles_of_warps(program):
    """Tiles wider than a warp, which meet in the middle of an exchange, each by itself."""
    state, choices = program.state, program.choices
    sizes = [size for size in (64, 128, 256, 512) if size <= state.threads]
    if not sizes:
        tiles_of_lanes(program)
        return
    size = choices.of(sizes)
    array = program.any_array(state.threads)
    with program.block():
        program.line(f"const auto tile = cg::tiled_partition<{size}>({program.group()});")
        ranks(program, size)
        inside, back = Spread(choices, size), Spread(choices, size)
        first, rank = f"t / {size}u * {size}u", f"(t & {size - 1}u)"
        program.line(store(program, array, f"({first} + {inside.text(rank)})", "v"))
        program.line("tile.sync();")
        for thread, value in enumerate(state.v):
            array.values[thread // size * size + inside.of(thread % size)] = value
        mix(program, load(program, array, f"({first} + {back.text(rank)})"),
            [array.values[t // size * size + back.of(t % size)] for t in range(state.threads)])
        for _ in range(choices.between(1, 2)):
            d, bit, name = choices.below(size), choices.below(8), choices.of(sorted(OPERATIONS))
            text, function = choices.of([
                (f"tile.shfl(v, {d})", lambda tile, rank: tile[d]),
                (f"(unsigned)(tile.any(v % 509u == {bit}u) != 0)", lambda tile, rank: any(v % 509 == bit for v in tile)),
                (f"(unsigned)(tile.all(v % 509u != {bit}u) != 0)", lambda tile, rank: all(v % 509 != bit for v in tile)),
                (f"cg::reduce(tile, v, cg::{name}<unsigned>())", lambda tile, rank: folded(name, tile))])
            mix(program, text, by_tile(state, size, function))
    program.meet()


def lanes_together(program):
    """Groups of lanes that agree on something."""
    state, choices = program.state, program.choices
    with program.block():
        program.line(f"const auto warp = cg::tiled_partition<32>({program.group()});")
        if choices.one_in(2):
            bit = choices.below(8)
            program.line(f"const auto some = cg::binary_partition(warp, v >> {bit} & 1u);")
            key = lambda v: v >> bit & 1
        else:
            labels = choices.of([2, 3, 5])
            program.line(f"const auto some = cg::labeled_partition(warp, (int)(v % {labels}u));")
            key = lambda v: v % labels
        members = []
        for thread, value in enumerate(state.v):
            first = thread // 32 * 32
            members.append([t for t in range(first, first + 32) if key(state.v[t]) == key(value)])
        mix(program, "some.thread_rank() + 33u * some.num_threads()", [m.index(t) + 33 * len(m) for t, m in enumerate(members)])
        after = list(state.v)
        text, function = choices.of([("some.shfl(v, 0)", lambda m: after[m[0]]), ("cg::reduce(some, v, cg::plus<unsigned>())", lambda m: sum(after[t] for t in m)),
                                     ("some.shfl(v, some.num_threads() - 1)", lambda m: after[m[-1]])])
        mix(program, text, [function(m) for m in members])
    program.meet()


STEPS = [(5, tiles_of_lanes), (5, tiles_of_warps), (2, lanes_together)]
