"""Programs of public idioms, each in four ways: nvcc with the shared runtime and with the one linked in, over the driver
alone, and with its kernels compiled by NVRTC. Equal results in all; equal counts in all, for the compiler is one.

usage: check_fourfold.py TILESCOPE [--stand-ins FOLDER] [--build-stand-ins | --program PATH | --only TEXT] [--jobs N] [--try-all]
(77: nvcc is not installed)

Which programs, and how many launches each makes, is in programs.txt; docs/reference/driver-calls.md has them as a table. --program checks
one row of it, --only the rows that contain TEXT, --try-all every single-file program there is, to find more. --build-stand-ins
only compiles what programs of the last two ways are linked with, into FOLDER; later calls with that FOLDER use it.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TESTS = HERE.parent
CUDA = pathlib.Path(os.environ.get("CUDA_HOME", "/usr/local/cuda"))
BOTH = ["-lineinfo", "-std=c++17", "-gencode", "arch=compute_90,code=[compute_90,sm_90]"]
STAND_INS = ("on_driver", "on_driver_more")
WAYS = ("shared", "static", "driver", "nvrtc")
# Each with the launches it makes.
PROGRAMS = dict(line.split() for line in (HERE / "programs.txt").read_text().splitlines())

# Types that NVRTC has no header of the host's for.
PRELUDE = """#define CHECK(...)
#define INFINITY __builtin_inff()
#define INT_MAX 2147483647
typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef long int64_t;
typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned uint32_t; typedef unsigned long uint64_t;
"""
DEVICE = re.compile(r"__global__|__device__|__constant__|__managed__|extern __shared__")
PLAIN = re.compile(r"^(template\s*<[^>]*>\s*)?(const|constexpr|static const|static constexpr|enum|struct|class|union|typedef|using|"
                   r"namespace\b(?=\s+\w+\s*=))\b")
HOSTLY = re.compile(r"std::|vector<|FILE|string|chrono|malloc|new ")


def chunks(text):
    """The file's declarations, one by one, without comments."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.S)
    at, start, depth = 0, 0, 0
    while at < len(text):
        c = text[at]
        if c == "#" and depth == 0 and not text[start:at].strip():
            end = at
            while True:
                end = text.find("\n", end)
                if end < 0 or text[end - 1] != "\\":
                    break
                end += 1
            end = len(text) if end < 0 else end
            yield text[at:end]
            start = at = end
            continue
        if c in "\"'" and not (c == "'" and text[at - 1].isdigit()):
            at += 1
            while at < len(text) and text[at] != c:
                at += 2 if text[at] == "\\" else 1
        depth += (c in "{(") - (c in "})")
        ends = depth == 0 and (c == ";" or (c == "}" and not re.match(r"\s*[;,\w]", text[at + 1:at + 40])
                                            or (c == "}" and "(" in text[start:text.find("{", start)])))
        at += 1
        if ends:
            yield text[start:at].strip()
            start = at


def device_source(path):
    """What of a program NVRTC is given: kernels, device functions and what these are made of."""
    kept = [PRELUDE]
    for chunk in chunks(path.read_text()):
        if chunk.startswith("#"):
            if not re.match(r"#\s*(include|pragma)", chunk) or re.search(r"<(cooperative_groups|cuda_fp16|cuda_bf16|mma|cuda_pipeline|curand_kernel)", chunk):
                kept.append(chunk)
        elif DEVICE.search(chunk.split("{")[0]) or (PLAIN.match(chunk) and (DEVICE.search(chunk) or not HOSTLY.search(chunk))):
            # struct __align__(16) Point {...} looks like a function until its end.
            kept.append(chunk + (";" if re.match(r"(struct|class|union)\b", chunk) and chunk.endswith("}") else ""))
    return "\n".join(kept) + "\n"


def call(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, errors="replace")


def build_stand_ins(folder):
    """The runtime over the driver, and the one that has NVRTC compile the kernels."""
    for name, flags in (("driver", []), ("nvrtc", ["-DTILESCOPE_BY_NVRTC"])):
        for source in STAND_INS:
            done = call("g++", "-O1", "-std=c++17", f"-I{CUDA}/include", *flags, "-c", HERE / f"{source}.cpp", "-o",
                        folder / f"{source}_{name}.o")
            if done.returncode:
                sys.exit(done.stderr)


