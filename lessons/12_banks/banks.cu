// The 32 banks of shared memory: which strides collide, and how to lay out a tile that is read by columns.
//
//   banks strides      lane i reads word i * stride; with stride 0 all lanes read the same word
//   banks stride N     one stride of your own
//   banks tiles        a tile is written by rows and read by columns, laid out in four ways
//
// Build it alone: nvcc -std=c++17 banks.cu
#include "../lesson.h"

constexpr int kThreads = 256, kWords = 8192, kRounds = 64, kTile = 32;

__global__ void strided(int* out, int stride) {
    __shared__ int words[kWords];
    for (int i = threadIdx.x; i < kWords; i += blockDim.x) words[i] = i;
    __syncthreads();
    int sum = 0;
    for (int round = 0; round < kRounds; ++round) {
        sum += words[(threadIdx.x * stride + round) % kWords];  // [strided]
    }
    out[threadIdx.x] = sum;  // [sum]
}

// Thread (x, y) writes element (y, x) of the tile and reads element (x, y). The lanes of a warp have one y and all 32
// x: they write a row and read a column. kRow words lie between the beginnings of two rows.
template <int kRow, int kSpare>
__device__ void turn(const float* in, float* out) {
    __shared__ float tile[kTile * kRow + kSpare];
    const int x = threadIdx.x, y = threadIdx.y;
    tile[y * kRow + x] = in[y * kTile + x];  // [row]
    __syncthreads();
    out[y * kTile + x] = tile[x * kRow + y];  // [column]
}
__global__ void plain(const float* in, float* out) { turn<kTile, 0>(in, out); }
__global__ void spare_element(const float* in, float* out) { turn<kTile, 1>(in, out); }
__global__ void padded_rows(const float* in, float* out) { turn<kTile + 1, 0>(in, out); }

// No spare word at all: row y is kept with its columns in another order, column x at place x ^ y.
__global__ void shuffled_rows(const float* in, float* out) {
    __shared__ float tile[kTile * kTile];
    const int x = threadIdx.x, y = threadIdx.y;
    tile[y * kTile + (x ^ y)] = in[y * kTile + x];
    __syncthreads();
    out[y * kTile + x] = tile[x * kTile + (y ^ x)];  // [shuffled]
}

static int strides(const std::vector<int>& list) {
    int* d_out = device_buffer<int>(kThreads);
    Verdict verdict;
    for (int stride : list) {
        std::vector<int> want(kThreads);
        for (int t = 0; t < kThreads; ++t)
            for (int round = 0; round < kRounds; ++round) want[t] += (t * stride + round) % kWords;
        char name[32];
        std::snprintf(name, sizeof name, "stride %d", stride);
        launch(name, [&] { strided<<<1, kThreads>>>(d_out, stride); });
        verdict.equal(name, to_host(d_out, kThreads), want);
    }
    return verdict.status();
}

static int tiles() {
    const std::vector<float> in = eighths(kTile * kTile);
    std::vector<float> want(in.size());
    for (int y = 0; y < kTile; ++y)
        for (int x = 0; x < kTile; ++x) want[y * kTile + x] = in[x * kTile + y];
    const float* d_in = to_device(in);
    Verdict verdict;
    const auto run = [&](const char* name, void (*kernel)(const float*, float*)) {
        float* d_out = device_buffer<float>(in.size());
        launch(name, [&] { kernel<<<1, dim3(kTile, kTile)>>>(d_in, d_out); });
        verdict.equal(name, to_host(d_out, in.size()), want);
    };
    run("plain", plain);
    run("spare element", spare_element);
    run("padded rows", padded_rows);
    run("shuffled rows", shuffled_rows);
    return verdict.status();
}

int main(int argc, char** argv) {
    const char* variant = argc > 1 ? argv[1] : "strides";
    if (is(variant, "strides")) return strides({0, 1, 2, 17, 32});
    if (is(variant, "stride") && argc > 2) return strides({std::atoi(argv[2])});
    if (is(variant, "tiles")) return tiles();
    std::fprintf(stderr, "usage: %s [strides|stride N|tiles]\n", argv[0]);
    return 1;
}
