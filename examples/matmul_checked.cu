// The tiled product for any width, also one that is no multiple of the tile.
//
// The last tiles then reach beyond the matrices, and three different things need a check of their own: loading M,
// loading N and storing P. They are not the same threads. A thread with no element of P to store still loads elements
// of M or N that others need, and a thread that owns an element of P may have nothing to load in some phase. Reading
// beyond a row's end would silently give the next row's element; beyond the array, garbage or a fault.
#include "check.h"

constexpr int kTile = 16;

__global__ void tiled_checked(const float* M, const float* N, float* P, int width) {
    __shared__ float Mds[kTile][kTile];
    __shared__ float Nds[kTile][kTile];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * kTile + ty;
    int col = blockIdx.x * kTile + tx;
    float sum = 0;
    int phases = (width + kTile - 1) / kTile;  // rounded up: the last phase may be a partial one
    for (int phase = 0; phase < phases; ++phase) {
        int m_col = phase * kTile + tx;
        int n_row = phase * kTile + ty;
        // A zero adds nothing to the dot product, so what is missing is filled with zeros and the loop below needs no
        // checks. The barriers stand outside every condition: all threads of the block must reach them.
        Mds[ty][tx] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;
        Nds[ty][tx] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < kTile; ++k) sum += Mds[ty][k] * Nds[k][tx];
        __syncthreads();
    }
    if (row < width && col < width) P[row * width + col] = sum;
}

static std::vector<float> on_host(const std::vector<float>& M, const std::vector<float>& N, int width) {
    std::vector<float> P(static_cast<std::size_t>(width) * width);
    for (int row = 0; row < width; ++row)
        for (int k = 0; k < width; ++k)
            for (int col = 0; col < width; ++col) P[row * width + col] += M[row * width + k] * N[k * width + col];
    return P;
}

int main() {
    Verdict verdict;
    // Smaller than a tile, one less and one more than whole tiles, whole tiles, and an odd one.
    for (int width : {5, 63, 64, 65, 250}) {
        const std::size_t elements = static_cast<std::size_t>(width) * width;
        const std::vector<float> M = eighths(elements, 3), N = eighths(elements, 4);
        float* d_M = to_device(M);
        float* d_N = to_device(N);
        float* d_P = device_buffer<float>(elements);

        const int tiles = (width + kTile - 1) / kTile;
        tiled_checked<<<dim3(tiles, tiles), dim3(kTile, kTile)>>>(d_M, d_N, d_P, width);
        finish_launch();

        char what[64];
        std::snprintf(what, sizeof what, "width %d", width);
        verdict.equal(what, to_host(d_P, elements), on_host(M, N, width));
        CHECK(cudaFree(d_M));
        CHECK(cudaFree(d_N));
        CHECK(cudaFree(d_P));
    }
    return verdict.status();
}
