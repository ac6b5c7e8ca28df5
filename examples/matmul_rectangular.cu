// A tiled product of rectangles: M is j × k, N is k × l, so P is j × l. Row-major.
//
// Against the square case only the bounds change: rows of M and P end at j, columns of N and P at l, and the inner
// dimension k bounds both loads and the number of phases.
#include "check.h"

constexpr int kTile = 16;

__global__ void tiled_rectangular(const float* M, const float* N, float* P, int j, int k, int l) {
    __shared__ float Mds[kTile][kTile];
    __shared__ float Nds[kTile][kTile];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * kTile + ty;
    int col = blockIdx.x * kTile + tx;
    float sum = 0;
    for (int first = 0; first < k; first += kTile) {
        int m_col = first + tx;
        int n_row = first + ty;
        Mds[ty][tx] = row < j && m_col < k ? M[row * k + m_col] : 0.0f;
        Nds[ty][tx] = n_row < k && col < l ? N[n_row * l + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < kTile; ++i) sum += Mds[ty][i] * Nds[i][tx];
        __syncthreads();
    }
    if (row < j && col < l) P[row * l + col] = sum;
}

struct Shape {
    int j, k, l;
};

static std::vector<float> on_host(const std::vector<float>& M, const std::vector<float>& N, Shape s) {
    std::vector<float> P(static_cast<std::size_t>(s.j) * s.l);
    for (int row = 0; row < s.j; ++row)
        for (int i = 0; i < s.k; ++i)
            for (int col = 0; col < s.l; ++col) P[row * s.l + col] += M[row * s.k + i] * N[i * s.l + col];
    return P;
}

int main() {
    Verdict verdict;
    // Wide times tall, tall times wide, a dot product, an outer product, and nothing that divides by 16.
    for (Shape s :
         {Shape{48, 320, 64}, Shape{320, 48, 160}, Shape{1, 1000, 1}, Shape{200, 1, 100}, Shape{150, 70, 210}}) {
        const std::vector<float> M = eighths(static_cast<std::size_t>(s.j) * s.k, 5);
        const std::vector<float> N = eighths(static_cast<std::size_t>(s.k) * s.l, 6);
        const std::size_t results = static_cast<std::size_t>(s.j) * s.l;
        float* d_M = to_device(M);
        float* d_N = to_device(N);
        float* d_P = device_buffer<float>(results);

        // x runs along columns, so that neighbouring threads touch neighbouring addresses.
        const dim3 grid((s.l + kTile - 1) / kTile, (s.j + kTile - 1) / kTile);
        tiled_rectangular<<<grid, dim3(kTile, kTile)>>>(d_M, d_N, d_P, s.j, s.k, s.l);
        finish_launch();

        char what[64];
        std::snprintf(what, sizeof what, "(%d x %d) . (%d x %d)", s.j, s.k, s.k, s.l);
        verdict.equal(what, to_host(d_P, results), on_host(M, N, s));
        CHECK(cudaFree(d_M));
        CHECK(cudaFree(d_N));
        CHECK(cudaFree(d_P));
    }
    return verdict.status();
}
