// The fp32 rungs of the ladder up to cp.async as one program, for `tilescope run`: each multiplies one product with
// whole tiles and one with ragged edges, and is held to a float64 reference.
//
// usage: ladder_on_cpu      prints PASS or FAIL per rung, exit status 1 if one failed
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "tiles/kernels/f32_checked.cuh"
#include "tiles/kernels/f32_coalesced.cuh"
#include "tiles/kernels/f32_coarsened.cuh"
#include "tiles/kernels/f32_dynamic_tile.cuh"
#include "tiles/kernels/f32_naive.cuh"
#include "tiles/kernels/f32_pipeline.cuh"
#include "tiles/kernels/f32_register_tile.cuh"
#include "tiles/kernels/f32_shared_tile.cuh"
#include "tiles/kernels/f32_vectorised.cuh"

namespace {

using tiles::Product;

void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
}

struct Matrices {
    int64_t m, n, k;
    std::vector<float> a, b;
    float *device_a = nullptr, *device_b = nullptr, *device_c = nullptr;

    Matrices(int64_t rows, int64_t columns, int64_t depth) : m(rows), n(columns), k(depth) {
        for (int64_t i = 0; i < m * k; ++i) a.push_back(static_cast<float>((i * 37 + 11) % 101) / 50 - 1);
        for (int64_t i = 0; i < k * n; ++i) b.push_back(static_cast<float>((i * 53 + 29) % 103) / 51 - 1);
        check(cudaMalloc(&device_a, a.size() * sizeof(float)));
        check(cudaMalloc(&device_b, b.size() * sizeof(float)));
        check(cudaMalloc(&device_c, static_cast<size_t>(m * n) * sizeof(float)));
        check(cudaMemcpy(device_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice));
        check(cudaMemcpy(device_b, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice));
    }
    ~Matrices() { cudaFree(device_a), cudaFree(device_b), cudaFree(device_c); }

    Product<float> product(int tile_m, int tile_n) const {
        Product<float> p{};
        p.a = device_a, p.b = device_b, p.c = device_c;
        p.m = m, p.n = n, p.k = k;
        p.a_by_row = k, p.a_by_k = 1, p.b_by_k = n, p.b_by_column = 1, p.ldc = n;
        p.alpha = 1, p.beta = 0;
        p.tiles_m = static_cast<int>((m + tile_m - 1) / tile_m),
        p.tiles_n = static_cast<int>((n + tile_n - 1) / tile_n);
        p.raster = 1;
        return p;
    }

