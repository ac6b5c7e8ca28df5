// How the addresses of a warp become sectors of 32 bytes.
//
//   coalescing strides      one float in 1, 2, 4, 8, 16, 32
//   coalescing offsets      neighbours that begin 1, 4 or 8 floats behind a boundary
//   coalescing structures   one member of eight: an array of structures, and a structure of arrays
//
// Build it alone: nvcc -std=c++17 coalescing.cu
#include "../lesson.h"

constexpr int kThreads = 256, kElements = 1 << 16, kBlocks = kElements / kThreads, kMaxStride = 32;

__global__ void gather(const float* in, float* out, int stride, int offset) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i * stride + offset];  // [gather]
}

struct Particle {  // 32 bytes, as many as a sector
    float x, y, z, vx, vy, vz, mass, born;
};
__global__ void ages_of_structures(const Particle* particles, float* ages, float now) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    ages[i] = now - particles[i].born;  // [structures]
}

struct Particles {  // an array for each member
    float *x, *y, *z, *vx, *vy, *vz, *mass, *born;
};
__global__ void ages_of_arrays(Particles particles, float* ages, float now) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    ages[i] = now - particles.born[i];  // [arrays]
}

static int gathers(const std::vector<int>& strides, const std::vector<int>& offsets) {
    const std::vector<float> in = eighths(kElements * kMaxStride);
    float *d_in = to_device(in), *d_out = device_buffer<float>(kElements);
    Verdict verdict;
    for (int stride : strides)
        for (int offset : offsets) {
            std::vector<float> want(kElements);
            for (int i = 0; i < kElements; ++i) want[i] = in[i * stride + offset];
            char name[48];
            std::snprintf(name, sizeof name, "stride %d offset %d", stride, offset);
            launch(name, [&] { gather<<<kBlocks, kThreads>>>(d_in, d_out, stride, offset); });
            verdict.equal(name, to_host(d_out, kElements), want);
        }
    return verdict.status();
}

static int structures() {
    constexpr float kNow = 100;
    std::vector<Particle> whole(kElements);
    std::vector<float> born(kElements), want(kElements);
    for (int i = 0; i < kElements; ++i) {
        whole[i].born = born[i] = i % 100;
        want[i] = kNow - born[i];
    }
    const Particle* d_whole = to_device(whole);
    Particles arrays = {};
    arrays.born = to_device(born);
    float* d_ages = device_buffer<float>(kElements);
    Verdict verdict;
    launch("structures", [&] { ages_of_structures<<<kBlocks, kThreads>>>(d_whole, d_ages, kNow); });
    verdict.equal("structures", to_host(d_ages, kElements), want);
    launch("arrays", [&] { ages_of_arrays<<<kBlocks, kThreads>>>(arrays, d_ages, kNow); });
    verdict.equal("arrays", to_host(d_ages, kElements), want);
    return verdict.status();
}

int main(int argc, char** argv) {
    const char* variant = argc > 1 ? argv[1] : "strides";
    if (is(variant, "strides")) return gathers({1, 2, 4, 8, 16, 32}, {0});
    if (is(variant, "offsets")) return gathers({1}, {1, 4, 8});
    if (is(variant, "structures")) return structures();
    if (is(variant, "stride") && argc > 2) return gathers({std::atoi(argv[2])}, {0});
    std::fprintf(stderr, "usage: %s [strides|offsets|structures|stride N]\n", argv[0]);
    return 1;
}
