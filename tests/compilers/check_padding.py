"""A tile that is mostly padding: the report tells its useful work from the rest, through each compiler.

usage: check_padding.py TILESCOPE COMPILER...     (77: none of the compilers is installed)
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import compilers

TILE = 16
PROGRAM = """
#include <cstdio>
#include <cstdlib>
constexpr int kTile = 16;
__global__ void tiled(const float* a, const float* b, float* c, int n) {
    __shared__ float as[kTile][kTile], bs[kTile][kTile];
    const int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < (n + kTile - 1) / kTile; ++t) {
        const int x = t * kTile + threadIdx.x, y = t * kTile + threadIdx.y;
        as[threadIdx.y][threadIdx.x] = row < n && x < n ? a[row * n + x] : 0.0f;
        bs[threadIdx.y][threadIdx.x] = y < n && column < n ? b[y * n + column] : 0.0f;
        __syncthreads();
        for (int k = 0; k < kTile; ++k) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
        __syncthreads();
    }
    if (row < n && column < n) c[row * n + column] = sum;
}
int main(int, char** arguments) {
    const int n = atoi(arguments[1]);
    float *a, *b, *c;
    cudaMalloc(&a, n * n * 4);
    cudaMalloc(&b, n * n * 4);
    cudaMalloc(&c, n * n * 4);
    cudaMemset(a, arguments[2][0] - '0', n * n * 4);
    cudaMemset(b, 1, n * n * 4);
    const int tiles = (n + kTile - 1) / kTile;
    tiled<<<dim3(tiles, tiles), dim3(kTile, kTile)>>>(a, b, c, n);
    cudaDeviceSynchronize();
}
"""


def run(tool, compiler, folder, n, fill):
    source = pathlib.Path(folder) / "tiled.cu"
    source.write_text(PROGRAM)
    profile = pathlib.Path(folder) / "profile.json"
    done = subprocess.run([tool, "run", "--compiler", compiler, "--json", profile, source, "--", str(n), str(fill)],
                          capture_output=True, text=True)
    return done.stdout, json.loads(profile.read_text())["launches"][0]


def problems(tool, compiler):
    with tempfile.TemporaryDirectory() as folder:
        # The last number: whether the matrix is full of ones or of zeros, which are data as well.
        for n, fill in [(5, 1), (5, 0), (16, 0), (16, 1), (37, 1)]:
            text, launch = run(tool, compiler, folder, n, fill)
            width = -(-n // TILE) * TILE
            flop, useful = 2 * width**3, 2 * n**3
            found = launch["intensity"]["flop"], launch.get("padded_flop", {}).get("fp32", 0)
            if found != (flop, flop - useful):
                yield f"width {n}, filled with {fill}: flop and padded are {found}, not {(flop, flop - useful)}"
            if n == 5 and "27.3 FLOP per requested byte in fp32, of which 0.83 useful" not in text:
                yield f"width 5: the report says {text}"
            verdict, head = launch["roofline"]["verdict"], "Of 8192 FLOP 97 % multiply padding; the others: "
            if n == 5 and (not verdict.startswith(head) or "ompute-bound" in verdict):
                yield f"width 5: {verdict}"
            if n == 16 and ("useful" in text or "padded_flop" in launch):
                yield f"width 16 has no padding: {text}"


if __name__ == "__main__":
    sys.exit(compilers.check_each(problems))
