"""Every overload of CUDA's mathematical functions, through each compiler that is installed, run on the CPU: what they give
is held against the host's libm, and the compilers against each other.

usage: math_functions.py TILESCOPE COMPILER...     (77: none of the compilers is installed)

math_functions.txt lists the overloads. Of it one program is written, which prints for each overload the bits of its
results and, where there is a reference, its greatest error.
"""
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

import compilers

FLOATS = ["0.0", "-0.0", "1.0", "-1.0", "0.5", "-0.5", "2.5", "-2.5", "1e-3", "-1e-3", "0.1", "0.9", "-0.9", "1.5", "3.0", "-3.0",
          "7.0", "10.25", "-10.25", "20.0", "-20.0", "33.3", "100.0", "-100.0", "1234.5", "1e-10", "-1e-10", "1e5", "-1e5", "1e10",
          "1e-30", "1e30", "1e38", "1e-38", "1e-40", "2.0", "INFINITY", "-INFINITY", "NAN", "0.75", "-0.25", "4.0", "6.0", "1e7"]
FEW = ["0.0", "-0.0", "1.0", "-1.5", "2.5", "-3.0", "1e-3", "10.5", "1e5", "1e-30", "INFINITY", "-INFINITY", "NAN", "0.3"]
INTEGERS = ["0", "1", "-1", "2", "-3", "5", "7", "-20"]
WIDE = ["0", "1", "-1", "7", "-100", "2147483647", "-2147483647", "123456789"]
KINDS = {"float": "float", "double": "double", "long double": "long double"}


class Overload:
    def __init__(self, line):
        declaration, bound, reference, domain = (column.strip() for column in line.split(" | "))
        head, parameters = declaration[:-1].split("(")
        self.result, self.name = head.rsplit(" ", 1)
        self.parameters = [parameter.strip() for parameter in parameters.split(",")]
        bound, _, absolute = bound.partition(", ")
        self.declaration, self.bound, self.reference = declaration, float(bound), reference
        self.absolute = absolute or "0"
        self.domain = "true" if domain == "-" else domain

    def values(self):
        """The program's lists of arguments, one for each parameter that is one."""
        inputs = [p for p in self.parameters if "*" not in p]
        several = len(inputs) > 1
        lists = []
        for parameter in inputs:
            if parameter in ("float", "double"):
                lists.append(FEW[:6] + FEW[10:13] if len(inputs) > 2 else FEW if several else FLOATS)
            else:
                lists.append(INTEGERS if "float" in inputs or "double" in inputs else WIDE)
        return inputs, lists

    def call(self):
        """The expressions of its results in device code: its value, and what it writes through pointers."""
        arguments, written, number = [], [], 0
        for parameter in self.parameters:
            if parameter == "const char*":
                arguments.append('""')
            elif parameter.startswith("const"):
                arguments.append("vector")
            elif parameter.endswith("*"):
                written.append((parameter[:-1], f"w{len(written)}"))
                arguments.append(f"&w{len(written) - 1}")
            else:
                arguments.append(f"a{number}" if "const float*" not in self.parameters and "const double*" not in self.parameters else "3")
                number += 1
        call = f"{self.name}({', '.join(arguments)})"
        return call, written


