"""`tilescope run -- PROGRAM ARG...` follows every process of a program: one list of launches with the process of each, limits
for all of them, the outermost program's status, and nobody left behind.

usage: check_trees.py TILESCOPE     (77: no compiler is installed)
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "compilers"))
import compilers  # noqa: E402


class Checks:
    def __init__(self, tool, folder):
        self.tool, self.folder, self.failed = os.path.abspath(tool), pathlib.Path(folder), 0
        self.worker = self.folder / "worker"

    def expect(self, holds, what, done=None):
        if holds:
            return
        self.failed += 1
        print(f"failed: {what}", file=sys.stderr)
        if done is not None:
            print(f"  status {done.returncode}\n{done.stdout}\n{done.stderr}", file=sys.stderr)

    def run(self, *command, options=()):
        profile = self.folder / "profile.json"
        profile.unlink(missing_ok=True)
        done = subprocess.run([self.tool, "run", "--caches", "off", "--json", str(profile), *options, *map(str, command)],
                              capture_output=True, text=True, errors="replace", cwd=self.folder, timeout=120)
        return done, json.loads(profile.read_text()) if profile.exists() else {}

    def left(self):
        """Processes of the worker that still run."""
        found = []
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if os.readlink(process / "exe").startswith(str(self.folder)):
                    found.append(process.name)
            except OSError:
                pass
        return found

    def tree(self, what, command, status, launches, programs=None, how=None, options=()):
        """launches: of each process; the list has them in this order, and says whose each is."""
        done, profile = self.run("--", *command, options=options)
        self.expect(done.returncode == status, f"{what}: status {status}", done)
        wanted = [i for i, number in enumerate(launches) for _ in range(number)]
        found = [launch.get("process", 0) for launch in profile.get("launches", [])]
        self.expect(found == wanted, f"{what}: launches by process {found}, wanted {wanted}", done)
        indices = [launch["index"] for launch in profile.get("launches", [])]
        self.expect(indices == list(range(len(wanted))), f"{what}: each launch has its number, {indices}", done)
        processes = profile.get("processes", [])
        self.expect(len(processes) == (len(launches) if len(launches) > 1 else 0), f"{what}: {processes}", done)
        if len(launches) > 1:
            self.expect([one["launches"] for one in processes] == list(launches), f"{what}: {processes}", done)
            self.expect("process 1, " in done.stdout, f"{what}: the report says whose they are", done)
        if programs:
            self.expect([one["program"] for one in processes] == programs, f"{what}: {processes}", done)
        if how:
            self.expect([one["how"] for one in processes] == how, f"{what}: {processes}", done)
        self.expect(self.left() == [], f"{what}: nobody is left", done)
        return done, profile


def build(checks, compiler):
    """The worker as an executable, of which tilescope makes one that copies itself."""
    done = subprocess.run([checks.tool, "run", "--caches", "off", "--compiler", compiler, str(HERE / "worker.cu"), "--", "copy",
                           str(checks.worker)], capture_output=True, text=True)
    checks.expect(checks.worker.exists(), "the worker is built", done)


def check_shapes(checks):
    shell = "./worker launch 2; ./worker launch 1 4"
    checks.tree("a shell", ["sh", "-c", shell], 4, (2, 1), ["worker", "worker"], ["started", "started"])
    checks.tree("a shell that becomes a program", ["sh", "-c", "exec ./worker launch 2 9"], 9, (2,))
    checks.tree("two at once", ["sh", "-c", "./worker launch 2 & ./worker launch 2; wait"], 0, (2, 2))
    checks.tree("fork", ["./worker", "fork"], 0, (1, 2), how=["started", "forked"])
    checks.tree("fork and exec", ["./worker", "spawn"], 0, (1, 2), how=["started", "started"])
    checks.tree("exec in place", ["./worker", "exec"], 6, (1, 2), how=["started", "replaced"])
    checks.tree("a child that outlives its parent", ["./worker", "outlive"], 7, (1, 2), how=["started", "forked"])
    checks.tree("a daemon", ["./worker", "daemon"], 0, (1, 2), how=["started", "forked"])
    python = ("import subprocess, sys\n"
              "for times in (1, 2): subprocess.run(['./worker', 'launch', str(times)], check=True)\n"
              "sys.exit(11)\n")
    checks.tree("Python's subprocess", [sys.executable, "-c", python], 11, (1, 2), ["worker", "worker"])
    done, profile = checks.run("--", "sh", "-c", "exit 3")
    checks.expect(done.returncode == 3 and "nor any that it started" in done.stderr, "no CUDA in it", done)
    done, profile = checks.run("--", "no-such-program")
    checks.expect(done.returncode == 2 and "no program of that name" in done.stderr, "no such program", done)


def check_limits(checks):
    done, profile = checks.run("--", "./worker", "linger", options=("--time-limit", "5"))
    checks.expect(done.returncode == 6 and profile["ended"] == "time limit" and len(profile["launches"]) == 1 and
                  "runs on" in done.stderr, "what is left behind has the time limit", done)
    done, profile = checks.run("--", "sh", "-c", "./worker launch 1; ./worker bomb", options=("--time-limit", "5"))
    checks.expect(done.returncode == 6 and profile["ended"] == "time limit", "processes that run away", done)
    time.sleep(0.2)
    checks.expect(checks.left() == [], f"nobody ran away: {checks.left()}", done)
    both = ("./worker hold 6000000 one & while [ ! -e one.held ]; do sleep 0.05; done; ./worker hold 6000000; touch one.go; wait; "
            "./worker hold 6000000")
    done, profile = checks.run("--", "sh", "-c", both, options=("--memory-limit", "10M"))
    checks.expect(done.returncode == 6 and done.stdout.split()[:3] == ["held", "refused", "held"] and
                  "other processes" in done.stderr, "the memory limit holds for all", done)
    one = "./worker hold 6000000; ./worker hold 6000000"
    done, profile = checks.run("--", "sh", "-c", one, options=("--memory-limit", "10M"))
    checks.expect(done.returncode == 0 and done.stdout.split()[:2] == ["held", "held"], "what has ended holds nothing", done)


def check_libraries(checks, nvcc):
    """Libraries that have a runtime of their own linked in: opened by a program, by Python, and linked to."""
    def build(output, *options):
        done = subprocess.run([nvcc, "-lineinfo", "-gencode", "arch=compute_90,code=[compute_90,sm_90]", *map(str, options), "-o",
                               str(checks.folder / output)], capture_output=True, text=True)
        checks.expect(done.returncode == 0, f"nvcc builds {output}", done)

    for name in ("one", "two"):
        build(f"lib{name}.so", "-shared", "-Xcompiler", "-fPIC", f"-DNAME={name}", HERE / "library.cu")
    build("opener", "-cudart", "none", HERE / "opener.cpp", "-ldl")
    build("linked_to", "-cudart", "none", "-DNAME=one", HERE / "linked_to.cpp", "-L", checks.folder, "-lone",
          "-Xlinker", "-rpath", "-Xlinker", checks.folder)
    done, _ = checks.tree("a library that is opened", ["./opener", "./libone.so", "one", "./libtwo.so", "two"], 0, (2,))
    checks.expect(done.stdout.count("sum 496") == 2, "both libraries have their kernels", done)
    python = "import ctypes\nfor n in ('one', 'two', 'one'): getattr(ctypes.CDLL(f'./lib{n}.so'), n)()\n"
    done, _ = checks.tree("Python's modules", [sys.executable, "-c", python], 0, (3,))
    checks.expect(done.stdout.count("sum 496") == 3, "Python's have theirs", done)
    done, _ = checks.tree("a library that is linked to", ["./linked_to"], 0, (1,))
    checks.expect("sum 496" in done.stdout, "so has what is linked to", done)
    done, _ = checks.run("linked_to")
    checks.expect(done.returncode == 2 and "tilescope run -- linked_to" in done.stderr, "without -- it has nothing, and is told so", done)
    build("asks_too", "-DASKS", "-DNAME=one", HERE / "linked_to.cpp", "-L", checks.folder, "-lone", "-Xlinker", "-rpath", "-Xlinker",
          checks.folder)
    done, profile = checks.run("asks_too")
    checks.expect(done.returncode == 0 and len(profile["launches"]) == 1, "an executable with a runtime, and a library with one", done)
    # A package brings a library of NVIDIA's and opens it by its path: what is opened is tilescope's.
    brought = checks.folder / "libnvrtc.so.13"
    brought.write_text("none")
    python = f"import ctypes\nl = ctypes.CDLL('{brought}')\nv = ctypes.c_int()\nl.nvrtcVersion(ctypes.byref(v), ctypes.byref(v))\nprint(v.value)\n"
    done, _ = checks.run("--", sys.executable, "-c", python + "ctypes.CDLL('./libone.so').one()\n")
    checks.expect(done.returncode == 0 and "sum 496" in done.stdout, "NVRTC that a package brings", done)
    build("librelocatable.so", "-shared", "-rdc=true", "-Xcompiler", "-fPIC", "-DNAME=relocatable", HERE / "library.cu")
    done, _ = checks.run("--", "./opener", "./librelocatable.so", "relocatable")
    checks.expect(done.returncode != 0 and "librelocatable.so asks the driver" in done.stderr, "one over files is refused by name", done)
    subprocess.run(["strip", str(checks.folder / "libone.so")], check=True)
    done, _ = checks.run("--", "./opener", "./libone.so", "one")
    checks.expect(done.returncode != 0 and "libone.so asks the driver" in done.stderr, "one without symbols is refused by name", done)


def check_static(checks):
    """A program with the runtime linked in, somewhere in the tree."""
    nvcc = shutil.which("nvcc") or os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "bin", "nvcc")
    static = checks.folder / "linked_in"
    done = subprocess.run([nvcc, "-lineinfo", "-gencode", "arch=compute_90,code=[compute_90,sm_90]", str(HERE / "worker.cu"), "-o",
                           str(static)], capture_output=True, text=True)
    checks.expect(done.returncode == 0, "nvcc builds the worker", done)
    check_libraries(checks, nvcc)
    checks.tree("both runtimes", ["sh", "-c", "./linked_in launch 1; ./worker launch 2; ./linked_in spawn"], 0, (1, 2, 1, 2),
                ["linked_in", "worker", "linked_in", "linked_in"])


def main():
    found = [name for name in ("clang-19", "clang-18", "clang-17", "clang-16", "nvcc") if compilers.installed(name)]
    if not found:
        print("skipped: no compiler is installed")
        return compilers.SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        checks = Checks(sys.argv[1], folder)
        build(checks, found[0])
        if checks.worker.exists():
            check_shapes(checks)
            check_limits(checks)
            if compilers.installed("nvcc"):
                check_static(checks)
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
