"""Steps of programs about shared memory: text for the device, and what it does to the reference's state.

Owns: STEPS, functions that take a Program (shared_programs.py), add lines to it and change its state. Guarantees: after each
step all threads have met, so that none disturbs another one's. `v` is the thread's word, `t` its number, `in` the input.
"""
from shared_state import INPUT_WORDS, WORD, Spread

HALF = 0xFFFF


def pointer_to(program, array, place):
    """A generic pointer to a word of an array, as people write it."""
    name = array.name
    return program.choices.of([
        f"&{name}[{place}]", f"{name} + {place}", f"(unsigned*)((char*){name} + {place} * 4u)",
        f"(unsigned*)((uintptr_t){name} + 4ull * {place})", f"hidden({name}) + {place}", f"hidden({name} + {place})",
        f"({name} + {array.words}) - ({array.words}u - {place})", f"Held({name}).at({place})",
        f"(unsigned*)__cvta_shared_to_generic(__cvta_generic_to_shared({name} + {place}))",
        f"back(address_of({name}) + 4u * {place})"])


def load(program, array, place):
    """An expression that reads a word of an array."""
    pointer = pointer_to(program, array, place)
    return program.choices.of([f"*({pointer})", f"*(volatile unsigned*)({pointer})", f"load_at({pointer})", f"load_generic({pointer})",
                               f"load_shared(address_of({pointer}))", f"load_wide({pointer})", f"load_bytes({pointer})"])


def store(program, array, place, value):
    pointer = pointer_to(program, array, place)
    return program.choices.of([f"*({pointer}) = {value};", f"store_at({pointer}, {value});", f"store_generic({pointer}, {value});",
                               f"store_shared(address_of({pointer}), {value});", f"store_halves({pointer}, {value});",
                               f"if (({pointer}) != nullptr) *({pointer}) = {value};"])


def mix(program, text, values):
    """v takes in a value: text for the device, by-thread values for the reference."""
    factor = program.choices.below(1 << 16) * 2 + 1
    program.line(f"v = v * {factor}u + ({text});")
    program.state.update(lambda thread, v: v * factor + values[thread])


def exchange(program):
    state, array = program.state, program.any_array(program.state.threads)
    to, back = Spread(program.choices, array.words), Spread(program.choices, array.words)
    program.line(store(program, array, to.text(), "v"))
    program.meet()
    for thread, value in enumerate(state.v):
        array.values[to.of(thread)] = value
    mix(program, load(program, array, back.text()), [array.values[back.of(t)] for t in range(state.threads)])
    program.meet()


def null_checks(program):
    """Pointers of all kinds, chosen by thread: which of them are null, what they point to, how they compare."""
    state, choices = program.state, program.choices
    array, other = program.any_array(32), program.any_array(32)
    place = choices.below(32)
    modulus = choices.between(2, 6)
    kinds = [(f"{array.name} + {place}", lambda t: array.values[place]), ("none", None),
             (f"const_cast<unsigned*>(in) + {place}", lambda t: state.input[place]),
             (f"hidden({other.name})", lambda t: other.values[0]), ("mine + 1", lambda t: t + 1), (array.name, lambda t: array.values[0])]
    picked = [choices.of(kinds) for _ in range(modulus)]
    chain = "".join(f"t % {modulus}u == {i}u ? (unsigned*)({text}) : " for i, (text, _) in enumerate(picked[:-1]))
    with program.block():
        program.line("unsigned mine[4];")
        program.line("for (unsigned i = 0; i < 4; ++i) mine[i] = t + i;")
        program.line("unsigned* const none = (unsigned*)null;")
        program.line(f"unsigned* const p = {chain}(unsigned*)({picked[-1][0]});")
        absent = choices.below(1 << 20)
        reads = choices.of([f"p ? *p : {absent}u", f"p == nullptr ? {absent}u : load_generic(p)", f"!p ? {absent}u : load_at(p)",
                            f"p != none ? *(volatile unsigned*)p : {absent}u"])
        values = [absent if picked[t % modulus][1] is None else picked[t % modulus][1](t) for t in range(state.threads)]
        mix(program, reads, values)
        is_shared = [kind[0] not in ("none", "mine + 1") and "in)" not in kind[0] for kind in picked]
        is_global = [kind[0] == "none" or "in)" in kind[0] for kind in picked]
        mix(program, "(__isShared(p) ? 1u : 0u) + (__isGlobal(p) ? 2u : 0u)",
            [is_shared[t % modulus] + 2 * is_global[t % modulus] for t in range(state.threads)])
        far = choices.below(32)
        mix(program, f"(unsigned)(&{array.name}[{far}] - ({array.name} + {place})) + ({array.name} == nullptr ? 99u : 0u) + "
                     f"(address_of({other.name}) == 0u ? 98u : 0u) + (address_of(none) == 0u ? 97u : 0u)",
            [far - place + 97] * state.threads)
    program.meet()


