"""A program of ten files and a library whose device code is one program: through nvcc by itself, with the shared runtime
and the one linked in, through `tilescope run a.cu b.cu` with nvcc and clang, and as CMake builds it. Equal results, and
equal counts among those of one compiler; what a linker refuses is refused with file and line.

usage: check_linked.py TILESCOPE     (77: no compiler is installed)
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "compilers"))
import compilers  # noqa: E402

PARTS = HERE / "program"
PROGRAM = [str(PARTS / f"{name}.cu") for name in
           ("main", "constants", "counters", "table", "shapes", "shared", "texture", "first", "second", "down")]
LIBRARY = [str(PARTS / f"{name}.cu") for name in ("library", "library_data", "library_unused")]
BOTH = ("-lineinfo", "-gencode", "arch=compute_90,code=[compute_90,sm_90]")
LINK = "--compile-flags=-rdc=true"

USE = """__device__ int twice(int);
extern __device__ int there;
__global__ void k(int* p) {
    *p = twice(21) +
         there;
}
int main() {
    int* p;
    cudaMalloc(&p, sizeof *p);
    k<<<1, 1>>>(p);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 9;
}
"""
DEFINE = """
__device__ int there = 0;
__device__ int twice(int x) { return x + x; }
"""


class Checks:
    def __init__(self, tool, folder):
        self.tool, self.folder, self.failed = os.path.abspath(tool), pathlib.Path(folder), 0
        self.nvcc = shutil.which("nvcc") or os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "bin", "nvcc")

    def expect(self, holds, what, done=None):
        if holds:
            return
        self.failed += 1
        print(f"failed: {what}", file=sys.stderr)
        if done is not None:
            print(f"  status {done.returncode}\n{done.stdout}\n{done.stderr}", file=sys.stderr)

    def call(self, *command, environment=None):
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, errors="replace",
                              env=environment)
        self.expect(done.returncode == 0, " ".join(map(str, command)), done)
        return done

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return str(path)

    def run(self, *programs, options=()):
        profile = self.folder / "profile.json"
        profile.unlink(missing_ok=True)
        done = subprocess.run([self.tool, "run", "--caches", "off", "--json", str(profile), *map(str, options),
                               *map(str, programs)], capture_output=True, text=True, errors="replace")
        return done, json.loads(profile.read_text()) if profile.exists() else {}

    def counts(self, what, *programs, options=()):
        """Of a program that says that nothing is wrong."""
        done, profile = self.run(*programs, options=options)
        self.expect(done.returncode == 0 and "0 wrong" in done.stdout, f"{what} runs", done)
        launches = profile.get("launches", [])
        self.expect(len(launches) == 4, f"{what}: four launches", done)
        return [(launch["kernel"], launch["grid"], launch["counters"]) for launch in launches]


def check_nvcc(checks):
    objects = []
    for source in LIBRARY:
        objects.append(checks.folder / (pathlib.Path(source).stem + ".o"))
        checks.call(checks.nvcc, *BOTH, "-dc", source, "-o", objects[-1])
    archive = checks.folder / "libparts.a"
    checks.call("ar", "rcs", archive, *objects)
    found = {}
    for runtime in ("shared", "static"):
        program = checks.folder / f"ten_{runtime}"
        checks.call(checks.nvcc, "-rdc=true", "-cudart", runtime, *BOTH, *PROGRAM, archive, "-o", program)
        found[runtime] = checks.counts(f"nvcc, {runtime} runtime", program)
    found["run"] = checks.counts("nvcc through run", *PROGRAM, archive, options=("--compiler", "nvcc", LINK))
    # As a build system does it: objects, the link of device code, the link of all.
    own = []
    for source in PROGRAM:
        own.append(checks.folder / ("own_" + pathlib.Path(source).stem + ".o"))
        checks.call(checks.nvcc, *BOTH, "-dc", source, "-o", own[-1])
    linked = checks.folder / "device.o"
    checks.call(checks.nvcc, *BOTH, "-dlink", *own, archive, "-o", linked)
    program = checks.folder / "ten_steps"
    checks.call(checks.nvcc, *BOTH, "-cudart", "shared", "--no-device-link", *own, linked, archive, "-o", program)
    found["steps"] = checks.counts("-dc and -dlink", program)
    for name, counts in found.items():
        checks.expect(counts == found["shared"], f"{name} counts as the program with the shared runtime does")


def check_nvcc_refusals(checks):
    use, define = checks.file("use.cu", USE), checks.file("define.cu", DEFINE)
    again = checks.file("again.cu", DEFINE)
    options = ("--compiler", "nvcc", LINK)
    done, _ = checks.run(use, define, options=options)
    checks.expect(done.returncode == 0, "a function and a variable of another file", done)
    done, _ = checks.run(use, checks.file("none.cu", ""), options=options)
    checks.expect(done.returncode == 2 and f"{use}:4: error: no file defines the function '_Z5twicei'" in done.stderr and
                  f"{use}:5: error: no file defines 'there'" in done.stderr, "names of no file", done)
    done, _ = checks.run(use, define, again, options=options)
    checks.expect(done.returncode == 2 and f"{again}:3: error: '_Z5twicei' is defined in {define}:3" in done.stderr and
                  f"{again}:2: error: 'there' is defined in {define}:2" in done.stderr, "names of two files", done)
    launcher = checks.file("launcher.cu", "__global__ void c(int* p) { *p = 1; }\n__global__ void k(int* p) { c<<<1, 1>>>(p); }\n"
                           "int main() { k<<<1, 1>>>(nullptr); return cudaDeviceSynchronize() == cudaSuccess ? 0 : 9; }\n")
    launches = checks.folder / "launches"
    checks.call(checks.nvcc, "-rdc=true", *BOTH, launcher, "-o", launches)
    done, _ = checks.run(launches)
    checks.expect(done.returncode == 3 and f"{launcher}:2: error: a kernel that launches kernels" in done.stderr,
                  "a kernel that launches kernels", done)
    # One part of two has machine code alone.
    bare, whole = checks.folder / "bare.o", checks.folder / "whole.o"
    checks.call(checks.nvcc, "-gencode", "arch=compute_90,code=sm_90", "-dc", define, "-o", bare)
    checks.call(checks.nvcc, *BOTH, "-dc", use, "-o", whole)
    program = checks.folder / "bare"
    checks.call(checks.nvcc, "-gencode", "arch=compute_90,code=sm_90", whole, bare, "-o", program)
    done, profile = checks.run(program)
    checks.expect(done.returncode == 3 and profile.get("outcome") == "unsupported" and
                  "part 2 of bare holds no PTX" in done.stderr and "code=compute_90" in done.stderr, "machine code alone in a part", done)


def check_clang(checks, compiler):
    options = ("--compiler", compiler, LINK)
    done, profile = checks.run(*PROGRAM, *LIBRARY, options=options)
    checks.expect(done.returncode == 0 and "0 wrong" in done.stdout, f"{compiler} runs", done)
    checks.expect(len(profile.get("launches", [])) == 4, f"{compiler}: four launches", done)
    use, define = checks.file("use.cu", USE), checks.file("define.cu", DEFINE)
    again = checks.file("again.cu", DEFINE)
    done, _ = checks.run(use, define, again, options=options)
    checks.expect(done.returncode == 2 and f"{again}:3: error: '_Z5twicei' is defined in {define}:3" in done.stderr and
                  f"{again}:2: error: 'there' is defined in {define}:2" in done.stderr, f"{compiler}: names of two files", done)
    done, _ = checks.run(use, checks.file("none.cu", ""), options=options)
    checks.expect(done.returncode == 3 and f"{use}:4: error: the function '_Z5twicei' has no body" in done.stderr,
                  f"{compiler}: a name of no file", done)


def check_mixed(checks, compiler):
    """nvcc's objects and a library beside clang's sources."""
    folder, options = checks.folder, ("--compiler", compiler, LINK)
    use, define = checks.file("use.cu", USE), checks.file("define.cu", DEFINE)
    objects = {}
    for source in LIBRARY + PROGRAM[1:]:
        objects[source] = folder / ("mixed_" + pathlib.Path(source).stem + ".o")
        checks.call(checks.nvcc, *BOTH, "-dc", source, "-o", objects[source])
    archive = folder / "libmixed.a"
    checks.call("ar", "rcs", archive, *(objects[source] for source in LIBRARY))
    for what, parts in (("a library", [*PROGRAM, archive]),
                        ("objects and a library", [PROGRAM[0], *(objects[source] for source in PROGRAM[1:]), archive])):
        done, profile = checks.run(*parts, options=options)
        checks.expect(done.returncode == 0 and "0 wrong" in done.stdout and len(profile.get("launches", [])) == 4,
                      f"{compiler}: {what} of nvcc's", done)
    whole, bare, dlinked = folder / "whole_define.o", folder / "bare_define.o", folder / "dlinked.o"
    checks.call(checks.nvcc, *BOTH, "-dc", define, "-o", whole)
    checks.call(checks.nvcc, "-gencode", "arch=compute_90,code=sm_90", "-dc", define, "-o", bare)
    done, _ = checks.run(use, whole, options=options)
    checks.expect(done.returncode == 0, f"{compiler}: one source and an object of nvcc's", done)
    done, _ = checks.run(use, bare, options=options)
    checks.expect(done.returncode == 2 and f"{bare}: error: its device code is machine code alone" in done.stderr and
                  "code=compute_90" in done.stderr, f"{compiler}: an object with machine code alone", done)
    done, _ = checks.run(use, define, whole, options=options)
    checks.expect(done.returncode == 2 and "'_Z5twicei' is defined in" in done.stderr,
                  f"{compiler}: a name of a source and an object", done)
    # Objects that a device linker made a program of already, beside a source that stands alone.
    runs = checks.file("runs.cu", USE.replace("int main()", "int run()"))
    main_file = checks.file("main.cu", "int run();\n__global__ void own(int* p) { *p = 1; }\nint main() {\n    int* p;\n"
                            "    cudaMalloc(&p, 4);\n    own<<<1, 1>>>(p);\n    return run();\n}\n")
    part = folder / "runs.o"
    checks.call(checks.nvcc, *BOTH, "-dc", runs, "-o", part)
    checks.call(checks.nvcc, *BOTH, "-dlink", part, whole, "-o", dlinked)
    for what, parts in (("linked already", (part, whole, dlinked)), ("linked here", (part, whole))):
        done, profile = checks.run(main_file, *parts, options=("--compiler", compiler))
        checks.expect(done.returncode == 0 and len(profile.get("launches", [])) == 2, f"{compiler}: objects {what}", done)
    asks = checks.file("asks.cu", "int ask() { cudaDeviceProp p; return cudaGetDeviceProperties(&p, 0); }\n"
                       "__device__ int unused = 1;\n")
    asking, main_file = folder / "asks.o", checks.file("asked.cu", "int ask();\nint main() { return ask(); }\n")
    checks.call(checks.nvcc, *BOTH, "-dc", asks, "-o", asking)
    done, _ = checks.run(main_file, asking, options=options)
    checks.expect(done.returncode == 2 and "compiled for CUDA 13 and calls cudaGetDeviceProperties" in done.stderr,
                  f"{compiler}: a call of another release", done)


def check_project(checks):
    if shutil.which("cmake") is None:
        return
    build = checks.folder / "project"
    environment = dict(os.environ, CUDACXX=checks.nvcc)
    checks.call("cmake", "-S", HERE / "project", "-B", build, "-DCMAKE_BUILD_TYPE=Release", environment=environment)
    checks.call("cmake", "--build", build, environment=environment)
    checks.counts("CMake's separable compilation", build / "linked")
    # The same as one process of several.
    profile = checks.folder / "profile.json"
    done = subprocess.run([checks.tool, "run", "--caches", "off", "--json", str(profile), "--", "./linked"], cwd=build,
                          capture_output=True, text=True)
    checks.expect(done.returncode == 0 and "0 wrong" in done.stdout and
                  len(json.loads(profile.read_text())["launches"]) == 4, "CMake's program behind --", done)


def main():
    clangs = [name for name in ("clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang-14")
              if compilers.installed(name)]
    if not clangs and not compilers.installed("nvcc"):
        print("skipped: no compiler is installed")
        return compilers.SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        checks = Checks(sys.argv[1], folder)
        for compiler in clangs[:1]:  # check_linked.py of tests/compilers goes through all of them
            check_clang(checks, compiler)
        if compilers.installed("nvcc"):
            check_nvcc(checks)
            check_nvcc_refusals(checks)
            for compiler in clangs[:1]:
                check_mixed(checks, compiler)
            check_project(checks)
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