def build(path, folder, stand_ins):
    """The program in every way, or why not. It is compiled once: what it is linked with makes the difference."""
    made = folder / "program.o"
    done = call(CUDA / "bin/nvcc", *BOTH, f"-I{TESTS / 'public/helpers'}", "-c", path, "-o", made)
    if done.returncode:
        return dict.fromkeys(WAYS, done.stderr)
    source, strings = folder / "device.cu", folder / "strings.cpp"
    source.write_text(device_source(path))
    strings.write_text(f'extern "C" {{\nextern const char* const source_of_kernels = "{source}";\n'
                       f'extern const char* const include_option = "-I{CUDA}/include";\n}}\n')
    nvcc = [CUDA / "bin/nvcc", "--no-device-link", made]
    driver = ["g++", made, f"-L{CUDA}/lib64/stubs", f"-L{CUDA}/lib64"]
    commands = {"shared": [*nvcc, "-cudart", "shared"], "static": [*nvcc, "-cudart", "static"],
                "driver": [*driver, *(stand_ins / f"{part}_driver.o" for part in STAND_INS), "-lcuda"],
                "nvrtc": [*driver, *(stand_ins / f"{part}_nvrtc.o" for part in STAND_INS), strings, "-lcuda", "-lnvrtc"]}
    programs = {}
    for way, command in commands.items():
        done = call(*command, "-o", folder / way)
        programs[way] = folder / way if done.returncode == 0 else done.stderr
    return programs


def run(tool, program, folder):
    profile = folder / f"{program.name}.json"
    done = subprocess.run([tool, "run", "-q", "--compiler", "nvcc", "--caches", "off", "--json", str(profile), str(program)],
                          capture_output=True, text=True, errors="replace", cwd=folder, timeout=300)
    data = json.loads(profile.read_text()) if profile.exists() else {}
    counts = [(launch["kernel"], launch["grid"], launch["block"], launch["counters"]) for launch in data.get("launches", [])]
    return done, done.stdout.splitlines(), counts


def check(tool, name, parent, stand_ins):
    path = TESTS / name
    folder = pathlib.Path(tempfile.mkdtemp(dir=parent))
    results, wrong = {}, []
    for way, program in build(path, folder, stand_ins).items():
        if not isinstance(program, pathlib.Path):
            wrong.append(f"{way}: does not build\n{program[-1500:]}")
            continue
        done, lines, counts = run(tool, program, folder)
        if done.returncode != 0 or not counts:
            wrong.append(f"{way}: status {done.returncode}\n{done.stdout[-300:]}\n{done.stderr[-1500:]}")
            continue
        results[way] = (lines, counts)
    # What is not the same the second time is a time that the program took; asked where the ways differ.
    told = results["shared"][0] if "shared" in results else []
    differ = "shared" in results and any(lines != told for lines, _ in results.values())
    again = run(tool, folder / "shared", folder)[1] if differ else told
    for way, (lines, counts) in results.items():
        if "shared" not in results:
            break
        if len(lines) != len(told) or any(own != first and first == second
                                          for own, first, second in zip(lines, told, again)):
            wrong.append(f"{way}: other results: {lines} for {told}")
        if counts != results["shared"][1]:
            other = next((pair for pair in zip(counts, results["shared"][1]) if pair[0] != pair[1]), "number of launches")
            wrong.append(f"{way}: other counts: {str(other)[:1500]}")
    if "shared" in results and str(name) in PROGRAMS and len(results["shared"][1]) != int(PROGRAMS[str(name)]):
        wrong.append(f"{len(results['shared'][1])} launches instead of {PROGRAMS[str(name)]}")
    shutil.rmtree(folder)
    return str(name), len(results.get("shared", ((), ()))[1]), wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--only")
    parser.add_argument("--program", help="one row of programs.txt")
    parser.add_argument("--stand-ins", type=pathlib.Path, help="where the compiled stand-ins are, or go")
    parser.add_argument("--build-stand-ins", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--try-all", action="store_true", help="every single-file program, to find more")
    arguments = parser.parse_args()
    if not (CUDA / "bin/nvcc").exists():
        print("skipped: nvcc is not installed")
        return 77
    if arguments.stand_ins:
        arguments.stand_ins.mkdir(parents=True, exist_ok=True)
    if arguments.build_stand_ins:
        build_stand_ins(arguments.stand_ins)
        return 0
    programs = [pathlib.Path(name) for name in PROGRAMS]
    if arguments.try_all:
        programs = sorted(p.relative_to(TESTS) for d in ("public", "idioms", "fourfold") for p in (TESTS / d / "programs").glob("*.cu"))
    if arguments.program:
        programs = [p for p in programs if str(p) == arguments.program]
    programs = [p for p in programs if arguments.only is None or arguments.only in str(p)]
    failed = 0
    with tempfile.TemporaryDirectory() as parent, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        tool = os.path.abspath(arguments.tool)
        stand_ins = arguments.stand_ins or pathlib.Path(parent)
        if not arguments.stand_ins:
            build_stand_ins(stand_ins)
        for done in concurrent.futures.as_completed([pool.submit(check, tool, p, parent, stand_ins) for p in programs]):
            name, launches, wrong = done.result()
            print(f"{name}: {'equal' if not wrong else 'NOT equal'}, {launches} launches", flush=True)
            failed += bool(wrong)
            for each in wrong:
                print("  " + each.replace("\n", "\n  "), flush=True)
    print(f"{len(programs) - failed} of {len(programs)} programs are equal in four ways")
    return 1 if failed or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