    bool right(const char* rung) const {
        check(cudaGetLastError());
        std::vector<float> c(static_cast<size_t>(m * n));
        check(cudaMemcpy(c.data(), device_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
        double error = 0, norm = 0;
        for (int64_t i = 0; i < m; ++i) {
            for (int64_t j = 0; j < n; ++j) {
                double sum = 0;
                for (int64_t p = 0; p < k; ++p)
                    sum += static_cast<double>(a[static_cast<size_t>(i * k + p)]) * b[static_cast<size_t>(p * n + j)];
                const double off = c[static_cast<size_t>(i * n + j)] - sum;
                error += off * off, norm += sum * sum;
            }
        }
        const bool passed = std::sqrt(error) <= 1e-5 * std::sqrt(norm);
        std::printf("%s %s %lldx%lldx%lld\n", passed ? "PASS" : "FAIL", rung, static_cast<long long>(m),
                    static_cast<long long>(n), static_cast<long long>(k));
        return passed;
    }
};

template <typename Function>
bool run(const char* rung, const Matrices& matrices, Function kernel, dim3 threads, int tile_m, int tile_n,
         size_t shared = 0) {
    const std::vector<float> poison(static_cast<size_t>(matrices.m * matrices.n), NAN);
    check(cudaMemcpy(matrices.device_c, poison.data(), poison.size() * sizeof(float), cudaMemcpyHostToDevice));
    const Product<float> p = matrices.product(tile_m, tile_n);
    kernel<<<static_cast<unsigned>(p.tiles_m * p.tiles_n), threads, shared>>>(p);
    return matrices.right(rung);
}

// kFloatsB 4 where B's rows are aligned to 16 bytes. Two blocks share the tiles, so that a sum is cut and added up
// again.
template <int kFloatsB>
bool run_pipeline(const Matrices& matrices) {
    using Tile = tiles::F32Tile<2, 2, 2, 2, 8, 4, 3>;
    const std::vector<float> poison(static_cast<size_t>(matrices.m * matrices.n), NAN);
    check(cudaMemcpy(matrices.device_c, poison.data(), poison.size() * sizeof(float), cudaMemcpyHostToDevice));
    Product<float> p = matrices.product(Tile::kTileM, Tile::kTileN);
    tiles::StreamK plan;
    plan.tiles = p.tiles_m * p.tiles_n, plan.whole_tiles = 0, plan.one = 1;
    plan.iterations = static_cast<int>((matrices.k + Tile::kDepth - 1) / Tile::kDepth);
    plan.blocks = plan.sharers = 3;
    plan.deal_out();
    check(cudaMalloc(&p.partial, sizeof(float) * 2 * 3 * Tile::kTileM * Tile::kTileN));
    tiles::f32_pipeline<Tile, 1, true, kFloatsB, false><<<3, Tile::kThreads, Tile::kSharedBytes>>>(p, plan);
    constexpr int size = Tile::kTileM * Tile::kTileN;
    tiles::add_stream_k<float, Tile::kTileM, Tile::kTileN>
        <<<dim3(static_cast<unsigned>(plan.tiles), size / 1024), 256>>>(p, plan);
    const bool passed = matrices.right("f32_pipeline");
    check(cudaFree(p.partial));
    return passed;
}

bool run_all(const Matrices& x) {
    bool passed = true;
    passed &= run("f32_naive", x, tiles::f32_naive, dim3(tiles::kNaiveRows, tiles::kNaiveColumns), tiles::kNaiveRows,
                  tiles::kNaiveColumns);
    passed &= run("f32_coalesced", x, tiles::f32_coalesced, dim3(tiles::kCoalescedColumns, tiles::kCoalescedRows),
                  tiles::kCoalescedRows, tiles::kCoalescedColumns);
    const bool whole = x.m % tiles::kSharedTile == 0 && x.n % tiles::kSharedTile == 0 && x.k % tiles::kSharedTile == 0;
    if (whole) passed &= run("f32_shared_tile", x, tiles::f32_shared_tile, dim3(32, 32), 32, 32);
    passed &= run("f32_checked", x, tiles::checked_tile<float>, dim3(32, 32), 32, 32);
    passed &= run("f32_dynamic_tile", x, tiles::f32_dynamic_tile, dim3(16, 16), 16, 16, 2 * 16 * 16 * sizeof(float));
    passed &=
        run("f32_coarsened", x, tiles::f32_coarsened, dim3(tiles::kCoarseTile, tiles::kCoarseTile / tiles::kCoarseRows),
            tiles::kCoarseTile, tiles::kCoarseTile);
    passed &= run("f32_register_tile", x, tiles::f32_register_tile, dim3(tiles::kRegisterThreads), tiles::kRegisterTile,
                  tiles::kRegisterTile);
    passed &= run("f32_vectorised", x, tiles::f32_vectorised<true, false>, dim3(tiles::VectorTile::kThreads),
                  tiles::VectorTile::kTileM, tiles::VectorTile::kTileN);
    passed &= x.n % 4 == 0 ? run_pipeline<4>(x) : run_pipeline<1>(x);
    return passed;
}

}  // namespace

int main() {
    const Matrices whole(128, 256, 64), ragged(67, 131, 45);
    const bool passed = run_all(whole) & run_all(ragged);
    return passed ? 0 : 1;
}
