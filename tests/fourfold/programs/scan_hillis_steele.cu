// An inclusive scan that doubles its reach each round, between two buffers in shared memory.
#include "fourfold.cuh"

__global__ void scan(const int* in, int* out, int count) {
    extern __shared__ int buffers[];
    int* from = buffers;
    int* to = buffers + blockDim.x;
    const int t = threadIdx.x;
    from[t] = t < count ? in[t] : 0;
    __syncthreads();
    for (int reach = 1; reach < blockDim.x; reach <<= 1) {
        to[t] = t >= reach ? from[t] + from[t - reach] : from[t];
        int* const swapped = from;
        from = to;
        to = swapped;
        __syncthreads();
    }
    if (t < count) out[t] = from[t];
}

int main() {
    int bad = 0;
    for (const int count : {1, 33, 256, 500}) {
        const std::vector<int> values = numbers<int>(count, -5, 9);
        std::vector<int> expected = values;
        for (int i = 1; i < count; ++i) expected[i] += expected[i - 1];
        const Buffer<int> in(values), out(count);
        scan<<<1, 512, 2 * 512 * sizeof(int)>>>(in, out, count);
        bad += same("scan", out.host(), expected);
    }
    return bad;
}