def program(overloads):
    groups = {}
    for overload in overloads:
        groups.setdefault(tuple(overload.values()[0]), []).append(overload)
    out = [PREAMBLE]
    main = []
    for at, (inputs, members) in enumerate(groups.items()):
        lists = members[0].values()[1]
        count = 1
        for values in lists:
            count *= len(values)
        results = sum((m.result != "void") + len(m.call()[1]) for m in members)
        parameters = "".join(f"const {kind}* in{i}, " for i, kind in enumerate(inputs))
        body = [f"    const int i = threadIdx.x + blockIdx.x * blockDim.x;", f"    if (i >= {count}) return;"]
        body += [f"    const {kind} a{i} = in{i}[i];" for i, kind in enumerate(inputs)]
        host = []
        slot = 0
        for member in members:
            call, written = member.call()
            body.append("    {")
            body += [f"        {kind} {name};" for kind, name in written]
            for kind in ("float", "double"):
                if f"const {kind}*" in member.parameters:
                    body.append(f"        const {kind} vector[3] = {{({kind})a0, 2, -3.5}};")
            if member.result != "void":
                body.append(f"        out[{slot} * {count} + i] = bits({call});")
            else:
                body.append(f"        {call};")
            first = slot
            slot += member.result != "void"
            for kind, name in written:
                body.append(f"        out[{slot} * {count} + i] = bits({name});")
                slot += 1
            body.append("    }")
            host.append(f'    print("{member.declaration}", out + {first} * {count}, {slot - first} * {count});')
            if member.reference != "-" and member.result != "void":
                host += reference(member, inputs, first, count)
        out.append(f"__global__ void group{at}({parameters}unsigned long long* out) {{\n" + "\n".join(body) + "\n}\n")
        out.append(f"void run{at}() {{")
        for i, (kind, values) in enumerate(zip(inputs, lists)):
            repeat = 1
            for later in lists[i + 1:]:
                repeat *= len(later)
            chosen = ", ".join(f"({kind}){value}" for value in values)
            out.append(f"    const {kind} v{i}[] = {{{chosen}}};\n    {kind}* in{i};\n    cudaMallocManaged(&in{i}, {count} * sizeof({kind}));")
            out.append(f"    for (int i = 0; i < {count}; ++i) in{i}[i] = v{i}[i / {repeat} % {len(values)}];")
        out.append(f"    unsigned long long* out;\n    cudaMallocManaged(&out, {results} * {count} * sizeof(*out));")
        arguments = "".join(f"in{i}, " for i in range(len(inputs)))
        out.append(f"    group{at}<<<({count} + 63) / 64, 64>>>({arguments}out);")
        out.append('    if (cudaDeviceSynchronize() != cudaSuccess) printf("FAILED\\n");')
        out += host
        out.append("}\n")
        main.append(f"    run{at}();")
    out.append("int main() {\n" + "\n".join(main) + "\n}\n")
    return "\n".join(out)


def reference(member, inputs, slot, count):
    """Lines that print the greatest error of one overload against its reference."""
    integers = member.result not in ("float", "double")
    lines = [f"    {{\n        double most = 0;\n        for (int i = 0; i < {count}; ++i) {{"]
    names = "xyzw" if inputs[0] != "int" else "nxyz"
    condition = [f"({member.domain})"]
    for i, kind in enumerate(inputs):
        wide = "long double" if kind in ("float", "double") else "int" if names[i] == "n" and member.reference != "host" else kind
        lines.append(f"            const {wide} {names[i]} = in{i}[i];")
        if member.reference == "host" and kind in ("float", "double"):
            condition.append(f"std::fabs((double){names[i]}) < 1e9")
    expression = member.reference
    if expression == "host":
        arguments = ", ".join(f"in{i}[i]" for i in range(len(inputs)))
        expression = f"{member.name}({arguments})"
    lines.append(f"            if ({' && '.join(condition)})")
    kind = "long long" if integers else member.result
    lines.append(f"                most = std::fmax(most, error_of<{kind}>(out[{slot} * {count} + i], {expression}, {member.absolute}));")
    lines.append(f'        }}\n        printf("ERROR {member.declaration}: %g\\n", most);\n    }}')
    return lines


