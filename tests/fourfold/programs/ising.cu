// Spins of a chessboard, one colour after the other, with numbers from a hash of place and step.
#include "fourfold.cuh"

constexpr int kSide = 48;

__host__ __device__ inline unsigned random_of(unsigned place, unsigned step) {
    unsigned x = place * 0x9e3779b9u ^ step * 0x85ebca6bu;
    x ^= x >> 16, x *= 0x7feb352du, x ^= x >> 15, x *= 0x846ca68bu;
    return x ^ (x >> 16);
}

__host__ __device__ inline void flip(signed char* spins, int i, int step) {
    const int x = i % kSide, y = i / kSide;
    const int around = spins[y * kSide + (x + 1) % kSide] + spins[y * kSide + (x + kSide - 1) % kSide] +
                       spins[(y + 1) % kSide * kSide + x] + spins[(y + kSide - 1) % kSide * kSide + x];
    const int cost = 2 * spins[i] * around;
    const unsigned chances[] = {4294967295u, 734000000u, 125000000u};
    if (cost <= 0 || random_of(i, step) < chances[cost / 4]) spins[i] = -spins[i];
}

__global__ void sweep(signed char* spins, int colour, int step) {
    const int half = blockIdx.x * blockDim.x + threadIdx.x, y = half / (kSide / 2);
    if (y < kSide) flip(spins, y * kSide + half % (kSide / 2) * 2 + ((y + colour) & 1), step);
}

int main() {
    std::vector<signed char> spins(kSide * kSide);
    for (int i = 0; i < kSide * kSide; ++i) spins[i] = random_of(i, 1000) & 1 ? 1 : -1;
    const Buffer<signed char> device(spins);
    for (int step = 0; step < 10; ++step) {
        sweep<<<9, 128>>>(device, step & 1, step);
        for (int i = 0; i < kSide * kSide; ++i)
            if (((i % kSide + i / kSide) & 1) == (step & 1)) flip(spins.data(), i, step);
    }
    return same("spins", device.host(), spins);
}
