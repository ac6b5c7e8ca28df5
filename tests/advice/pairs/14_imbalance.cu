// One block that works while all others are done.
#include "pairs.h"

using namespace pairs;

// Sums of segments, a block for each: one is as long as a quarter of all. In pieces, no block has more than 2048.
__device__ float block_sum(float v) {
    __shared__ float warps[8];
    for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffff, v, offset);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = v;
    __syncthreads();
    v = threadIdx.x < 8 ? warps[threadIdx.x] : 0;
    for (int offset = 4; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffff, v, offset);
    return v;
}
__global__ void imbalance_segments_before(const float* x, const int* starts, float* out) {
    float sum = 0;
    int end = starts[blockIdx.x + 1];
    for (int i = starts[blockIdx.x] + threadIdx.x; i < end; i += 256) sum += x[i];  // fault: imbalance_segments
    sum = block_sum(sum);
    if (threadIdx.x == 0) atomicAdd(&out[blockIdx.x], sum);
}
__global__ void imbalance_segments_after(const float* x, const int* starts, const int* owners, float* out) {
    float sum = 0;
    int end = starts[blockIdx.x + 1];
    for (int i = starts[blockIdx.x] + threadIdx.x; i < end; i += 256) sum += x[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) atomicAdd(&out[owners[blockIdx.x]], sum);
}
void segments(Suite& suite) {
    const int count = 1024, n = scaled(1 << 21);
    std::vector<int> first(1), pieces, owner;
    for (int s = 0; s < count; ++s) first.push_back(first.back() + (s == 300 ? n / 4 : n / 4 * 3 / (count - 1)));
    for (int s = 0; s < count; ++s) {
        for (int at = first[s]; at < first[s + 1]; at += 2048) {
            pieces.push_back(at);
            owner.push_back(s);
        }
    }
    pieces.push_back(first.back());
    Array<float> x(n, unit), out(count);
    Array<int> starts(first), parts(pieces), owners(owner);
    suite.pair(
        "imbalance_segments", out, [&] { imbalance_segments_before<<<count, 256>>>(x, starts, out); },
        [&] { imbalance_segments_after<<<static_cast<int>(owner.size()), 256>>>(x, parts, owners, out); },
        [&](int s) {
            double sum = 0;
            for (int i = first[s]; i < first[s + 1]; ++i) sum += x.at(i);
            return sum;
        },
        1e-3);
}

// Rows of a picture that cost more in its middle: neighbours for a block put all the long ones into a few blocks; dealt
// out like cards, every block has some. Fused products are spelt out, so that the host counts the same steps.
constexpr int kSteps = 96;
__host__ __device__ inline float escape(int x, int y, int width, int height) {
    float cr = -0.6f + 1.2f * (x - width / 2) / width, ci = 3.2f * (y - height / 2) / height, zr = 0, zi = 0;
    int k = 0;
    while (k < kSteps && fmaf(zr, zr, zi * zi) < 4) {
        float next = fmaf(zr, zr, fmaf(-zi, zi, cr));
        zi = fmaf(2 * zr, zi, ci);
        zr = next;
        ++k;
    }
    return static_cast<float>(k);
}
__global__ void imbalance_rows_before(float* out, int width, int height) {
    int each = height / gridDim.x;
    for (int k = 0; k < each; ++k) {
        int y = blockIdx.x * each + k;  // fault: imbalance_rows
        for (int x = threadIdx.x; x < width; x += blockDim.x) out[y * width + x] = escape(x, y, width, height);
    }
}
__global__ void imbalance_rows_after(float* out, int width, int height) {
    int each = height / gridDim.x;
    for (int k = 0; k < each; ++k) {
        int y = k * gridDim.x + blockIdx.x;
        for (int x = threadIdx.x; x < width; x += blockDim.x) out[y * width + x] = escape(x, y, width, height);
    }
}
void picture(Suite& suite) {
    const int width = 256, height = scaled(1024);
    Array<float> out(width * height);
    suite.pair(
        "imbalance_rows", out, [&] { imbalance_rows_before<<<128, 256>>>(out, width, height); },
        [&] { imbalance_rows_after<<<128, 256>>>(out, width, height); },
        [&](int i) { return escape(i % width, i / width, width, height); });
}

int main(int argc, char** argv) {
    Suite suite(argc, argv);
    segments(suite);
    picture(suite);
    return suite.status();
}
