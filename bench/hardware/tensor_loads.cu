// What the counters say of loads and stores of matrices: each launch is one warp, or a few, with one pattern.
//
// usage: tensor_loads      under a profiler; prints nothing
#include <cstdint>

#include <cuda_fp16.h>
#include <mma.h>

namespace {

using namespace nvcuda;

// Rows of 16 bytes, `stride` bytes apart, turned by (row * swizzle) % 8 chunks.
template <int kMatrices, bool kTransposed>
__global__ void ldmatrix(unsigned* out, int stride, int swizzle) {
    __shared__ alignas(128) char bytes[32 * 512];
    for (int i = threadIdx.x; i < 32 * 128; i += blockDim.x) reinterpret_cast<int*>(bytes)[i] = i;
    __syncthreads();
    const int row = threadIdx.x % (8 * kMatrices);
    const auto at = static_cast<unsigned>(__cvta_generic_to_shared(bytes)) +
                    static_cast<unsigned>(row * stride + row * swizzle % 8 * 16);
    unsigned r[4] = {};
    if constexpr (kMatrices == 1 && !kTransposed)
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(at));
    if constexpr (kMatrices == 2 && !kTransposed)
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(at));
    if constexpr (kMatrices == 4 && !kTransposed)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(at));
    if constexpr (kMatrices == 4 && kTransposed)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(at));
    out[blockIdx.x * blockDim.x + threadIdx.x] = r[0] ^ r[1] ^ r[2] ^ r[3];
}

template <int kMatrices, bool kTransposed>
__global__ void stmatrix(unsigned* out, int stride, int swizzle) {
    __shared__ alignas(128) char bytes[32 * 512];
    const int row = threadIdx.x % (8 * kMatrices);
    const auto at = static_cast<unsigned>(__cvta_generic_to_shared(bytes)) +
                    static_cast<unsigned>(row * stride + row * swizzle % 8 * 16);
    const unsigned v = threadIdx.x;
    if constexpr (kMatrices == 1)
        asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(at), "r"(v) : "memory");
    if constexpr (kMatrices == 2)
        asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1,%1};" ::"r"(at), "r"(v) : "memory");
    if constexpr (kMatrices == 4 && !kTransposed)
        asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%1,%1,%1};" ::"r"(at), "r"(v) : "memory");
    if constexpr (kMatrices == 4 && kTransposed)
        asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1,%1,%1,%1};" ::"r"(at), "r"(v)
                     : "memory");
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = reinterpret_cast<unsigned*>(bytes)[threadIdx.x];
}

template <class Use, class Layout>
__global__ void wmma_shared(float* out, int stride) {
    __shared__ alignas(128) __half bytes[16 * 128];
    for (int i = threadIdx.x; i < 16 * 128; i += blockDim.x) bytes[i] = __float2half(1);
    __syncthreads();
    wmma::fragment<Use, 16, 16, 16, __half, Layout> f;
    wmma::load_matrix_sync(f, bytes, stride);
    float sum = 0;
    for (int i = 0; i < f.num_elements; ++i) sum += __half2float(f.x[i]);
    out[threadIdx.x] = sum;
}

template <class Use, class Layout>
__global__ void wmma_global(float* out, const __half* in, int stride) {
    wmma::fragment<Use, 16, 16, 16, __half, Layout> f;
    wmma::load_matrix_sync(f, in, stride);
    float sum = 0;
    for (int i = 0; i < f.num_elements; ++i) sum += __half2float(f.x[i]);
    out[threadIdx.x] = sum;
}

template <class T>
__global__ void wmma_sums(T* out, const T* in, int stride, bool is_row_major) {
    wmma::fragment<wmma::accumulator, 16, 16, 16, T> f;
    const auto layout = is_row_major ? wmma::mem_row_major : wmma::mem_col_major;
    wmma::load_matrix_sync(f, in, stride, layout);
    wmma::store_matrix_sync(out, f, stride, layout);
}

__global__ void product(float* out, const __half* a, const __half* b, int steps) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.f);
    for (int i = 0; i < steps; ++i) {
        wmma::load_matrix_sync(fa, a + i * 16, steps * 16);
        wmma::load_matrix_sync(fb, b + i * 16, steps * 16);
        wmma::mma_sync(fc, fa, fb, fc);
    }
    wmma::store_matrix_sync(out, fc, 16, wmma::mem_row_major);
}

}  // namespace

int main() {
    unsigned* out = nullptr;
    float* floats = nullptr;
    __half* halves = nullptr;
    cudaMalloc(&out, 1 << 20);
    cudaMalloc(&floats, 1 << 20);
    cudaMalloc(&halves, 1 << 20);
    cudaMemset(halves, 0, 1 << 20);
    for (const int stride : {16, 32, 48, 64, 80, 128, 144, 256}) {
        ldmatrix<1, false><<<1, 32>>>(out, stride, 0);
        ldmatrix<2, false><<<1, 32>>>(out, stride, 0);
        ldmatrix<4, false><<<1, 32>>>(out, stride, 0);
        ldmatrix<4, true><<<1, 32>>>(out, stride, 0);
        stmatrix<1, false><<<1, 32>>>(out, stride, 0);
        stmatrix<2, false><<<1, 32>>>(out, stride, 0);
        stmatrix<4, false><<<1, 32>>>(out, stride, 0);
        stmatrix<4, true><<<1, 32>>>(out, stride, 0);
    }
    ldmatrix<4, false><<<1, 32>>>(out, 0, 0);
    ldmatrix<4, false><<<1, 32>>>(out, 0, 1);
    ldmatrix<4, false><<<1, 32>>>(out, 128, 1);
    stmatrix<4, false><<<1, 32>>>(out, 128, 1);
    for (const int stride : {16, 24, 32, 64, 72}) {
        wmma_shared<wmma::matrix_a, wmma::row_major><<<1, 32>>>(floats, stride);
        wmma_shared<wmma::matrix_a, wmma::col_major><<<1, 32>>>(floats, stride);
        wmma_shared<wmma::matrix_b, wmma::row_major><<<1, 32>>>(floats, stride);
        wmma_shared<wmma::matrix_b, wmma::col_major><<<1, 32>>>(floats, stride);
        wmma_global<wmma::matrix_a, wmma::row_major><<<1, 32>>>(floats, halves, stride);
        wmma_global<wmma::matrix_a, wmma::col_major><<<1, 32>>>(floats, halves, stride);
        wmma_global<wmma::matrix_b, wmma::row_major><<<1, 32>>>(floats, halves, stride);
        wmma_global<wmma::matrix_b, wmma::col_major><<<1, 32>>>(floats, halves, stride);
        wmma_sums<float><<<1, 32>>>(floats + 4096, floats, stride, true);
        wmma_sums<float><<<1, 32>>>(floats + 4096, floats, stride, false);
        wmma_sums<__half><<<1, 32>>>(halves + 65536, halves, stride, true);
        wmma_sums<__half><<<1, 32>>>(halves + 65536, halves, stride, false);
    }
    product<<<1, 32>>>(floats, halves, halves, 8);
    return cudaDeviceSynchronize() != cudaSuccess;
}
