// A sum in one launch: the block that finishes last adds up what the others left, as a ticket tells it.
#include <numeric>

#include "fourfold.cuh"

__device__ unsigned tickets = 0;

__global__ void sum_all(const double* in, volatile double* parts, double* out, int count) {
    __shared__ double data[128];
    __shared__ bool last;
    double mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) mine += in[i];
    data[threadIdx.x] = mine;
    __syncthreads();
    for (int step = 64; step > 0; step /= 2) {
        if (threadIdx.x < step) data[threadIdx.x] += data[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = data[0];
        __threadfence();
        last = atomicInc(&tickets, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last || threadIdx.x != 0) return;
    double total = 0;
    for (unsigned block = 0; block < gridDim.x; ++block) total += parts[block];
    *out = total;
}

int main() {
    constexpr int count = 5000, blocks = 9;
    const std::vector<double> values = numbers<double>(count, -1, 1);
    const Buffer<double> in(values), parts(blocks), out(1);
    int bad = 0;
    for (int round = 0; round < 2; ++round) {
        sum_all<<<blocks, 128>>>(in, parts, out, count);
        bad += near("one launch", out.host(), {std::accumulate(values.begin(), values.end(), 0.0)}, 1e-12);
    }
    return bad;
}
