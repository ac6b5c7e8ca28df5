// Lines of which half is never asked for.
#include "pairs.h"

using namespace pairs;

// Records of 128 bytes whose first 64 are in use: sixteen lanes to each. The hot halves move together.
constexpr int kHot = 16;
__global__ void half_lines_records_before(const float* records, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n * kHot) return;
    float v = records[i / kHot * 2 * kHot + i % kHot];  // fault: half_lines_records
    for (int offset = kHot / 2; offset > 0; offset /= 2) v += __shfl_xor_sync(0xffffffff, v, offset);
    if (i % kHot == 0) out[i / kHot] = v;
}
__global__ void half_lines_records_after(const float* hot, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n * kHot) return;
    float v = hot[i];
    for (int offset = kHot / 2; offset > 0; offset /= 2) v += __shfl_xor_sync(0xffffffff, v, offset);
    if (i % kHot == 0) out[i / kHot] = v;
}
void records(Suite& suite) {
    const int n = scaled(15 << 15);
    Array<float> all(n * 2 * kHot, unit), out(n);
    Array<float> hot(n * kHot, [](int i) { return unit(i / kHot * 2 * kHot + i % kHot); });
    suite.pair(
        "half_lines_records", out, [&] { half_lines_records_before<<<blocks(n * kHot, 256), 256>>>(all, out, n); },
        [&] { half_lines_records_after<<<blocks(n * kHot, 256), 256>>>(hot, out, n); },
        [&](int i) {
            double sum = 0;
            for (int k = 0; k < kHot; ++k) sum += all.at(i * 2 * kHot + k);
            return sum;
        });
}

// Every second sector: particles of 64 bytes, of which position and radius are asked for, by two lanes each.
__global__ void half_lines_sectors_before(const float4* particles, float4* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 2 * n) return;
    float4 v = particles[i / 2 * 4 + i % 2];  // fault: half_lines_sectors
    out[i] = make_float4(v.w, v.z, v.y, v.x);
}
__global__ void half_lines_sectors_after(const float4* asked, float4* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 2 * n) return;
    float4 v = asked[i];
    out[i] = make_float4(v.w, v.z, v.y, v.x);
}
void sectors(Suite& suite) {
    const int n = scaled(5 << 17);
    Array<float> particles(16 * n, unit), asked(8 * n, [](int i) { return unit(i / 8 * 16 + i % 8); }), out(8 * n);
    suite.pair(
        "half_lines_sectors", out,
        [&] { half_lines_sectors_before<<<blocks(2 * n, 256), 256>>>(particles.as<float4>(), out.as<float4>(), n); },
        [&] { half_lines_sectors_after<<<blocks(2 * n, 256), 256>>>(asked.as<float4>(), out.as<float4>(), n); },
        [&](int i) { return asked.at(i / 4 * 4 + 3 - i % 4); });
}

int main(int argc, char** argv) {
    Suite suite(argc, argv);
    records(suite);
    sectors(suite);
    return suite.status();
}
