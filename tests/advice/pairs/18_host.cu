// What the host does: copies that dominate, launches too small to matter. By the host's clock, until the card is done.
#include "pairs.h"

using namespace pairs;

// An input that stays the same is copied for every launch.
__device__ __forceinline__ void accumulate(const float* x, float* out, float weight, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] += weight * x[i];
}
__global__ void copies_input_before(const float* x, float* out, float weight, int n) { accumulate(x, out, weight, n); }
__global__ void copies_input_after(const float* x, float* out, float weight, int n) { accumulate(x, out, weight, n); }
void input(Suite& suite) {
    const int n = scaled(1 << 20), rounds = 8;
    Array<float> x(n, unit), out(n);
    suite.wall_pair(
        "copies_input", out,
        [&] {
            out.clear();
            for (int k = 0; k < rounds; ++k) {
                PAIRS_CHECK(cudaMemcpy(x, x.host().data(), x.bytes(), cudaMemcpyHostToDevice));  // fault: copies_input
                copies_input_before<<<blocks(n, 256), 256>>>(x, out, k + 1.0f, n);
            }
        },
        [&] {
            out.clear();
            PAIRS_CHECK(cudaMemcpy(x, x.host().data(), x.bytes(), cudaMemcpyHostToDevice));
            for (int k = 0; k < rounds; ++k) copies_input_after<<<blocks(n, 256), 256>>>(x, out, k + 1.0f, n);
        },
        [&](int i) { return x.at(i) * (rounds * (rounds + 1) / 2); });
}

// Memory of the host that may be paged out is copied through a buffer of the driver; pinned memory is not.
__device__ __forceinline__ void scale(float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 3;
}
__global__ void copies_pinned_before(float* x, int n) { scale(x, n); }
__global__ void copies_pinned_after(float* x, int n) { scale(x, n); }
void pinned(Suite& suite) {
    const int n = scaled(1 << 22);
    Array<float> x(n, unit);
    float* kept = nullptr;
    PAIRS_CHECK(cudaMallocHost(&kept, x.bytes()));
    std::memcpy(kept, x.host().data(), x.bytes());
    suite.wall_pair(
        "copies_pinned", x,
        [&] {
            PAIRS_CHECK(cudaMemcpy(x, x.host().data(), x.bytes(), cudaMemcpyHostToDevice));  // fault: copies_pinned
            copies_pinned_before<<<blocks(n, 256), 256>>>(x, n);
        },
        [&] {
            PAIRS_CHECK(cudaMemcpy(x, kept, x.bytes(), cudaMemcpyHostToDevice));
            copies_pinned_after<<<blocks(n, 256), 256>>>(x, n);
        },
        [&](int i) { return 3 * x.at(i); });
    PAIRS_CHECK(cudaFreeHost(kept));
}

// A launch for every row of a small picture; one for all.
__global__ void small_launch_rows_before(const float* in, float* out, int row, int columns) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column < columns) out[row * columns + column] = sqrtf(in[row * columns + column]);
}
__global__ void small_launch_rows_after(const float* in, float* out, int columns) {
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (column < columns) out[row * columns + column] = sqrtf(in[row * columns + column]);
}
void rows(Suite& suite) {
    const int height = scaled(256), width = 1024;
    Array<float> in(width * height, unit), out(width * height);
    suite.wall_pair(
        "small_launch_rows", out,
        [&] {
            for (int row = 0; row < height; ++row) {
                small_launch_rows_before<<<width / 256, 256>>>(in, out, row, width);  // fault: small_launch_rows
            }
        },
        [&] { small_launch_rows_after<<<dim3(width / 256, height), 256>>>(in, out, width); },
        [&](int i) { return std::sqrt(in.at(i)); });
}

int main(int argc, char** argv) {
    Suite suite(argc, argv);
    input(suite);
    pinned(suite);
    rows(suite);
    return suite.status();
}
