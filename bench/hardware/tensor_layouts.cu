// Which elements of a matrix the lanes of wmma's fragments hold.
//
// usage: tensor_layouts     a line for each fragment: its name, then row.column of each element of each lane
#include <cstdio>
#include <type_traits>
#include <vector>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

namespace {

using namespace nvcuda;

template <class T>
__device__ T number(int value) {
    if constexpr (std::is_same_v<T, __half>)
        return __float2half(static_cast<float>(value));
    else if constexpr (std::is_same_v<T, __nv_bfloat16>)
        return __float2bfloat16(static_cast<float>(value));
    else
        return static_cast<T>(value);
}

template <class T>
__device__ int whole(T value) {
    if constexpr (std::is_same_v<T, __half>)
        return static_cast<int>(__half2float(value));
    else if constexpr (std::is_same_v<T, __nv_bfloat16>)
        return static_cast<int>(__bfloat162float(value));
    else
        return static_cast<int>(value);
}

constexpr int kStride = 32, kMost = 32;

template <class Use, int M, int N, int K, class Word, class T, class Layout>
__global__ void show(int* out, int rows, int columns, bool is_row_major) {
    __shared__ alignas(32) T matrix[kMost * kStride];
    for (int pass = 0; pass < 2; ++pass) {
        if (threadIdx.x == 0)
            for (int r = 0; r < rows; ++r)
                for (int c = 0; c < columns; ++c)
                    matrix[is_row_major ? r * kStride + c : c * kStride + r] = number<T>(pass == 0 ? r : c);
        __syncwarp();
        wmma::fragment<Use, M, N, K, Word, Layout> fragment;
        if constexpr (std::is_same_v<Use, wmma::accumulator>)
            wmma::load_matrix_sync(fragment, matrix, kStride, is_row_major ? wmma::mem_row_major : wmma::mem_col_major);
        else
            wmma::load_matrix_sync(fragment, matrix, kStride);
        __syncwarp();
        for (int i = 0; i < fragment.num_elements; ++i) out[(threadIdx.x * 32 + i) * 2 + pass] = whole(fragment.x[i]);
        if (threadIdx.x == 0) out[32 * 32 * 2] = fragment.num_elements;
    }
}

template <class Use, int M, int N, int K, class Word, class T, class Layout>
void print(const char* name, int rows, int columns, bool is_row_major) {
    int* out = nullptr;
    cudaMallocManaged(&out, (32 * 32 * 2 + 1) * sizeof(int));
    show<Use, M, N, K, Word, T, Layout><<<1, 32>>>(out, rows, columns, is_row_major);
    if (const auto e = cudaDeviceSynchronize()) std::printf("%s: %s\n", name, cudaGetErrorString(e));
    std::printf("%s m%dn%dk%d %s:", name, M, N, K, is_row_major ? "row" : "col");
    for (int lane = 0; lane < 32; ++lane) {
        std::printf(" |");
        for (int i = 0; i < out[32 * 32 * 2]; ++i)
            std::printf(" %d.%d", out[(lane * 32 + i) * 2], out[(lane * 32 + i) * 2 + 1]);
    }
    std::printf("\n");
    cudaFree(out);
}

template <int M, int N, int K, class Word, class T, class Sum>
void all(const char* type, const char* sum) {
    char name[64];
    const auto named = [&](const char* matrix, const char* of) {
        std::snprintf(name, sizeof name, "%s %s", matrix, of);
        return name;
    };
    print<wmma::matrix_a, M, N, K, Word, T, wmma::row_major>(named("a", type), M, K, true);
    print<wmma::matrix_a, M, N, K, Word, T, wmma::col_major>(named("a", type), M, K, false);
    print<wmma::matrix_b, M, N, K, Word, T, wmma::row_major>(named("b", type), K, N, true);
    print<wmma::matrix_b, M, N, K, Word, T, wmma::col_major>(named("b", type), K, N, false);
    print<wmma::accumulator, M, N, K, Sum, Sum, void>(named("c", sum), M, N, true);
    print<wmma::accumulator, M, N, K, Sum, Sum, void>(named("c", sum), M, N, false);
}

}  // namespace

int main() {
    all<16, 16, 16, __half, __half, float>("f16", "f32");
    all<32, 8, 16, __half, __half, float>("f16", "f32");
    all<8, 32, 16, __half, __half, float>("f16", "f32");
    all<16, 16, 16, __half, __half, __half>("f16", "f16");
    all<32, 8, 16, __half, __half, __half>("f16", "f16");
    all<8, 32, 16, __half, __half, __half>("f16", "f16");
    all<16, 16, 16, __nv_bfloat16, __nv_bfloat16, float>("bf16", "f32");
    all<32, 8, 16, __nv_bfloat16, __nv_bfloat16, float>("bf16", "f32");
    all<8, 32, 16, __nv_bfloat16, __nv_bfloat16, float>("bf16", "f32");
    all<16, 16, 16, signed char, signed char, int>("s8", "s32");
    all<32, 8, 16, signed char, signed char, int>("s8", "s32");
    all<8, 32, 16, signed char, signed char, int>("s8", "s32");
    all<16, 16, 8, wmma::precision::tf32, float, float>("tf32", "f32");
    all<8, 8, 4, double, double, double>("f64", "f64");
    return 0;
}
