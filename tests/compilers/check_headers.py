"""Every header of the C and C++ standard libraries through clang, in both spellings, in each standard and in several orders.

usage: check_headers.py TILESCOPE COMPILER... [--all [--table FILE]]     (77: none of the compilers is installed)

A program of all headers must compile for four standards through the oldest and the newest compiler, for the first and the
last of them through those between, on either side, in an order of its own; through the
newest compiler each header must also do so alone, with a kernel. One program for each
compiler is run as well. --all tries all of it: every header alone and three orders, for each standard and compiler (an hour);
--table writes down for each header, standard and compiler what came of it.
What plain C++ does not compile either (stdatomic.h beside <atomic>, <coroutine> before C++20) is left out.
"""
import concurrent.futures
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import compilers

C = """assert ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdbool stddef stdint
stdio stdlib string tgmath time uchar wchar wctype complex""".split()
ONLY_C = ["stdatomic.h", "stdnoreturn.h", "threads.h"]
ONLY_CPP = """algorithm any array atomic barrier bit bitset charconv chrono codecvt compare complex concepts condition_variable
coroutine deque exception execution filesystem forward_list fstream functional future initializer_list iomanip ios iosfwd iostream
istream iterator latch limits list locale map memory memory_resource mutex new numbers numeric optional ostream queue random ranges
ratio regex scoped_allocator semaphore set shared_mutex source_location span sstream stack stdexcept stop_token streambuf string
string_view strstream syncstream system_error thread tuple type_traits typeindex typeinfo unordered_map unordered_set utility
valarray variant vector version""".split()
OURS = ["cuda.h", "cuda_runtime.h", "cuda_runtime_api.h", "cooperative_groups.h", "cuda_fp16.h", "cuda_bf16.h", "cuda_fp8.h", "cuComplex.h",
        "curand_kernel.h", "cuda_pipeline.h", "mma.h", "vector_types.h", "math_constants.h"]
OURS_OF_CPP17 = ["cuda/atomic", "cuda/pipeline", "cuda/semaphore", "cuda/std/algorithm", "cuda/std/complex", "cuda/std/tuple"]
HEADERS = [f"{name}.h" for name in C] + ONLY_C + [f"c{name}" for name in C] + ONLY_CPP + OURS + OURS_OF_CPP17
STANDARDS = ["c++11", "gnu++14", "c++17", "gnu++20"]
ALL_STANDARDS = ["c++11", "gnu++11", "c++14", "gnu++14", "c++17", "gnu++17", "c++20", "gnu++20"]
INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "scope" / "image" / "include"

PROGRAM = """
__global__ void kernel(int* out, double x) {
    int sum = 0;
    for (int t : {1, 2, 3}) sum += t;
    out[0] = sum + (int)std::sqrt(x) + (int)sqrt(x) + abs(-1) + (int)fabs(-2.5f) + max(1, 2);
    if (out[0] == 0) printf("%d\\n", out[0]);
    void* block = malloc(8);
    free(block);
}
int main() {
    int *out, host = 0;
    if (cudaMalloc(&out, sizeof(int)) != cudaSuccess) return 1;
    kernel<<<1, 1>>>(out, 16.0);
    if (cudaMemcpy(&host, out, sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    void* block = malloc(8);
    free(block);
    return host == 6 + 4 + 4 + 1 + 2 + 2 && max(1, 2) == 2 && abs(-1) == 1 ? 0 : 1;
}
"""


def left_out(header, standard, major):
    """Why a header is not tried, or nothing."""
    if header in OURS_OF_CPP17 and standard[-2:] in ("11", "14"):
        return "CUDA's C++ library needs C++17"
    if header == "coroutine" and (not standard.endswith("20") or major < 17):
        return "plain C++ of this compiler has none"
    if header == "regex" and standard.endswith("20") and major < 16:
        return "this compiler dies of const members of std::pair in CUDA"  # docs/reference/limitations.md
    return None


def program(headers):
    return "".join(f"#include <{header}>\n" for header in [*headers, "cmath", "stdio.h", "stdlib.h"]) + PROGRAM


def alone(header):
    return f"#include <{header}>\n__global__ void kernel(int* out) {{ out[0] = 1; }}\nint main() {{ kernel<<<1, 1>>>(nullptr); }}\n"


def flags_of(compiler, side):
    """As scope/image/compile_clang.cpp has them."""
    sm, ptx = ("sm_80", "+ptx75") if int(compiler.split("-")[-1]) < 16 else ("sm_90", "+ptx78")
    flags = ["-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-path=/nonexistent", "-Xclang", "-target-sdk-version=11.5",
             "-isystem", str(INCLUDE), "-include", "cuda_runtime.h", "-fsyntax-only", "-Wno-#warnings"]
    if side == "host":
        return flags + ["--cuda-host-only"]
    return flags + ["--cuda-device-only", f"--cuda-gpu-arch={sm}", "-Xclang", "-target-feature", "-Xclang", ptx]


