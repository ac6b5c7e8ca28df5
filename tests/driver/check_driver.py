"""Programs that use the CUDA driver, and programs with the runtime linked in, which is nvcc's default.

usage: check_driver.py TILESCOPE     (77: nvcc is not installed)

The same kernel gives the same counts whether a program uses the shared runtime, the one linked in, or the driver; through
clang's headers the driver's calls are the same. What cannot run is refused by name.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
BOTH = ("-gencode", "arch=compute_90,code=[compute_90,sm_90]")
sys.path.insert(0, str(HERE.parent / "compilers"))
import compilers  # noqa: E402


class Checker:
    def __init__(self, tool, folder):
        self.tool, self.folder, self.failed = tool, pathlib.Path(folder), 0
        self.nvcc = shutil.which("nvcc") or os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "bin", "nvcc")

    def expect(self, holds, what, done=None):
        if holds:
            return
        self.failed += 1
        print(f"failed: {what}", file=sys.stderr)
        if done is not None:
            print(f"  status {done.returncode}\n{done.stdout}\n{done.stderr}", file=sys.stderr)

    def build(self, name, *options):
        path = self.folder / name
        command = [self.nvcc, *map(str, options), "-o", str(path)]
        done = subprocess.run(command, capture_output=True, text=True)
        self.expect(done.returncode == 0, " ".join(command), done)
        return path

    def run(self, program, *arguments, options=()):
        """What the run said, and its profile."""
        profile = self.folder / "profile.json"
        command = [self.tool, "run", "--json", str(profile), *options, str(program)]
        if arguments:
            command += ["--", *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
        return done, json.loads(profile.read_text()) if profile.exists() else {}

    def counts(self, program, *arguments, options=()):
        done, profile = self.run(program, *arguments, options=options)
        self.expect(done.returncode == 0 and "3 3" in done.stdout, f"{program} runs", done)
        return [(launch["entry"].removeprefix("_Z3add"), launch["grid"], launch["counters"])
                for launch in profile.get("launches", [])]


def check_counts(checker):
    ptx = checker.build("add.ptx", "-ptx", "-arch=compute_90", HERE / "vector_add.cu")
    fatbinary = checker.build("add.fatbin", "-fatbin", *BOTH, HERE / "vector_add.cu")
    shared = checker.build("shared", *BOTH, "-cudart", "shared", HERE / "runtime_program.cu")
    static = checker.build("static", *BOTH, HERE / "runtime_program.cu")
    driver = checker.build("driver", HERE / "driver_program.cpp", "-lcuda")
    wanted = checker.counts(shared)
    checker.expect(len(wanted) == 1, "one launch")
    checker.expect(checker.counts(static) == wanted, "the runtime linked in gives the counts of the shared one")
    checker.expect(checker.counts(driver, fatbinary) == wanted, "the driver gives the runtime's counts of a fat binary")
    checker.expect(checker.counts(driver, ptx) == wanted, "and of PTX")
    for name in ("clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang-14"):
        if compilers.installed(name):
            found = checker.counts(HERE / "driver_program.cpp", fatbinary, options=("--compiler", name, "-lcuda"))
            checker.expect(found == wanted, f"the driver through {name}'s headers gives the same counts")
            break
    return ptx, static, driver


def check_refusals(checker, ptx, static, driver):
    cubin = checker.build("kernels.cubin", "-cubin", "-arch=sm_90", HERE / "vector_add.cu")
    done, _ = checker.run(driver, cubin)
    checker.expect("CUDA_ERROR_NO_BINARY_FOR_GPU" in done.stdout and "machine code" in done.stderr,
                   "a cubin alone is refused by name", done)
    done, profile = checker.run(driver, checker.folder / "absent")
    calls = [call["call"] for call in profile.get("failed_calls", [])]
    checker.expect("CUDA_ERROR_FILE_NOT_FOUND" in done.stdout and calls == ["cuModuleLoad"],
                   "a call that fails is in the profile", done)
    bad = checker.folder / "bad.ptx"
    bad.write_text(ptx.read_text().replace("ld.param.u64", "ld.nothing.u64", 1))
    done, _ = checker.run(driver, bad)
    checker.expect("CUDA_ERROR" in done.stdout and done.returncode != 0, "PTX that is none is an error", done)
    stripped = checker.folder / "stripped"
    shutil.copy(static, stripped)
    subprocess.run(["strip", str(stripped)], check=True)
    done, _ = checker.run(stripped)
    checker.expect(done.returncode == 2 and "image-static-runtime" in done.stderr and "do not strip it" in done.stderr and
                   "-cudart shared" in done.stderr, "a stripped program is refused, with what to do", done)
    done = subprocess.run([checker.tool, "run", "--", str(stripped)], capture_output=True, text=True, errors="replace")
    checker.expect(done.returncode != 0 and "leave an executable its symbols" in done.stderr, "so it is behind --", done)


def check_calls(checker):
    ptx = checker.build("kernels.ptx", "-ptx", "-arch=compute_90", HERE / "kernels.cu")
    done, _ = checker.run(checker.build("calls", HERE / "driver_calls.cpp", "-lcuda"), ptx)
    checker.expect(done.returncode == 0 and "0 failed" in done.stdout, "the driver's calls", done)
    checker.expect("cuGetProcAddress failed" not in done.stdout + done.stderr, "looking for a function is no failed call", done)
    done, _ = checker.run(checker.build("rare", HERE / "rare_calls.cpp", "-lcuda"), ptx)
    checker.expect(done.returncode == 0 and "0 failed" in done.stdout, "calls that few programs make", done)
    done, _ = checker.run(checker.build("misuses", HERE / "misuses.cpp", "-lcuda"), ptx)
    checker.expect(done.returncode == 0 and "0 failed" in done.stdout, "misuses give the driver's errors", done)
    for runtime in ("shared", "static"):
        program = checker.build("entry_" + runtime, *BOTH, "-cudart", runtime, HERE / "entry_points.cu")
        done, _ = checker.run(program)
        checker.expect(done.returncode == 0 and "0 failed" in done.stdout, f"entry points of the driver, {runtime}", done)


# What is known to be otherwise here, and why: link_words.h, link_calls.cpp.
OTHERWISE = {"declared and not used": "no such variable is wanted", "an unknown instruction": "known when the code is loaded",
             "load: a kernel and a function of one name": "taken"}


def links_in(text):
    """What was said of each link, its lines in any order."""
    blocks = re.split(r"^== ", re.sub(r"^#.*\n", "", text, flags=re.M), flags=re.M)[1:]
    return {block.split("\n")[0]: sorted(block.strip().split("\n")[1:]) for block in blocks}


def check_links(checker):
    done, _ = checker.run(checker.build("links", HERE.parent.parent / "bench" / "hardware" / "driver_links.cpp", "-lcuda"),
                          options=("-q",))
    found = links_in(done.stdout)
    wanted = links_in((HERE.parent / "truth" / "driver_links_h200.txt").read_text())
    checker.expect(found.keys() == wanted.keys() and len(wanted) == 17, "every link is tried", done)
    for what, lines in wanted.items():
        checker.expect(what in OTHERWISE or found.get(what) == lines, f"link: {what}: {found.get(what)} instead of {lines}")
    checker.expect(all(found.get(what) != wanted[what] for what in OTHERWISE), "what is otherwise still is", done)


def check_stand_in(checker):
    """Functions of the runtime's names that are the program's own stay its own."""
    program = checker.build("stand_in", HERE / "stand_in.cpp", "-cudart", "none", "-lcuda")
    for where in ((), ("--",)):
        done = subprocess.run([checker.tool, "run", *where, str(program)], capture_output=True, text=True, errors="replace")
        checker.expect(done.returncode == 0 and "own cudaMalloc" in done.stdout, f"a stand-in for the runtime {where}", done)


def check_project(checker, ptx):
    build = checker.folder / "project"
    environment = dict(os.environ, CUDACXX=checker.nvcc)
    for command in (["cmake", "-S", str(HERE / "project"), "-B", str(build)], ["cmake", "--build", str(build)]):
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        checker.expect(done.returncode == 0, " ".join(command), done)
    for name in ("ordinary", "with_target"):
        checker.expect(len(checker.counts(build / name)) == 1, f"CMake's {name}")
    checker.expect(len(checker.counts(build / "with_driver", ptx)) == 1, "CMake's with_driver")
    done, _ = checker.run(build / "ordinary")
    checker.expect("-lineinfo" in done.stdout + done.stderr, "the report says what -lineinfo would give", done)


def main():
    if not compilers.installed("nvcc"):
        print("skipped: nvcc is not installed")
        return compilers.SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(os.path.abspath(sys.argv[1]), folder)
        ptx, static, driver = check_counts(checker)
        check_refusals(checker, ptx, static, driver)
        check_calls(checker)
        check_links(checker)
        check_stand_in(checker)
        check_project(checker, ptx)
    return 1 if checker.failed else 0


if __name__ == "__main__":
    sys.exit(main())
