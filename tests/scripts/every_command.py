"""Runs the commands that README.md, docs/reference/command-line.md, the lessons and --help name, with nothing but what
the target tilescope_tools builds.

usage: every_command.py CMAKE BUILD SOURCE readme|reference|lessons

readme runs the commands of README.md; reference those of docs/reference/command-line.md and of --help.

Installs BUILD into a scratch folder, holds what was installed against what tilescope_tools makes, and runs the commands there
as they are typed, each once, beside copies of what they read. None may end with status 2, with an error of the linker or
the loader, or by a signal; those of PAGES and --help end with 0, or with what ENDINGS says. Names that they made up (main.cu,
./my_program) stand for the small programs below. What the lessons run themselves (tests/lessons) is not run again.
"""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

CUDARTS = ("libcudart.so.11.0", "libcudart.so.12", "libcudart.so.13")
LIBRARIES = ("libtilescope-host-calls.so", "libtilescope-follow.so", "libcuda.so.1", *CUDARTS)
DOCUMENTS = ("share/man/man1/tilescope.1", "share/bash-completion/completions/tilescope",
             "share/zsh/site-functions/_tilescope", "share/fish/vendor_completions.d/tilescope.fish")
READ_BY_COMMANDS = ("examples", "bench/kernels", "lessons")
BROKEN = re.compile(r"undefined (reference|symbol)|cannot find -l|cannot open shared object|while loading shared libraries|"
                    r"ld returned|linker command failed|command not found|symbol lookup error")

PAGES = {"readme": "README.md", "reference": "docs/reference/command-line.md"}
# Commands of PAGES whose files are made up: they must still be there.
ILLUSTRATIONS = {
    "readme": ("tilescope run my_kernel.cu", "tilescope run --html page.html my_kernel.cu "),
    "reference": ("tilescope run main.cu kernels.cu io.cpp ", "tilescope run a.cu b.cu libhelp.a ",
                  "tilescope run sort.cu --cuda-include open", "tilescope run --sample 0.1 --jobs 2 ./my_program "),
}
# Commands of PAGES that end with another status than 0, by how they begin.
ENDINGS = {"tilescope check lessons/09_barriers_removed/": 4, "tilescope run -q --caches off --budget 'naive*: ": 5}
# Commands that the reference names in its prose, by the words that it has there; the profiles are of examples/matmul.cu.
IN_PROSE = {
    "### `tilescope report PROFILE.json`": "tilescope report p.json",
    "`--text`": "tilescope report p.json --text",
    "`--csv`": "tilescope report p.json --csv",
    "`--sarif`": "tilescope report p.json --sarif",
    "`--chrome-trace`": "tilescope report p.json --chrome-trace",
    "`--device a100`": "tilescope report p.json --device a100",
    "### `tilescope compare A.json B.json`": "tilescope compare A.json B.json",
    "`compare A.json --kernels naive,tiled`": "tilescope compare A.json --kernels naive,tiled",
    "### `tilescope devices [NAME]`": "tilescope devices",
    "### `tilescope explain TERM`": "tilescope explain wavefront",
}
# lessons.clang runs them all; --gpu takes a GPU.
RUN_ELSEWHERE = re.compile(r"tilescope lesson (--all|.*--gpu)")

STAND_INS = {
    "train.py": """import subprocess
import sys
sys.exit(subprocess.run(["./my_program"]).returncode)
""",
    "my_kernel.cu": "__global__ void k() {}\nint main() {\n    k<<<1, 32>>>();\n    return cudaDeviceSynchronize();\n}\n",
    "main.cu": """#include <cuda_runtime.h>
void launch(float* data);
void say(float value);
int main() {
    float* data;
    cudaMallocManaged(&data, N * sizeof(float));
    launch(data);
    cudaDeviceSynchronize();
    say(data[0]);
    return cudaFree(data);
}
""",
    "kernels.cu": """#include "sizes.h"
__global__ void fill(float* data) { data[blockIdx.x * kBlock + threadIdx.x] = 1.0f; }
void launch(float* data) { fill<<<N / kBlock, kBlock>>>(data); }
""",
    "io.cpp": """#include <cmath>
#include <cstdio>
void say(float value) { std::printf("%g\\n", std::sqrt(value)); }
""",
    "inc/sizes.h": "constexpr int kBlock = 128;\n",
    # Device code over two files, and an archive.
    "a.cu": """__device__ int twice(int x);
int help(int* x);
__global__ void k(int* x) { *x = twice(*x); }
int main() {
    int* x;
    cudaMallocManaged(&x, sizeof *x);
    *x = 21;
    k<<<1, 1>>>(x);
    cudaDeviceSynchronize();
    return help(x) || cudaFree(x);
}
""",
    "b.cu": "__device__ int twice(int x) { return x + x; }\n",
    "help.cpp": "int help(int* x) { return *x != 42; }\n",
    # In place of NVIDIA's open headers.
    "sort.cu": "#include <cub/cub.cuh>\nint main() { return cub::kSorted; }\n",
    "open/cub/cub.cuh": "namespace cub {\nconstexpr int kSorted = 0;\n}\n",
    # A program that somebody linked with the shared runtime.
    "my_program.cpp": """extern "C" int cudaMalloc(void**, unsigned long);
extern "C" int cudaFree(void*);
int main() {
    void* data;
    return cudaMalloc(&data, 4096) || cudaFree(data);
}
""",
    # The kernel of `tilescope launch --help`: input, output, size.
    "copy.ptx": """.version 7.0
.target sm_80
.address_size 64
.visible .entry copy(.param .u64 in, .param .u64 out, .param .u32 size)
{
    .reg .pred %p;
    .reg .b32 %r<5>;
    .reg .f32 %f;
    .reg .b64 %rd<6>;
    ld.param.u64 %rd0, [in];
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r0, [size];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.s32 %r4, %r1, %r2, %r3;
    setp.ge.u32 %p, %r4, %r0;
    @%p ret;
    mul.wide.u32 %rd2, %r4, 4;
    add.s64 %rd3, %rd0, %rd2;
    add.s64 %rd4, %rd1, %rd2;
    ld.global.f32 %f, [%rd3];
    st.global.f32 [%rd4], %f;
    ret;
}
""",
}
PROFILES = ("A.json", "B.json", "before.json", "after.json", "matmul.json")  # copies of p.json


