"""Programs that have source compiled and linked while they run: through nvcc's and through clang's headers and libraries.

usage: check_nvrtc.py TILESCOPE

Each program says itself what is wrong. Where NVIDIA's library is installed, it and ours give the same answers, and so do we
to what it of CUDA 13.0 gave (answers.txt). 77: no compiler is installed.
"""
import difflib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "compilers"))
import compilers  # noqa: E402

PROGRAMS = ("saxpy.cpp", "templates.cpp", "headers.cpp", "half.cpp", "builtins.cpp", "options.cpp", "two_modules.cpp",
            "machine_code.cpp", "link.cpp", "jit_link.cpp", "relocatable.cpp", "library.cu")
# What the header of the driver has to declare; tilescope's own may not yet.
NEEDS = {"link.cpp": "cuLinkCreate", "relocatable.cpp": "cuLinkCreate", "machine_code.cpp": "cuLibraryLoadData"}
LIBRARIES = ("-lnvrtc", "-lnvJitLink", "-lcuda")
# A file that a shell would make of an option.
TRACE = pathlib.Path("/tmp/tilescope-was-here")


class Checker:
    def __init__(self, tool, folder):
        self.tool, self.folder, self.failed = tool, pathlib.Path(folder), 0
        self.libraries = pathlib.Path(tool).parent.parent / "lib" / "tilescope"
        self.cuda = pathlib.Path(os.environ.get("CUDA_HOME", "/usr/local/cuda"))

    def expect(self, holds, what, done=None):
        if holds:
            return
        self.failed += 1
        print(f"failed: {what}", file=sys.stderr)
        if done is not None:
            print(f"  status {done.returncode}\n{done.stdout}\n{done.stderr}", file=sys.stderr)

    def run(self, program, *options, arguments=(), environment=None):
        profile = self.folder / "profile.json"
        profile.unlink(missing_ok=True)
        command = [self.tool, "run", "--caches", "off", "--json", str(profile), *map(str, options), str(program)]
        done = subprocess.run(command + (["--", *arguments] if arguments else []), capture_output=True, text=True,
                              errors="replace", env=environment)
        return done, json.loads(profile.read_text()) if profile.exists() else {}

    def build(self, source, *options):
        """By the host's compiler or nvcc, with the toolkit's headers and libraries."""
        path = self.folder / pathlib.Path(source).stem
        if source.endswith(".cu"):
            command = [str(self.cuda / "bin/nvcc"), "-std=c++17", "-cudart", "shared", str(HERE / source)]
        else:
            command = ["g++", "-std=c++20", str(HERE / source), f"-I{self.cuda}/include"]
        command += [f"-L{self.cuda}/lib64", f"-L{self.libraries}", *options, "-o", str(path)]
        done = subprocess.run(command, capture_output=True, text=True)
        self.expect(done.returncode == 0, " ".join(command), done)
        return path


def check_programs(checker, compiler, built):
    folder = HERE.parents[1] / "scope/image/include"
    header = "".join(path.read_text() for path in [folder / "cuda.h", *folder.glob("tilescope/driver/*")])
    for source in PROGRAMS:
        if not built and NEEDS.get(source, "") not in header:
            print(f"not through {compiler}: {source}, for cuda.h has no {NEEDS[source]}")
            continue
        program = built[source] if built else HERE / source
        flags = ("--compiler", compiler, *(() if built else (*LIBRARIES, "-std=c++20")))
        arguments = (str(checker.cuda / "include"),) if source == "half.cpp" else ()
        done, profile = checker.run(program, *flags, arguments=arguments)
        where = f"{source}, {compiler}, {'built elsewhere' if built else 'from source'}"
        checker.expect(done.returncode == 0 and "0 failed" in done.stdout, where, done)
        if source == "templates.cpp":
            checker.expect("shapes::by_factor: _ZN6shapes9by_factorEPf" in done.stdout, f"lowered names, {where}", done)
        if source == "builtins.cpp":
            checker.expect("hello from NVRTC, block 0" in done.stdout, f"printf, {where}", done)
        if source == "saxpy.cpp":
            check_lines(checker, profile, done, where)


def check_lines(checker, profile, done, where):
    """The report names lines of the program's text."""
    lines = {(pathlib.Path(line["file"]).name, line["line"]) for launch in profile.get("launches", [])
             for line in launch.get("lines", [])}
    checker.expect(("saxpy.cu", 6) in lines, f"the profile's lines: {sorted(lines)}, {where}", done)
    checker.expect("out[tid] = a * x[tid] + y[tid];" in done.stdout, f"the source's text, {where}", done)


def check_answers(checker):
    wanted = (HERE / "answers.txt").read_text()
    program = checker.build("answers.cpp", "-lnvrtc")
    real = checker.cuda / "lib64" / "libnvrtc.so.13"
    if real.exists():
        done = subprocess.run([str(program)], capture_output=True, text=True,
                              env=dict(os.environ, LD_LIBRARY_PATH=str(real.parent)))
        if done.stdout.startswith("13.0\n"):
            checker.expect(done.stdout == wanted, "answers.txt is what NVIDIA's library says", done)
    # It needs no device, so no run of ours.
    done = subprocess.run([str(program)], capture_output=True, text=True,
                          env=dict(os.environ, LD_LIBRARY_PATH=str(checker.libraries), TILESCOPE_COMPILER="nvcc"))
    differences = difflib.unified_diff(wanted.splitlines(), done.stdout.splitlines(), "NVIDIA's", "ours", lineterm="", n=0)
    checker.expect(done.stdout == wanted, "our answers are NVIDIA's:\n" + "\n".join(differences))
    checker.expect(not TRACE.exists(), "no option reaches a shell")


def check_privacy(checker):
    """Nothing is left in the temporary folder, and what a program brought along is this user's alone."""
    temporary, cache = checker.folder / "tmp", checker.folder / "cache"
    temporary.mkdir()
    environment = dict(os.environ, TMPDIR=str(temporary), XDG_CACHE_HOME=str(cache))
    done, _ = checker.run(HERE / "headers.cpp", "--compiler", clang(), *LIBRARIES, "-std=c++20", environment=environment)
    checker.expect(done.returncode == 0, "with folders of its own", done)
    left = [path.name for path in temporary.iterdir()]
    checker.expect(not left, f"left behind: {left}")
    open_to_others = [str(path) for path in cache.rglob("*") if path.is_dir() and path.stat().st_mode & 0o022]
    checker.expect(not open_to_others, f"open to others: {open_to_others}")


def clang():
    return next((name for name in ("clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang-14")
                 if compilers.installed(name)), None)


def main():
    if not compilers.installed("nvcc") and clang() is None:
        print("skipped: neither nvcc nor clang is installed")
        return compilers.SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(os.path.abspath(sys.argv[1]), folder)
        if compilers.installed("nvcc") and shutil.which("g++"):
            built = {source: checker.build(source, *LIBRARIES) for source in PROGRAMS}
            check_programs(checker, "nvcc", built)
            check_answers(checker)
        if clang() is not None:
            check_programs(checker, clang(), None)
            check_privacy(checker)
    return 1 if checker.failed else 0


if __name__ == "__main__":
    sys.exit(main())
