// Blocks of bytes by three public hashes: a table in constant memory, products, and rotations.
#include "fourfold.cuh"

__constant__ unsigned table[256];

__host__ __device__ inline unsigned rotate(unsigned x, int by) { return x << by | x >> (32 - by); }
__host__ __device__ inline unsigned products(const unsigned char* p, int n) {
    unsigned h = 2166136261u;
    for (int i = 0; i < n; ++i) h = (h ^ p[i]) * 16777619u;
    return h;
}
__host__ __device__ inline unsigned rotations(const unsigned* p, int words, unsigned seed) {
    unsigned h = seed;
    for (int i = 0; i < words; ++i) h = rotate(h ^ rotate(p[i] * 0xcc9e2d51u, 15) * 0x1b873593u, 13) * 5 + 0xe6546b64u;
    h = (h ^ words * 4 ^ (h ^ words * 4) >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return h ^ h >> 16;
}
template <class Table>
__host__ __device__ unsigned cyclic(const Table& t, const unsigned char* p, int n) {
    unsigned crc = ~0u;
    for (int i = 0; i < n; ++i) crc = t[(crc ^ p[i]) & 255] ^ crc >> 8;
    return ~crc;
}

__global__ void hash(const unsigned char* data, uint3* out, int blocks, int size) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= blocks) return;
    const unsigned char* p = data + i * size;
    out[i] = make_uint3(cyclic(table, p, size), products(p, size), rotations((const unsigned*)p, size / 4, 42));
}

int main() {
    constexpr int blocks = 100, size = 32;
    const std::vector<unsigned char> data = numbers<unsigned char>(blocks * size, 0, 255);
    std::vector<unsigned> made(256), expected;
    for (unsigned i = 0; i < 256; ++i) {
        made[i] = i;
        for (int k = 0; k < 8; ++k) made[i] = made[i] & 1 ? made[i] >> 1 ^ 0xedb88320u : made[i] >> 1;
    }
    for (int i = 0; i < blocks; ++i) {
        const unsigned char* p = data.data() + i * size;
        unsigned words[size / 4];
        std::memcpy(words, p, size);
        for (const unsigned h : {cyclic(made, p, size), products(p, size), rotations(words, size / 4, 42)})
            expected.push_back(h);
    }
    CHECK(cudaMemcpyToSymbol(table, made.data(), 1024));
    const Buffer<unsigned char> in(data);
    const Buffer<unsigned> out(blocks * 3);
    hash<<<2, 64>>>(in, (uint3*)out.at, blocks, size);
    return same("hashes", out.host(), expected);
}
