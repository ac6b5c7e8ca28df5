// A matrix turned on its side, three ways: by columns in global memory, by columns in shared memory, by no columns.
//
//   transpose                  1024 x 1024
//   transpose WIDTH HEIGHT     a shape of your own
//   with -DNO_BARRIER          the tile is read before it is full: wrong
//
// Build it alone: nvcc -std=c++17 transpose.cu
#include "../lesson.h"

constexpr int kTile = 32;

// Reads along a row, writes down a column.
__global__ void naive(const float* in, float* out, int width, int height) {
    const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
    if (x < width && y < height) out[x * height + y] = in[y * width + x];  // [naive]
}

// Goes along rows on both sides. The turn is made in a tile of shared memory whose rows are kRow words apart.
template <int kRow>
__device__ void through_tile(const float* in, float* out, int width, int height) {
    __shared__ float tile[kTile][kRow];
    const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
    if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];  // [load]
#ifndef NO_BARRIER
    __syncthreads();  // what a thread stores next, another one has loaded
#endif
    const int out_x = blockIdx.y * kTile + threadIdx.x, out_y = blockIdx.x * kTile + threadIdx.y;
    if (out_x < height && out_y < width) out[out_y * height + out_x] = tile[threadIdx.x][threadIdx.y];  // [store]
}
__global__ void tiled(const float* in, float* out, int width, int height) {
    through_tile<kTile>(in, out, width, height);
}
__global__ void padded(const float* in, float* out, int width, int height) {
    through_tile<kTile + 1>(in, out, width, height);
}

int main(int argc, char** argv) {
    const int width = argc > 2 ? std::atoi(argv[1]) : 1024, height = argc > 2 ? std::atoi(argv[2]) : 1024;
    const std::vector<float> in = eighths(static_cast<std::size_t>(width) * height);
    std::vector<float> want(in.size());
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) want[x * height + y] = in[y * width + x];
    const float* d_in = to_device(in);
    const dim3 block(kTile, kTile), grid((width + kTile - 1) / kTile, (height + kTile - 1) / kTile);
    Verdict verdict;
    const auto run = [&](const char* name, void (*kernel)(const float*, float*, int, int)) {
        float* d_out = device_buffer<float>(in.size());
        launch(name, [&] { kernel<<<grid, block>>>(d_in, d_out, width, height); });
        verdict.equal(name, to_host(d_out, in.size()), want);
    };
    run("naive", naive);
    run("tiled", tiled);
    run("padded", padded);
    return verdict.status();
}
