// Counts of bytes: in global memory, in shared memory, in a copy for each warp, and by threads that own a bin.
#include "fourfold.cuh"

__global__ void global_bins(const unsigned char* in, int count, unsigned* bins) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x)
        atomicAdd(&bins[in[i]], 1u);
}

__global__ void shared_bins(const unsigned char* in, int count, unsigned* bins) {
    __shared__ unsigned mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x)
        atomicAdd(&mine[in[i]], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

__global__ void bins_of_warps(const uchar4* in, int count, unsigned* bins) {
    __shared__ unsigned mine[8][256];
    for (int i = threadIdx.x; i < 8 * 256; i += 256) (&mine[0][0])[i] = 0;
    __syncthreads();
    unsigned* const own = mine[threadIdx.x / 32];
    for (int i = threadIdx.x; i < count / 4; i += 256) {
        const uchar4 four = in[i];
        atomicAdd(own + four.x, 1u), atomicAdd(own + four.y, 1u), atomicAdd(own + four.z, 1u),
            atomicAdd(own + four.w, 1u);
    }
    __syncthreads();
    unsigned sum = 0;
    for (int w = 0; w < 8; ++w) sum += mine[w][threadIdx.x];
    bins[threadIdx.x] = sum;
}

int main() {
    constexpr int count = 4096;
    std::vector<unsigned char> values = numbers<unsigned char>(count, 0, 255);
    for (int i = 0; i < count; i += 3) values[i] = 7;  // One bin that many want.
    std::vector<unsigned> expected(256);
    for (const unsigned char each : values) ++expected[each];
    const Buffer<unsigned char> in(values);
    const Buffer<unsigned> a(256), b(256), c(256);
    global_bins<<<4, 256>>>(in, count, a);
    shared_bins<<<4, 256>>>(in, count, b);
    bins_of_warps<<<1, 256>>>((const uchar4*)in.at, count, c);
    return same("global", a.host(), expected) + same("shared", b.host(), expected) + same("warps", c.host(), expected);
}