def compile_problem(compiler, standard, text, side):
    done = subprocess.run([compiler.replace("clang-", "clang++-"), *flags_of(compiler, side), f"-std={standard}", "-"], input=text,
                          capture_output=True, text=True)
    return None if done.returncode == 0 else done.stderr[:1500]


def run_problem(tool, compiler, standard, text):
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "headers.cu"
        source.write_text(text)
        done = subprocess.run([tool, "run", "-q", "--caches", "off", "--compiler", compiler, f"--compile-flags=-std={standard} -Wno-#warnings",
                               source], capture_output=True, text=True)
    return None if done.returncode == 0 else f"exit status {done.returncode}: {done.stdout[-700:]}{done.stderr[-700:]}"


def order(headers, seed):
    """0: as they stand, 1: backwards, others at random."""
    if seed < 2:
        return headers[::-1] if seed else list(headers)
    shuffled = list(headers)
    random.Random(seed).shuffle(shuffled)
    return shuffled


def cases(tool, clangs, everything):
    """Pairs of a name and a function that says what is wrong."""
    seed = 0
    for compiler in clangs:
        major = int(compiler.split("-")[-1])
        newest = compiler == clangs[-1]
        # What the releases between the oldest and the newest have of a standard, they have of the ends.
        standards = ALL_STANDARDS if everything else STANDARDS if compiler in (clangs[0], clangs[-1]) else STANDARDS[::3]
        for at, standard in enumerate(standards):
            usable = [h for h in HEADERS if not left_out(h, standard, major)]
            together = [h for h in usable if h != "stdatomic.h"]
            for round_ in range(3 if everything else 1):
                text = program(order(together, round_ if everything else seed))
                seed += 1
                for side in ("device", "host"):
                    yield (f"all headers, order {round_ if everything else seed - 1}, {compiler} -std={standard}, {side}",
                           lambda c=compiler, s=standard, t=text, w=side: compile_problem(c, s, t, w))
            if everything or (newest and standard == "c++17"):
                for header in usable:
                    for side in ("device", "host") if everything else ("device",):
                        text = alone(header)
                        yield (f"<{header}> alone, {compiler} -std={standard}, {side}",
                               lambda c=compiler, s=standard, t=text, w=side: compile_problem(c, s, t, w))
            if everything or at == seed % len(standards):
                text = program(["stdlib.h", "math.h", "complex.h", "cuda.h", "string.h", "vector", "chrono"])
                yield (f"run, {compiler} -std={standard}", lambda c=compiler, s=standard, t=text: run_problem(tool, c, s, t))


def table(clangs, failed):
    """A row for each header that does not compile everywhere, and how many do."""
    def cell(header, compiler, standard):
        if left_out(header, standard, int(compiler.split("-")[-1])):
            return "-"
        sides = [side for side in ("device", "host") if f"<{header}> alone, {compiler} -std={standard}, {side}" in failed]
        return "no: " + ", ".join(sides) if sides else "yes"

    lines = [f"Each of {len(HEADERS)} headers alone, kernel behind it; device and host half. -: plain C++ has none, or docs/reference/limitations.md.", ""]
    lines += ["| standard | " + " | ".join(clangs) + " |", "|---" * (len(clangs) + 1) + "|"]
    for standard in ALL_STANDARDS:
        counts = [[cell(header, compiler, standard) for header in HEADERS] for compiler in clangs]
        lines.append(f"| {standard} | " + " | ".join(f"{cells.count('yes')} of {len(cells) - cells.count('-')}" for cells in counts) + " |")
    rows = [(header, standard, [cell(header, compiler, standard) for compiler in clangs]) for header in HEADERS for standard in ALL_STANDARDS]
    lines += ["", "| header that is not there everywhere | standard | " + " | ".join(clangs) + " |", "|---" * (len(clangs) + 2) + "|"]
    lines += [f"| `{header}` | {standard} | " + " | ".join(cells) + " |" for header, standard, cells in rows if set(cells) != {"yes"}]
    together = [name for name in failed if not name.startswith("<")]
    return "\n".join([*lines, "", "All headers together, three orders, and a program that runs: " + ("; ".join(together) + " fail" if together else "all compile") + "."]) + "\n"


def main():
    page = pathlib.Path(sys.argv[sys.argv.index("--table") + 1]) if "--table" in sys.argv else None
    arguments = [a for a in sys.argv[1:] if a not in ("--all", "--table") and (page is None or a != str(page))]
    tool, names = arguments[0], arguments[1:]
    clangs = [name for name in names if name.startswith("clang-") and compilers.installed(name)]
    if not clangs:
        print("skipped: none of the compilers is installed")
        return compilers.SKIPPED
    failed, tried = [], 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=min(os.cpu_count() or 1, 8)) as pool:
        waiting = [(name, pool.submit(check)) for name, check in cases(tool, clangs, "--all" in sys.argv)]
        for name, future in waiting:
            tried += 1
            if problem := future.result():
                print(f"failed: {name}\n{problem}", file=sys.stderr)
                failed.append(name)
    print(f"{tried - len(failed)} of {tried} compile through {', '.join(clangs)}")
    if page:
        page.write_text(table(clangs, set(failed)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