def wide_loads(program):
    """Vectors and narrow pieces at generic and shared addresses."""
    state, array = program.state, program.any_array(32)
    quads = array.words // 4
    at = Spread(program.choices, quads)
    form = program.choices.of(["*(const uint4*)(hidden({0}) + 4 * {1})", "((const uint4*){0})[{1}]", "load_quad(address_of({0} + 4u * {1}))"])
    with program.block():
        program.line(f"const uint4 q = {form.format(array.name, at.text())};")
        quad = [array.values[4 * at.of(t):4 * at.of(t) + 4] for t in range(state.threads)]
        mix(program, "q.x + 3u * q.y + 5u * q.z + 7u * q.w", [q[0] + 3 * q[1] + 5 * q[2] + 7 * q[3] for q in quad])
        mix(program, f"((const unsigned short*){array.name})[2u * {at.text()} + 1u] + ((const signed char*)hidden({array.name}))[4u * {at.text()} + 3u]",
            [(array.values[at.of(t)] >> 16) + signed_byte(array.values[at.of(t)] >> 24) for t in range(state.threads)])
    program.meet()


def signed_byte(byte):
    return byte - 256 if byte >= 128 else byte


def atomics(program):
    """All threads change a few words, in an order that cannot be seen; each sees them after."""
    state, choices = program.state, program.choices
    array = program.any_array(32)
    words = choices.of([1, 2, 8, 32])
    operation, apply = choices.of([("Add", lambda a, b: (a + b) & WORD), ("Max", max), ("Min", min), ("Xor", lambda a, b: a ^ b),
                                   ("Or", lambda a, b: a | b), ("And", lambda a, b: a & b)])
    place = f"(t * 5u & {words - 1}u)"
    pointer = pointer_to(program, array, place)
    asm_name = {"Add": "add.u32", "Max": "max.u32", "Min": "min.u32", "Xor": "xor.b32", "Or": "or.b32", "And": "and.b32"}[operation]
    program.line(choices.of([
        f"atomic{operation}({pointer}, v);", f'asm volatile("red.shared.{asm_name} [%0], %1;" ::"r"(address_of({pointer})), "r"(v) : "memory");',
        f'asm volatile("red.{asm_name} [%0], %1;" ::"l"({pointer}), "r"(v) : "memory");',
        f'{{ unsigned old; asm volatile("atom.shared.{asm_name} %0, [%1], %2;" : "=r"(old) : "r"(address_of({pointer})), "r"(v) : "memory"); }}']))
    program.meet()
    for thread, value in enumerate(state.v):
        at = thread * 5 & (words - 1)
        array.values[at] = apply(array.values[at], value)
    mix(program, load(program, array, place), [array.values[t * 5 & (words - 1)] for t in range(state.threads)])
    program.meet()


def matrix_rows(program, array, disjoint):
    """Where the 32 lanes of a warp point to rows of 16 bytes: text, and the row of (warp, lane)."""
    rows = array.words // 4
    if disjoint:
        inside = Spread(program.choices, 32)
        return f"(t / 32u * 32u + {inside.text('(t & 31u)')})", lambda warp, lane: warp * 32 + inside.of(lane)
    spread, shift = Spread(program.choices, rows), program.choices.below(rows)
    return f"(({spread.text('(t & 31u)')} + t / 32u * {shift}u) & {rows - 1}u)", lambda warp, lane: (spread.of(lane) + warp * shift) % rows


