// A matrix transpose three ways. Nothing is computed: all that matters is the order in which bytes are touched.
//
// A warp's 32 addresses travel together. If they fall into few 32-byte sectors, one request moves little more than what
// was asked for; if each falls into a sector of its own, eight times as much is moved. A transpose reads rows and
// writes columns, so written down plainly one of the two sides is always the bad case.
#include "check.h"

constexpr int kTile = 32;

// Reads along rows (4 sectors a request) and writes down columns (32 sectors a request).
__global__ void plain(const float* in, float* out, int width, int height) {
    int x = blockIdx.x * kTile + threadIdx.x;
    int y = blockIdx.y * kTile + threadIdx.y;
    if (x < width && y < height) out[x * height + y] = in[y * width + x];
}

// Goes through a tile in shared memory, so that both global sides run along rows. The price is paid in shared memory:
// reading tile[threadIdx.x][threadIdx.y], the lanes of a warp are kTile = 32 words apart, which is the same one of the
// 32 banks for all of them, and the 32 words come out one after the other.
__global__ void tiled(const float* in, float* out, int width, int height) {
    __shared__ float tile[kTile][kTile];
    int x = blockIdx.x * kTile + threadIdx.x;
    int y = blockIdx.y * kTile + threadIdx.y;
    if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();  // the element this thread reads next was written by another one
    int out_x = blockIdx.y * kTile + threadIdx.x;
    int out_y = blockIdx.x * kTile + threadIdx.y;
    if (out_x < height && out_y < width) out[out_y * height + out_x] = tile[threadIdx.x][threadIdx.y];
}

// One unused column makes rows 33 words long. Elements below each other now lie in different banks, and no two lanes
// of a warp meet. (One spare element at the end of the whole array would change nothing.)
__global__ void padded(const float* in, float* out, int width, int height) {
    __shared__ float tile[kTile][kTile + 1];
    int x = blockIdx.x * kTile + threadIdx.x;
    int y = blockIdx.y * kTile + threadIdx.y;
    if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    int out_x = blockIdx.y * kTile + threadIdx.x;
    int out_y = blockIdx.x * kTile + threadIdx.y;
    if (out_x < height && out_y < width) out[out_y * height + out_x] = tile[threadIdx.x][threadIdx.y];
}

int main() {
    Verdict verdict;
    struct Shape {
        int width, height;
    };
    for (Shape s : {Shape{1024, 1024}, Shape{500, 130}}) {
        const std::size_t elements = static_cast<std::size_t>(s.width) * s.height;
        const std::vector<float> in = eighths(elements, 9);
        std::vector<float> want(elements);
        for (int y = 0; y < s.height; ++y)
            for (int x = 0; x < s.width; ++x) want[x * s.height + y] = in[y * s.width + x];

        float* d_in = to_device(in);
        float* d_out = device_buffer<float>(elements);
        const dim3 block(kTile, kTile), grid((s.width + kTile - 1) / kTile, (s.height + kTile - 1) / kTile);
        const auto check = [&](const char* kernel) {
            finish_launch();
            char what[64];
            std::snprintf(what, sizeof what, "%s, %d x %d", kernel, s.width, s.height);
            verdict.equal(what, to_host(d_out, elements), want);
            CHECK(cudaMemset(d_out, 0, elements * sizeof(float)));
        };
        plain<<<grid, block>>>(d_in, d_out, s.width, s.height);
        check("plain");
        tiled<<<grid, block>>>(d_in, d_out, s.width, s.height);
        check("tiled");
        padded<<<grid, block>>>(d_in, d_out, s.width, s.height);
        check("padded");
        CHECK(cudaFree(d_in));
        CHECK(cudaFree(d_out));
    }
    return verdict.status();
}