def commands_of_tools(build):
    """All that ninja would run to make tilescope_tools from nothing."""
    done = subprocess.run(["ninja", "-C", build, "-t", "commands", "tilescope_tools"], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def installed_of_build(build):
    """Files of the build folder that `cmake --install` wants, relative to it."""
    for script in build.rglob("cmake_install.cmake"):
        for name in re.findall(r'^ *file\(INSTALL .* FILES "%s/([^"]*)"' % re.escape(str(build)), script.read_text(encoding="utf-8"), re.M):
            yield name


def check_installation(cmake, build, prefix):
    for name in LIBRARIES:
        if not (build / "lib/tilescope" / name).is_file():
            yield f"{build}/lib/tilescope has no {name}"
    made = commands_of_tools(build)
    if made is not None and not (build / "tiles/cmake_install.cmake").is_file():  # the kernels are installed beside it
        for name in sorted(set(installed_of_build(build))):
            if name not in made:
                yield f"{name} is installed, and tilescope_tools does not build it"
    done = subprocess.run([cmake, "--install", build, "--prefix", prefix], capture_output=True, text=True)
    if done.returncode != 0:
        yield f"cmake --install fails: {done.stderr}"
    for name in ("bin/tilescope", *(f"lib/tilescope/{library}" for library in LIBRARIES), *DOCUMENTS):
        if not (prefix / name).is_file() or (prefix / name).stat().st_size == 0:
            yield f"{name} is not installed"


def of_page(text):
    """The commands in fences, without comments and prompts, and those in the second cell of a table's rows."""
    yield from re.findall(r"^\| [^`|]+ \| `(tilescope [^`]+)` \|", text, re.M)
    for fence in re.findall(r"^```\n(.*?)^```", text, re.M | re.S):
        for line in re.sub(r"\\\n\s*", "", fence).splitlines():
            if line.removeprefix("$ ").startswith("tilescope "):
                yield re.sub(r"\s{2,}#.*", "", line.removeprefix("$ ")).strip()


def of_help(text):
    """The examples that a --help ends with."""
    part = re.search(r"^Examples?: ((?:tilescope .*)\n(?: {8,}.*\n)*)", text, re.M)
    return [line.strip() for line in re.sub(r"\n\s+(?!\s|tilescope )", " ", part[1]).strip().split("\n")] if part else []


def normal(words, program):
    """What a command does, whatever it prints and keeps: for comparison with the runs of lesson.json."""
    end = words.index("--") if "--" in words else len(words)
    options = words[1:end]
    if words[0] == "run":
        if "--json" in options:
            del options[options.index("--json"):options.index("--json") + 2]
        options = sorted(set(options) - {"-q", "-v", program}) + [program]
    return (words[0], *(re.sub(r"^\w+\.json$", "PROFILE", word) for word in options), *words[end:])


def of_lesson(folder):
    """The commands of page.md that lesson.json does not run, with those before them that make the profiles they read."""
    lesson = json.loads((folder / "lesson.json").read_text(encoding="utf-8"))
    program = f"lessons/{folder.name}/{folder.name.partition('_')[2]}.cu"
    already = set()
    for run in lesson["runs"].values():
        words = run.get("command") or ["run", *run.get("options", []), *(f"-D{name}" for name in run.get("defines", [])),
                                       *(["--", *run["arguments"]] if run.get("arguments") else [])]
        words = [re.sub(r"\{profile:\w+\}", "p.json", word).replace("{program}", program) for word in words]
        already.add(normal(words, program))
    fences = re.findall(r"^```sh\n(.*?)^```", (folder / "page.md").read_text(encoding="utf-8"), re.M | re.S)
    commands = [line for fence in fences for line in fence.splitlines() if line.startswith("tilescope ")]
    wanted = [line for line in commands if normal(shlex.split(line)[1:], program) not in already]
    read = {word for line in wanted for word in line.split() if word.endswith(".json")}
    return [line for line in commands
            if line in wanted or any(f"--json {name} " in line for name in read)]


class Scratch:
    """A folder with what the commands read, and the installed program first in PATH."""

    def __init__(self, source, prefix, folder):
        self.prefix, self.folder, self.problems, self.done = prefix, folder, [], {}
        for name in READ_BY_COMMANDS:
            shutil.copytree(source / name, folder / name)
        for name, text in STAND_INS.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        shutil.copy(source / "examples/check.h", folder)
        matmul = (source / "examples/matmul.cu").read_text(encoding="utf-8")
        (folder / "matmul.cu").write_text(re.sub(r"\b512\b", "64", matmul), encoding="utf-8")
        self.environment = {**os.environ, "PATH": f"{prefix}/bin:{os.environ['PATH']}"}
        self.environment.pop("LD_LIBRARY_PATH", None)
        self.run("c++ -c help.cpp && ar rcs libhelp.a help.o")
        self.run(f"c++ -o my_program my_program.cpp {prefix}/lib/tilescope/libcudart.so.12")

    def run(self, command, statuses=(0,)):
        """What it printed; a second time is not run. A status that is not in `statuses` is a problem; None: any but broken."""
        if command in self.done or RUN_ELSEWHERE.match(command):
            return self.done.get(command, "")
        begin = time.monotonic()
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace")
        print(f"{time.monotonic() - begin:6.1f} s  status {done.returncode}  {command}", flush=True)
        self.done[command] = done.stdout
        status = done.returncode
        wrong = status in (2, 126, 127) or status < 0 or status > 128 if statuses is None else status not in statuses
        if wrong or BROKEN.search(done.stdout):
            self.problems.append(f"status {status}: {command}\n{done.stdout[-2000:]}")
        return done.stdout


def run_page(scratch, source, part):
    """Runs the commands of the page's fences and tables, and returns its text."""
    page = PAGES[part]
    text = (source / page).read_text(encoding="utf-8")
    commands = list(of_page(text))
    for start in ILLUSTRATIONS[part]:
        if not any(command.startswith(start) for command in commands):
            scratch.problems.append(f"{page} has no '{start}...' any more: take it out of this test, too")
    for command in commands:
        scratch.run(command, (next((status for start, status in ENDINGS.items() if command.startswith(start)), 0),))
    return text


def run_readme(scratch, source):
    run_page(scratch, source, "readme")


def run_reference(scratch, source):
    scratch.run("tilescope run --caches off --json p.json examples/matmul.cu")
    for copy in PROFILES:
        shutil.copy(scratch.folder / "p.json", scratch.folder / copy)
    text = run_page(scratch, source, "reference")
    for words, command in IN_PROSE.items():
        if words not in text:
            scratch.problems.append(f"{PAGES['reference']} has no {words} any more: take it out of this test, too")
        scratch.run(command)

    named = re.search(r"^Subcommands:\n((?: .*\n)+)", scratch.run("tilescope --help"), re.M)
    if not named:
        scratch.problems.append("tilescope --help names no subcommands")
    for subcommand in re.findall(r"^  (\w+)", named[1] if named else "", re.M):
        for command in of_help(scratch.run(f"tilescope {subcommand} --help")):
            scratch.run(command)


def run_lessons(scratch, source):
    for lesson in sorted((source / "lessons").glob("[0-9][0-9]_*")):
        for command in of_lesson(lesson):
            scratch.run(command, statuses=None)


def main():
    cmake, build, source = sys.argv[1], *(pathlib.Path(argument).resolve() for argument in sys.argv[2:4])
    parts = {"readme": run_readme, "reference": run_reference, "lessons": run_lessons}
    with tempfile.TemporaryDirectory() as name:
        prefix, folder = pathlib.Path(name) / "prefix", pathlib.Path(name) / "folder"
        problems = list(check_installation(cmake, build, prefix))
        if problems:
            print("\n".join(problems), file=sys.stderr)
            return 1
        folder.mkdir()
        scratch = Scratch(source, prefix, folder)
        scratch.run("tilescope run --compiler clang --caches off examples/matmul.cu")
        parts[sys.argv[4]](scratch, source)
        print(f"{len(scratch.done)} commands")
        print("\n".join(scratch.problems), file=sys.stderr)
        return 1 if scratch.problems else 0


if __name__ == "__main__":
    sys.exit(main())
