// The tiled matrix product small enough to follow every access: 4 × 4 matrices in 2 × 2 tiles.
//
// Made for `tilescope trace`, which prints what each thread of a block loaded, stored and computed between barriers:
//
//     tilescope trace examples/phases.cu --shape M=4x4 --shape N=4x4 --shape P=4x4
//     tilescope trace examples/phases.cu --shape M=4x4 --shape N=4x4 --shape P=4x4 --kernel naive
//
// An argument sets the width. With 8 the naive kernel loads 16 elements from global memory per thread, tiled<2> 8 and
// tiled<4> 4; with 3, which no tile divides, some threads fill in zeros:
//
//     tilescope trace examples/phases.cu --kernel 'tiled<4>' -- 8
//     tilescope trace examples/phases.cu --kernel checked --shape M=3x3 --shape N=3x3 --shape P=3x3 --block 1,1 -- 3
#include "check.h"

template <int kTile>
__global__ void tiled(const float* M, const float* N, float* P, int width) {
    __shared__ float Mds[kTile][kTile];
    __shared__ float Nds[kTile][kTile];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * kTile + ty;
    int col = blockIdx.x * kTile + tx;
    float sum = 0;
    for (int phase = 0; phase < width / kTile; ++phase) {
        Mds[ty][tx] = M[row * width + phase * kTile + tx];
        Nds[ty][tx] = N[(phase * kTile + ty) * width + col];
        __syncthreads();
        for (int k = 0; k < kTile; ++k) sum += Mds[ty][k] * Nds[k][tx];
        __syncthreads();
    }
    P[row * width + col] = sum;
}

__global__ void naive(const float* M, const float* N, float* P, int width) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < width; ++k) sum += M[row * width + k] * N[k * width + col];
    P[row * width + col] = sum;
}

// For any width: what lies beyond the matrices is replaced by zeros.
__global__ void checked(const float* M, const float* N, float* P, int width) {
    constexpr int kSide = 2;
    __shared__ float Mds[kSide][kSide];
    __shared__ float Nds[kSide][kSide];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * kSide + ty;
    int col = blockIdx.x * kSide + tx;
    float sum = 0;
    for (int phase = 0; phase < (width + kSide - 1) / kSide; ++phase) {
        int m_col = phase * kSide + tx;
        int n_row = phase * kSide + ty;
        Mds[ty][tx] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;
        Nds[ty][tx] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < kSide; ++k) sum += Mds[ty][k] * Nds[k][tx];
        __syncthreads();
    }
    if (row < width && col < width) P[row * width + col] = sum;
}

int main(int argc, char** argv) {
    const int width = argc > 1 ? std::atoi(argv[1]) : 4;
    if (width < 1 || width > 1024) {
        std::fprintf(stderr, "usage: phases [WIDTH]: 1 to 1024, or 4 when it is left out\n");
        return 2;
    }
    const std::size_t elements = static_cast<std::size_t>(width) * width;
    const std::vector<float> M = eighths(elements, 1), N = eighths(elements, 2);
    std::vector<float> want(elements);
    for (int row = 0; row < width; ++row)
        for (int k = 0; k < width; ++k)
            for (int col = 0; col < width; ++col) want[row * width + col] += M[row * width + k] * N[k * width + col];

    float* d_M = to_device(M);
    float* d_N = to_device(N);
    float* d_P = device_buffer<float>(elements);
    Verdict verdict;
    auto check = [&](const char* what) {
        finish_launch();
        verdict.equal(what, to_host(d_P, elements), want);
        CHECK(cudaMemset(d_P, 0, elements * sizeof(float)));
    };

    if (width % 2 == 0) {
        const dim3 side(width / 2, width / 2);
        tiled<2><<<side, dim3(2, 2)>>>(d_M, d_N, d_P, width);
        check("tiled<2>");
        naive<<<side, dim3(2, 2)>>>(d_M, d_N, d_P, width);
        check("naive");
    }
    if (width % 4 == 0) {
        tiled<4><<<dim3(width / 4, width / 4), dim3(4, 4)>>>(d_M, d_N, d_P, width);
        check("tiled<4>");
    }
    checked<<<dim3((width + 1) / 2, (width + 1) / 2), dim3(2, 2)>>>(d_M, d_N, d_P, width);
    check("checked");

    CHECK(cudaFree(d_M));
    CHECK(cudaFree(d_N));
    CHECK(cudaFree(d_P));
    return verdict.status();
}
