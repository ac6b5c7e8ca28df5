// A mask from a counter alone, kept as bits by a vote, and used again on the way back.
#include "fourfold.cuh"

__host__ __device__ inline unsigned mix(unsigned x, unsigned key) {
    x ^= key;
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

__global__ void forward(const float* x, float* y, unsigned* kept, float rate, unsigned key, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool keep = i < count && mix(i, key) * 2.3283064e-10f >= rate;
    const unsigned bits = __ballot_sync(0xffffffff, keep);
    if (i % 32 == 0) kept[i / 32] = bits;
    if (i < count) y[i] = keep ? x[i] / (1 - rate) : 0;
}

__global__ void backward(const float* slope, const unsigned* kept, float* out, float rate, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) out[i] = (kept[i / 32] >> (i % 32) & 1) != 0 ? slope[i] * (1 / (1 - rate)) : 0;
}

int main() {
    constexpr int count = 1000, threads = 128, blocks = 8;
    const std::vector<float> x = numbers<float>(count, 1, 2);
    std::vector<unsigned> bits(blocks * threads / 32);
    for (int i = 0; i < count; ++i)
        if (mix(i, 99) * 2.3283064e-10f >= 0.25f) bits[i / 32] |= 1u << (i % 32);
    const Buffer<float> in(x), out(count), back(count);
    const Buffer<unsigned> kept(bits.size());
    forward<<<blocks, threads>>>(in, out, kept, 0.25f, 99, count);
    backward<<<blocks, threads>>>(in, kept, back, 0.25f, count);
    return same("kept", kept.host(), bits) + near("both ways", back.host(), out.host());
}