PREAMBLE = """// Written by math_functions.py.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <type_traits>

template <class T>
__device__ unsigned long long bits(T value) {
    if constexpr (std::is_same_v<T, float>) return __float_as_uint(value);
    else if constexpr (std::is_same_v<T, double>) return (unsigned long long)__double_as_longlong(value);
    else return (unsigned long long)value;
}

// The distance from what was wanted in units of the last place, 0 where it is not more than `absolute`; for integers, 0 or
// infinity.
template <class T, class Wanted>
double error_of(unsigned long long bits, Wanted wanted, double absolute) {
    if constexpr (std::is_same_v<T, long long>) {
        return (long long)bits == (long long)wanted ? 0 : INFINITY;
    } else {
        T got;
        memcpy(&got, &bits, sizeof(T));
        if (std::isnan((long double)wanted) || std::isnan(got))
            return std::isnan((long double)wanted) && std::isnan(got) ? 0 : INFINITY;
        const T nearest = (T)wanted;
        if (got == nearest || std::fabs((long double)got - (long double)wanted) <= absolute) return 0;
        if (std::isinf(got) || std::isinf(nearest)) return INFINITY;
        const T unit = std::nextafter(std::fabs(nearest), std::numeric_limits<T>::infinity()) - std::fabs(nearest);
        return (double)(std::fabs((long double)got - (long double)wanted) / unit);
    }
}

constexpr long double kPi = 3.14159265358979323846264338327950288L;
long double sinpi_of(long double x) {
    const long double part = std::remainder(x, 2.0L);  // exact
    if (part == std::rint(part)) return std::copysign(0.0L, x);
    return std::fabs(part) > 0.5L ? std::copysign(std::sin(kPi * (1 - std::fabs(part))), part) : std::sin(kPi * part);
}
long double cospi_of(long double x) {
    const long double part = std::fabs(std::remainder(x, 2.0L));
    return part > 0.25L && part < 0.75L ? std::sin(kPi * (0.5L - part)) : std::cos(kPi * part);
}

void print(const char* name, const unsigned long long* results, int count) {
    printf("RESULT %s:", name);
    for (int i = 0; i < count; ++i) printf(" %llx", results[i]);
    printf("\\n");
}
"""


def number(text, kind):
    raw = int(text, 16)
    if kind == "float":
        return struct.unpack("<f", struct.pack("<I", raw & 0xFFFFFFFF))[0], raw & 0x7FFFFFFF
    if kind == "double":
        return struct.unpack("<d", struct.pack("<Q", raw))[0], raw & 0x7FFFFFFFFFFFFFFF
    return raw, raw


def apart(one, other, kind, bound):
    """Whether two results differ by more than both compilers' errors together."""
    if one == other:
        return False
    (x, p), (y, q) = number(one, kind), number(other, kind)
    if x != x and y != y:
        return False
    return (x < 0) != (y < 0) and x != y or abs(p - q) > 2 * bound


def main():
    tool, *wanted = sys.argv[1:]
    names = [name for name in wanted if compilers.installed(name)]
    if not names:
        print("skipped: none of " + ", ".join(wanted) + " is installed")
        return compilers.SKIPPED
    lines = (pathlib.Path(__file__).parent / "math_functions.txt").read_text().splitlines()
    overloads = [Overload(line) for line in lines if line and not line.startswith("#")]
    by_declaration = {overload.declaration: overload for overload in overloads}
    problems, results = [], {}
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "math_functions.cu"
        source.write_text(program(overloads))
        for name in names:
            done = subprocess.run([tool, "run", "-q", "--compiler", name, str(source)], capture_output=True, text=True)
            if done.returncode != 0 or "FAILED" in done.stdout:
                problems.append(f"{name}: exit status {done.returncode}: {done.stdout[-500:]}{done.stderr[-3000:]}")
                continue
            results[name] = {}
            for kind, declaration, values in re.findall(r"^(RESULT|ERROR) (.*?\)): ?(.*)$", done.stdout, re.M):
                if kind == "RESULT":
                    results[name][declaration] = values.split()
                elif float(values) > by_declaration[declaration].bound + 0.5:
                    problems.append(f"{name}: {declaration} is {values} units off, {by_declaration[declaration].bound:g} allowed")
            for declaration in by_declaration.keys() - results[name].keys():
                problems.append(f"{name}: no result of {declaration}")
    first = next(iter(results), None)
    for name in results:
        for declaration, values in results[name].items():
            overload = by_declaration[declaration]
            kind = overload.result if overload.result != "void" else overload.parameters[-1][:-1]
            if overload.domain != "true":
                continue  # elsewhere CUDA bounds no relative error
            pairs = zip(results[first][declaration], values)
            different = [(a, b) for a, b in pairs if apart(a, b, kind, overload.bound)]
            if different:
                problems.append(f"{declaration}: {different[0][0]} through {first}, {different[0][1]} through {name}")
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(overloads)} overloads through {', '.join(results)}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
