// mma.h: how many elements the fragments have, and of what size, and what is done with them outside of the
// instructions, which are refused. The same through every compiler.
#include "digests.cuh"
//
#include <cuda_bf16.h>
#include <mma.h>

using namespace nvcuda::wmma;

template <class Use, int M, int N, int K, class T, class Layout>
__device__ void add(unsigned long long& sum) {
    fragment<Use, M, N, K, T, Layout> f;
    sum = sum * 31 + f.num_elements * 1000 + sizeof(f.x) * 10 + sizeof(f.x[0]);
}
template <int M, int N, int K, class T>
__device__ void factors(unsigned long long& sum) {
    add<matrix_a, M, N, K, T, row_major>(sum);
    add<matrix_b, M, N, K, T, col_major>(sum);
}
template <class T>
__device__ unsigned long long factors() {
    unsigned long long sum = 0;
    factors<16, 16, 16, T>(sum);
    factors<32, 8, 16, T>(sum);
    factors<8, 32, 16, T>(sum);
    return sum;
}
template <class T>
__device__ unsigned long long sums_of() {
    unsigned long long sum = 0;
    add<accumulator, 16, 16, 16, T, void>(sum);
    add<accumulator, 32, 8, 16, T, void>(sum);
    add<accumulator, 8, 32, 16, T, void>(sum);
    return sum;
}

const char* const names[] = {"half",       "bfloat16", "signed",      "unsigned", "half_sums",
                             "float_sums", "int_sums", "tf32_double", "filled",   "to_tf32"};

__global__ void kernel(unsigned long long* out) {
    out[0] = factors<__half>();
    out[1] = factors<__nv_bfloat16>();
    out[2] = factors<signed char>();
    out[3] = factors<unsigned char>();
    out[4] = sums_of<__half>();
    out[5] = sums_of<float>();
    out[6] = sums_of<int>();
    out[7] = 0;
    factors<16, 16, 8, precision::tf32>(out[7]);
    factors<8, 8, 4, double>(out[7]);
    add<accumulator, 16, 16, 8, float, void>(out[7]);
    add<accumulator, 8, 8, 4, double, void>(out[7]);
    fragment<matrix_a, 16, 16, 16, __half, row_major> halves;
    fragment<accumulator, 16, 16, 16, float> floats;
    fill_fragment(halves, __float2half(0.75f));
    fill_fragment(floats, 1.5f);
    out[8] = static_cast<unsigned long long>(1000 * __half2float(halves.x[15]) + floats.x[7] * 2);
    out[9] = 0;
    for (unsigned i = 0; i < 2000; ++i) {
        const float x = __uint_as_float(mixed(i) & 0xbfffffffu);  // every one a number
        out[9] += digest(i, __float_as_uint(__float_to_tf32(x)));
    }
}

int main() {
    unsigned long long* sums;
    cudaMallocManaged(&sums, sizeof(*sums) * std::size(names));
    kernel<<<1, 1>>>(sums);
    if (cudaDeviceSynchronize() != cudaSuccess) printf("FAILED\n");
    for (std::size_t k = 0; k < std::size(names); ++k) print_digest("fragments", "device", names[k], sums[k]);
}
