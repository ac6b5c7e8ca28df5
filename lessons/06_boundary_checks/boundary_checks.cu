// A tiled product of a width that no tile divides, and what happens when one of its checks is missing.
//
//   boundary_checks right [WIDTH]     all checks are there: 6 × 6 matrices in 4 × 4 tiles if no width is said
//   boundary_checks no_m  [WIDTH]     elements of M are loaded unchecked
//   boundary_checks no_n  [WIDTH]     elements of N are loaded unchecked
//   boundary_checks no_p  [WIDTH]     elements of P are stored unchecked
//   boundary_checks rows  [WIDTH]     only the row is checked where P is stored
//   boundary_checks early [WIDTH]     threads without an element of P leave at once
//   boundary_checks fewer [WIDTH]     the number of phases is rounded down
//   boundary_checks alike [WIDTH]     both loads have the check of the store
//
// Build it alone: nvcc -std=c++17 boundary_checks.cu
#include "../lesson.h"

constexpr int kTile = 4;

// What is checked; on by one, so that a reader can take each away.
struct Checks {
    bool m, n, p_row, p_col, stay, round_up, own;
};

__global__ void product(const float* M, const float* N, float* P, int width, Checks checks) {
    __shared__ float Mds[kTile][kTile];
    __shared__ float Nds[kTile][kTile];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * kTile + ty;
    int col = blockIdx.x * kTile + tx;
    if (!checks.stay && (row >= width || col >= width)) return;  // wrong: others wait for what this thread would load
    float sum = 0;
    int phases = (checks.round_up ? width + kTile - 1 : width) / kTile;
    for (int ph = 0; ph < phases; ++ph) {
        int m_col = ph * kTile + tx, n_row = ph * kTile + ty;
        float m = 0, n = 0;  // what is missing counts as zero, and adds nothing to a sum
        if (!checks.m || (row < width && m_col < width)) m = M[row * width + m_col];  // [load M]
        if (!checks.n || (n_row < width && col < width)) n = N[n_row * width + col];  // [load N]
        if (!checks.own) {  // wrong: what a thread loads is not the element that it owns
            m = row < width && col < width ? M[row * width + m_col] : 0;  // [alike M]
            n = row < width && col < width ? N[n_row * width + col] : 0;  // [alike N]
        }
        Mds[ty][tx] = m;
        Nds[ty][tx] = n;
        __syncthreads();  // [wait]
        for (int k = 0; k < kTile; ++k) sum += Mds[ty][k] * Nds[k][tx];
        __syncthreads();
    }
    if ((!checks.p_row || row < width) && (!checks.p_col || col < width)) P[row * width + col] = sum;  // [store P]
}

int main(int argc, char** argv) {
    const char* variant = argc > 1 ? argv[1] : "right";
    const int width = argc > 2 ? std::atoi(argv[2]) : 6;
    Checks checks = {true, true, true, true, true, true, true};
    if (is(variant, "no_m"))
        checks.m = false;
    else if (is(variant, "no_n"))
        checks.n = false;
    else if (is(variant, "no_p"))
        checks.p_row = checks.p_col = false;
    else if (is(variant, "rows"))
        checks.p_col = false;
    else if (is(variant, "early"))
        checks.stay = false;
    else if (is(variant, "fewer"))
        checks.round_up = false;
    else if (is(variant, "alike"))
        checks.own = false;
    if (width < 1 || width > 256) {
        std::fprintf(stderr, "usage: %s [right|no_m|no_n|no_p|rows|early|fewer|alike [WIDTH]], 1 to 256\n", argv[0]);
        return 1;
    }
    const std::size_t elements = static_cast<std::size_t>(width) * width;
    const std::vector<float> M = eighths(elements, 1), N = eighths(elements, 2);
    std::vector<float> want(elements);
    for (int row = 0; row < width; ++row)
        for (int k = 0; k < width; ++k)
            for (int col = 0; col < width; ++col) want[row * width + col] += M[row * width + k] * N[k * width + col];

    float *d_M = to_device(M), *d_N = to_device(N), *d_P = device_buffer<float>(elements);
    const unsigned tiles = (width + kTile - 1) / kTile;
    launch(variant, [&] { product<<<dim3(tiles, tiles), dim3(kTile, kTile)>>>(d_M, d_N, d_P, width, checks); });
    const std::vector<float> got = to_host(d_P, elements);
    int wrong = 0;
    for (std::size_t i = 0; i < elements; ++i) wrong += got[i] != want[i];
    figure("wrong elements", wrong);
    Verdict verdict;
    verdict.equal(variant, got, want);
    for (float* buffer : {d_M, d_N, d_P}) CHECK(cudaFree(buffer));
    return verdict.status();
}
