"""What a message says of a place that is only just wrong, and what a limit that is set does, through each compiler.

usage: check_places.py TILESCOPE COMPILER...     (77: none of the compilers is installed)
"""
import pathlib
import subprocess
import sys
import tempfile

import compilers

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
    if compiler != "nvcc":  # whose own assembler refuses it
        said = run(tool, compiler, CONSTANT).stderr
        if "place.cu:2: error: constant variables take more than" not in said:
            yield f"a constant array that is too large: {said}"
    lines = run(tool, compiler, PRINTS).stdout.splitlines()
    if len(lines) != 2 * 2048 or lines[0] != "line 0" or lines[-1] != "line 5999":
        yield f"a buffer for 2,048 prints: {len(lines)} lines"


if __name__ == "__main__":
    sys.exit(compilers.check_each(problems))
