"""What a message says of a place that is only just wrong, through each compiler.

usage: check_places.py TILESCOPE COMPILER...     (77: none of the compilers is installed)
"""
import pathlib
import subprocess
import sys
import tempfile

import compilers

BEFORE = """__global__ void k(const float* a, float* b) { b[0] = a[-2048]; }
int main() {
    float *a, *b;
    cudaMalloc(&a, 65536);
    cudaMalloc(&b, 4);
    k<<<1, 1>>>(a, b);
    cudaDeviceSynchronize();
}
"""
CONSTANT = """
__constant__ float table[40000];
__global__ void k(float* o) { o[0] = table[threadIdx.x]; }
int main() {
    float* o;
    cudaMalloc(&o, 4);
    k<<<1, 1>>>(o);
}
"""
PRINTS = """#include <cstdio>
__global__ void k() { for (int i = 0; i < 6000; ++i) printf("line %d\\n", i); }
int main() {
    cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1024);
    k<<<1, 1>>>();
    cudaDeviceSynchronize();
}
"""


def run(tool, compiler, text):
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "place.cu"
        source.write_text(text)
        return subprocess.run([tool, "run", "-q", "--caches", "off", "--compiler", compiler, source], capture_output=True, text=True)


def problems(tool, compiler):
    said = run(tool, compiler, BEFORE).stderr
    if "2048 elements (8192 bytes) before the allocation of 65536 bytes" not in said or "host program" in said:
        yield f"8 KiB before a buffer: {said}"
    if compiler != "nvcc":  # whose own assembler refuses it
        said = run(tool, compiler, CONSTANT).stderr
        if "place.cu:2: error: constant variables take more than" not in said:
            yield f"a constant array that is too large: {said}"
    lines = run(tool, compiler, PRINTS).stdout.splitlines()
    if len(lines) != 2 * 2048 or lines[0] != "line 0" or lines[-1] != "line 5999":
        yield f"a buffer for 2,048 prints: {len(lines)} lines"


def main():
    tool, *names = sys.argv[1:]
    found = [name for name in names if compilers.installed(name)]
    if not found:
        print("skipped: none of the compilers is installed")
        return compilers.SKIPPED
    failed = 0
    for compiler in found:
        for problem in problems(tool, compiler):
            print(f"{compiler}: {problem}", file=sys.stderr)
            failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
