// What the barriers of a tiled product are for: take one away and see.
//
//   barriers_removed both|second|first|none    which barriers of the product's loop are there
//   barriers_removed turn SIDE                 a transpose without a barrier, SIDE from 1 to 32
//   barriers_removed copy N                    a copy whose barrier stands inside if (i < N)
//
// Build it alone: nvcc -std=c++17 barriers_removed.cu
#include "../lesson.h"

constexpr int kTile = 16, kWidth = 64, kBlock = 128;

__global__ void product(const float* M, const float* N, float* P, bool first, bool second) {
    __shared__ float Mds[kTile][kTile];
    __shared__ float Nds[kTile][kTile];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * kTile + ty;
    int col = blockIdx.x * kTile + tx;
    float sum = 0;
    for (int ph = 0; ph < kWidth / kTile; ++ph) {
        Mds[ty][tx] = M[row * kWidth + ph * kTile + tx];    // [write M]
        Nds[ty][tx] = N[(ph * kTile + ty) * kWidth + col];  // [write N]
        if (first) __syncthreads();
        for (int k = 0; k < kTile; ++k) sum += Mds[ty][k] * Nds[k][tx];  // [read]
        if (second) __syncthreads();
    }
    P[row * kWidth + col] = sum;
}

// Each block turns one square of its own. Nothing stands between writing the square and reading it the other way round.
__global__ void turn(const float* in, float* out) {
    __shared__ float a[32][32];
    int x = threadIdx.x, y = threadIdx.y, side = blockDim.x;
    int i = (blockIdx.x * side + y) * side + x;
    a[y][x] = in[i];   // [write a]
    out[i] = a[x][y];  // [read a]
}

// Right as long as every thread of every block has an element.
__global__ void copy(const float* in, float* out, int n) {
    __shared__ float staged[kBlock];
    int i = blockIdx.x * kBlock + threadIdx.x;
    if (i < n) {
        staged[threadIdx.x] = in[i];
        __syncthreads();  // [inside]
        out[i] = staged[threadIdx.x];
    }
}

static std::vector<float> wanted_product(const std::vector<float>& M, const std::vector<float>& N) {
    std::vector<float> P(M.size());
    for (int row = 0; row < kWidth; ++row)
        for (int k = 0; k < kWidth; ++k)
            for (int col = 0; col < kWidth; ++col) P[row * kWidth + col] += M[row * kWidth + k] * N[k * kWidth + col];
    return P;
}

int main(int argc, char** argv) {
    const char* variant = argc > 1 ? argv[1] : "both";
    const int number = argc > 2 ? std::atoi(argv[2]) : 0;
    const bool turns = is(variant, "turn"), copies = is(variant, "copy");
    const bool first = is(variant, "both") || is(variant, "first"),
               second = is(variant, "both") || is(variant, "second");
    if (turns    ? number < 1 || number > 32
        : copies ? number < 1 || number > 1 << 20
                 : !first && !second && !is(variant, "none")) {
        std::fprintf(stderr, "usage: %s [both|second|first|none|turn SIDE|copy N]\n", argv[0]);
        return 1;
    }
    const int n = turns ? 4 * number * number : copies ? number : kWidth * kWidth;
    const std::vector<float> in = eighths(n, 1), other = eighths(n, 2);
    std::vector<float> want = in;
    if (turns)
        for (int i = 0; i < n; ++i) {
            const int square = i / (number * number) * number * number, x = i % number, y = i / number % number;
            want[i] = in[square + x * number + y];
        }
    if (!turns && !copies) want = wanted_product(in, other);

    float *d_in = to_device(in), *d_other = to_device(other), *d_out = device_buffer<float>(n);
    launch(variant, [&] {
        if (turns)
            turn<<<4, dim3(number, number)>>>(d_in, d_out);
        else if (copies)
            copy<<<(n + kBlock - 1) / kBlock, kBlock>>>(d_in, d_out, n);
        else
            product<<<dim3(kWidth / kTile, kWidth / kTile), dim3(kTile, kTile)>>>(d_in, d_other, d_out, first, second);
    });
    const std::vector<float> got = to_host(d_out, n);
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += got[i] != want[i];
    figure("wrong elements", wrong);
    Verdict verdict;
    verdict.equal(variant, got, want);
    return verdict.status();
}