def element_place(lane, half, transposed):
    return (lane % 4 * 2 + half, lane // 4) if transposed else (lane // 4, lane % 4 * 2 + half)


def load_matrices(program):
    state, choices, array = program.state, program.choices, program.any_array(32)
    count, transposed = choices.of([1, 2, 4]), choices.one_in(2)
    text, row_of = matrix_rows(program, array, False)
    registers = ", ".join(f"%{i}" for i in range(count))
    outputs = ", ".join(f'"=r"(m[{i}])' for i in range(count))
    pointer = pointer_to(program, array, f"4u * {text}")
    with program.block():
        program.line(f"unsigned m[{count}];")
        program.line(f'asm volatile("ldmatrix.sync.aligned.m8n8.x{count}{".trans" if transposed else ""}.shared.b16 {{{registers}}}, [%{count}];" : '
                     f'{outputs} : "r"(address_of({pointer})) : "memory");')
        for matrix in range(count):
            def word(thread):
                warp, lane, value = thread // 32, thread % 32, 0
                for half in range(2):
                    row, column = element_place(lane, half, transposed)
                    at = row_of(warp, matrix * 8 + row) * 8 + column
                    value |= (array.values[at // 2] >> (16 * (at % 2)) & HALF) << (16 * half)
                return value
            mix(program, f"m[{matrix}]", [word(t) for t in range(state.threads)])
    program.meet()


def store_matrices(program):
    state, choices, array = program.state, program.choices, program.any_array(program.state.threads * 4)
    count, transposed = choices.of([1, 2, 4]), choices.one_in(2)
    text, row_of = matrix_rows(program, array, True)
    registers = ", ".join(f"%{i + 1}" for i in range(count))
    inputs = ", ".join(f'"r"(v + {i * 0x01234567}u)' for i in range(count))
    pointer = pointer_to(program, array, f"4u * {text}")
    program.line(f'asm volatile("stmatrix.sync.aligned.m8n8.x{count}{".trans" if transposed else ""}.shared.b16 [%0], {{{registers}}};" ::'
                 f'"r"(address_of({pointer})), {inputs} : "memory");')
    program.meet()
    for thread, value in enumerate(state.v):
        for matrix in range(count):
            for half in range(2):
                row, column = element_place(thread % 32, half, transposed)
                at = row_of(thread // 32, matrix * 8 + row) * 8 + column
                bits = (value + matrix * 0x01234567 & WORD) >> (16 * half) & HALF
                shift = 16 * (at % 2)
                array.values[at // 2] = array.values[at // 2] & ~(HALF << shift) & WORD | bits << shift
    back = Spread(choices, array.words)
    mix(program, load(program, array, back.text()), [array.values[back.of(t)] for t in range(state.threads)])
    program.meet()


def async_copies(program):
    state, choices = program.state, program.choices
    words = choices.of([1, 2, 4])
    array = program.any_array(state.threads * words)
    to, source = Spread(choices, array.words // words), Spread(choices, INPUT_WORDS // words)
    kind = choices.of(["ca", "cg"]) if words == 4 else "ca"
    filled, size = choices.one_in(3), 4 * words
    target = f"address_of({pointer_to(program, array, f'{words}u * {to.text()}')})"
    kept = (lambda t: t % (size + 1)) if filled else (lambda t: size)
    extra = (", %2;", f', "r"(t % {size + 1}u)') if filled else (";", "")
    program.line(f'asm volatile("cp.async.{kind}.shared.global [%0], [%1], {size}{extra[0]}" ::"r"({target}), '
                 f'"l"(in + {words}u * {source.text()}){extra[1]} : "memory");')
    program.line(choices.of(['asm volatile("cp.async.wait_all;" ::: "memory");',
                             'asm volatile("cp.async.commit_group; cp.async.wait_group 0;" ::: "memory");']))
    program.meet()
    for thread in range(state.threads):
        whole = b"".join(state.input[words * source.of(thread) + i].to_bytes(4, "little") for i in range(words))
        copied = whole[:kept(thread)].ljust(size, b"\0")
        for i in range(words):
            array.values[words * to.of(thread) + i] = int.from_bytes(copied[4 * i:4 * i + 4], "little")
    back = Spread(choices, array.words)
    mix(program, load(program, array, back.text()), [array.values[back.of(t)] for t in range(state.threads)])
    program.meet()


def barrier_objects(program):
    """Exchanges between phases of an mbarrier, which stands in for the block's barrier."""
    state, choices = program.state, program.choices
    array = program.any_array(state.threads)
    space, at = choices.of([(".shared", '"r"(address_of(object))'), ("", '"l"(hidden(object))')])
    program.shared("unsigned long long", "object", 1)
    program.line(f'if (t == 0) asm volatile("mbarrier.init{space}.b64 [%0], %1;" ::{at}, "r"({state.threads}u) : "memory");')
    program.meet()
    wait = (f'asm volatile("{{ .reg .b64 s; .reg .pred p; mbarrier.arrive{space}.b64 s, [%0]; again: mbarrier.test_wait{space}.b64 p, [%0], s; '
            f'@!p bra again; }}" ::{at} : "memory");').replace("again", "again%=")
    for _ in range(choices.between(1, 3)):
        to, back = Spread(choices, array.words), Spread(choices, array.words)
        program.line(store(program, array, to.text(), "v"))
        program.line(wait)
        for thread, value in enumerate(state.v):
            array.values[to.of(thread)] = value
        mix(program, load(program, array, back.text()), [array.values[back.of(t)] for t in range(state.threads)])
        program.line(wait)
    program.meet()
    program.line(f'if (t == 0) asm volatile("mbarrier.inval{space}.b64 [%0];" ::{at} : "memory");')
    program.meet()


STEPS = [(6, exchange), (5, null_checks), (2, wide_loads), (3, atomics), (4, load_matrices), (3, async_copies), (2, barrier_objects),
         (3, store_matrices)]
