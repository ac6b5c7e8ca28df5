"""A program as text: the kernel, the same for the host, and the run that holds one against the other."""
from dialects import in_kernel, in_reference
from memory import maker
from tree import lines_of
from value_types import VECTORS, fields_of

PROLOGUE = """\
const int tid = @thread.x + @block_size.x * (@thread.y + @block_size.y * @thread.z);
const int block_number = @block.x + @grid_size.x * (@block.y + @grid_size.y * @block.z);
const int lane = tid % 32;
const int behind = {threads} - (tid - lane);
const unsigned everyone = behind >= 32 ? 0xffffffffu : (1u << behind) - 1;
unsigned long long fold = 0;
(void)everyone, (void)block_number;"""


def indented(lines, depth=1):
    return ["    " * depth + line for line in lines]


def parameters_of(program):
    """(type, name) of the kernel's parameters."""
    memory = program.memory
    inputs = [(f"const {a.of}*", a.name) for a in memory.fixed if a.place == "input"]
    totals = [(f"{total.of}*", total.name) for total in memory.totals if total.place == "buffer"]
    return [*inputs, *totals, ("unsigned long long*", "out"), ("unsigned", "scalar"), ("float", "real")]


def managed_of(program):
    return [total for total in program.memory.totals if total.place == "managed"]


def body_of(program):
    """The kernel's body, both dialects to come."""
    columns = program.columns
    lines = PROLOGUE.format(threads=program.threads).splitlines()
    lines += lines_of(program.body)
    lines.append("unsigned long long digest = 0;")
    lines += lines_of(program.memory.digest())
    lines.append(f"unsigned long long* const mine = out + (block_number * {program.threads} + tid) * {len(columns)};")
    lines += [f"mine[{i}] = both::bits({name});" for i, name in enumerate(columns)]
    return lines


def tables_of(program, storage):
    of = {array.name: array for array in program.memory.fixed}
    return [f"{storage} {of[name].of} {name}[{of[name].count}] = {{{', '.join(value.text() for value in values)}}};"
            for name, values in program.tables.items()]


def kernel_lines(program, body):
    yield "namespace on_device {"
    yield from tables_of(program, "__constant__")
    for array in program.memory.arrays:
        if array.place == "device":
            yield f"static __device__ {array.of} {array.name}[{array.count * program.blocks}];"
    for total in managed_of(program):
        yield f"__managed__ {total.of} {total.name}[{total.count}];"
    yield from (in_kernel(line) for line in program.functions.lines())
    yield f"__global__ void kernel({', '.join(f'{of} {name}' for of, name in parameters_of(program))}) {{"
    for array in program.memory.arrays:
        if array.place == "shared":
            yield f"    __shared__ {array.of} {array.name}[{array.count}];"
        if array.place == "dynamic":
            yield "    extern __shared__ __align__(16) unsigned char dynamic_bytes[];"
            yield f"    {array.of}* const {array.name} = reinterpret_cast<{array.of}*>(dynamic_bytes);"
    if any("exchanged" in line for line in body):
        yield f"    __shared__ unsigned exchanged[{program.threads}];"
    yield from indented(in_kernel(line) for line in body)
    yield "}"
    yield "}  // namespace on_device"


def reference_lines(program, body):
    yield "namespace on_host {"
    yield from tables_of(program, "static const")
    yield from (in_reference(line) for line in program.functions.lines())
    yield "struct Kernel {"
    for of, name in parameters_of(program):
        yield f"    {of} {name};"
    for total in managed_of(program):
        yield f"    {total.of}* {total.name};"
    for array in program.memory.arrays:
        count = array.count * (program.blocks if array.place == "device" else 1)
        yield f"    {array.of} {array.name}[{count}];"
    if any("exchanged" in line for line in body):
        yield f"    unsigned exchanged[{program.threads}];"
    yield "    void operator()() {"
    yield from indented((in_reference(line) for line in body), 2)
    yield "    }"
    yield "};"
    yield "}  // namespace on_host"


def run_lines(program):
    memory, out = program.memory, program.blocks * program.threads * len(program.columns)
    yield "bool run() {"
    yield f"    harness::Trial trial({program.seed}ull);"
    yield f"    const dim3 grid{program.grid}, block{program.block};"
    yield f"    unsigned long long state = {program.seed}ull;"
    for array in memory.fixed:
        if array.place != "input":
            continue
        yield f"    harness::Twin<{array.of}> {array.name}({array.count});"
        yield f"    for (int i = 0; i < {array.count}; ++i) {{"
        for ending, of in fields_of(array.of):
            yield f"        {array.name}.host()[i]{ending} = harness::drawn<{of}>(state);"
        yield f"    }}\n    {array.name}.send();"
    for total in memory.totals:
        yield f"    harness::Twin<{total.of}> {total.name}({total.count});"
        yield f"    {total.name}.set(5);"
        if total.place == "managed":
            yield f"    for ({total.of}& element : on_device::{total.name}) element = 5;"
    yield f"    harness::Twin<unsigned long long> out({out});"
    yield "    out.set(0xabababababababab);"
    twins = [name for _, name in parameters_of(program)[:-2]]
    scalars = [program.scalar.text(), program.real.text()]
    dynamic = " + ".join(f"{a.count} * sizeof({a.of})" for a in memory.arrays if a.place == "dynamic") or "0"
    arguments = ", ".join([f"{name}.device()" for name in twins] + scalars)
    yield f"    on_device::kernel<<<grid, block, {dynamic}>>>({arguments});"
    yield "    trial.launched();"
    members = [f"{name}.host()" for name in twins] + scalars
    members += [f"{total.name}.host()" for total in managed_of(program)]
    yield f"    static on_host::Kernel on_host_kernel{{{', '.join(members)}}};"
    yield "    trial.refer(grid, block, [] { on_host_kernel(); });"
    columns = ", ".join(f'"{name}"' for name in program.columns)
    yield f'    trial.compare("out", out.fetched().data(), out.host(), {out}, {{{columns}}});'
    for total in memory.totals:
        got = f"on_device::{total.name}" if total.place == "managed" else f"{total.name}.fetched().data()"
        yield f'    trial.compare("{total.name}", {got}, {total.name}.host(), {total.count});'
    yield "    return trial.passed();"
    yield "}"


def program_text(program):
    body = body_of(program)
    lines = [f"namespace program{program.seed} {{"]
    lines += [struct.definition for struct in program.structs]
    whole = "\n".join([*body, *program.functions.lines()])
    lines += [maker(of) for of in program.structs + VECTORS if f"make_{of.name}_value" in whole]
    lines += kernel_lines(program, body)
    lines += reference_lines(program, body)
    lines += run_lines(program)
    lines += [f"}}  // namespace program{program.seed}", ""]
    return "\n".join(lines)


MACROS = {"cuda_fp16.h": "RANDOM_HALF", "cuda_bf16.h": "RANDOM_BFLOAT16"}


def file_text(programs):
    """One source file that tries all of `programs`."""
    entries = ", ".join(f"{{{p.seed}ull, program{p.seed}::run}}" for p in programs)
    main = f"int main(int count, char** arguments) {{ return harness::main_over({{{entries}}}, count, arguments); }}"
    headers = sorted({MACROS[header] for p in programs for header in p.words.headers})
    defines = [f"#define {macro}" for macro in headers]
    return "\n".join([*defines, '#include "harness.h"', "", *map(program_text, programs), main, ""])
