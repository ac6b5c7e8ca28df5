// The launches of the ladder's first eight rungs, and their rows.
#include "tiles/kernels/f32_checked.cuh"
#include "tiles/kernels/f32_coalesced.cuh"
#include "tiles/kernels/f32_coarsened.cuh"
#include "tiles/kernels/f32_dynamic_tile.cuh"
#include "tiles/kernels/f32_naive.cuh"
#include "tiles/kernels/f32_register_tile.cuh"
#include "tiles/kernels/f32_shared_tile.cuh"
#include "tiles/kernels/f32_vectorised.cuh"
#include "tiles/src/product.h"
#include "tiles/src/rows_simt.h"
#include "tiles/tuning/sm70.h"

namespace tiles {
namespace {

// The tiles that the cost model reckons with are the kernels'.
static_assert(sm70::kF32Naive.tile_m == kNaiveRows && sm70::kF32Naive.tile_n == kNaiveColumns);
static_assert(sm70::kF32Coalesced.tile_m == kCoalescedRows && sm70::kF32Coalesced.tile_n == kCoalescedColumns);
static_assert(sm70::kF32SharedTile.tile_m == kSharedTile && sm70::kF32Checked.tile_m == kCheckedTile);
static_assert(sm70::kF32Coarsened.tile_m == kCoarseTile && sm70::kF32Coarsened.tile_k == kCoarseDepth);
static_assert(sm70::kF32RegisterTile.tile_m == kRegisterTile && sm70::kF32RegisterTile.tile_k == kRegisterDepth);
static_assert(has_tile<VectorTile>(sm70::kF32Vectorised));

template <int kTileM, int kTileN>
bool supports(const GemmProblem& p, const DeviceProperties&) {
    return grid_fits(p, kTileM, kTileN);
}

template <int kTileM, int kTileN, typename Function>
Status run(Function kernel, const char* name, dim3 threads, const GemmProblem& p, size_t shared = 0, int tile = 0) {
    const Product<float> product = make_product<float>(p, {}, tile ? tile : kTileM, tile ? tile : kTileN, 1);
    const int64_t blocks = static_cast<int64_t>(product.tiles_m) * product.tiles_n * p.batch;
    kernel<<<static_cast<unsigned>(blocks), threads, shared, p.stream>>>(product);
    return launched(name);
}

Status naive(const GemmProblem& p, const Tuning&, const DeviceProperties&) {
    return run<kNaiveRows, kNaiveColumns>(preloaded<f32_naive>(), "f32_naive", dim3(kNaiveRows, kNaiveColumns), p);
}

Status coalesced(const GemmProblem& p, const Tuning&, const DeviceProperties&) {
    return run<kCoalescedRows, kCoalescedColumns>(preloaded<f32_coalesced>(), "f32_coalesced",
                                                  dim3(kCoalescedColumns, kCoalescedRows), p);
}

Status shared_tile(const GemmProblem& p, const Tuning& tuning, const DeviceProperties& device) {
    const bool whole = p.m % kSharedTile == 0 && p.n % kSharedTile == 0 && p.k % kSharedTile == 0;
    if (!whole) return coalesced(p, tuning, device);
    return run<kSharedTile, kSharedTile>(preloaded<f32_shared_tile>(), "f32_shared_tile",
                                         dim3(kSharedTile, kSharedTile), p);
}

Status checked(const GemmProblem& p, const Tuning&, const DeviceProperties&) {
    return run<kCheckedTile, kCheckedTile>(preloaded<checked_tile<float>>(), "f32_checked",
                                           dim3(kCheckedTile, kCheckedTile), p);
}

// As wide as a block of 1024 threads and half of an SM's shared memory allow.
int dynamic_width(const DeviceProperties& device) {
    int width = 32;
    while (width > 8 && 2 * width * width * static_cast<int>(sizeof(float)) > device.shared_per_sm / 2) width /= 2;
    return width;
}

Status dynamic_tile(const GemmProblem& p, const Tuning&, const DeviceProperties& device) {
    const int width = dynamic_width(device);
    const size_t shared = 2 * sizeof(float) * static_cast<size_t>(width * width);
    const dim3 threads(static_cast<unsigned>(width), static_cast<unsigned>(width));
    return run<8, 8>(preloaded<f32_dynamic_tile>(), "f32_dynamic_tile", threads, p, shared, width);
}

Status coarsened(const GemmProblem& p, const Tuning&, const DeviceProperties&) {
    const dim3 threads(kCoarseTile, kCoarseTile / kCoarseRows);
    return run<kCoarseTile, kCoarseTile>(preloaded<f32_coarsened>(), "f32_coarsened", threads, p);
}

Status register_tile(const GemmProblem& p, const Tuning&, const DeviceProperties&) {
    return run<kRegisterTile, kRegisterTile>(preloaded<f32_register_tile>(), "f32_register_tile",
                                             dim3(kRegisterThreads), p);
}

Status vectorised(const GemmProblem& p, const Tuning&, const DeviceProperties&) {
    constexpr int kM = VectorTile::kTileM, kN = VectorTile::kTileN;
    using Function = void (*)(Product<float>);
    const Function kernels[2][2] = {
        {preloaded<f32_vectorised<true, false>>(), preloaded<f32_vectorised<true, true>>()},
        {preloaded<f32_vectorised<false, false>>(), preloaded<f32_vectorised<false, true>>()}};
    return run<kM, kN>(kernels[p.transposed_a][p.transposed_b], "f32_vectorised", dim3(VectorTile::kThreads), p);
}

}  // namespace

const Kernel kF32Naive = {.name = "f32_naive",
                          .idea = "a thread per result; a warp's lanes lie a row apart",
                          .compute = Compute::kF32,
                          .min_capability = 70,
                          .figures = sm70::kF32Naive,
                          .supports = &supports<32, 8>,
                          .launch = &naive};
const Kernel kF32Coalesced = {.name = "f32_coalesced",
                              .idea = "coalesced: a warp's lanes are neighbours in memory",
                              .compute = Compute::kF32,
                              .min_capability = 70,
                              .figures = sm70::kF32Coalesced,
                              .supports = &supports<8, 32>,
                              .launch = &coalesced};
const Kernel kF32SharedTile = {.name = "f32_shared_tile",
                               .idea = "shared tile: what a block reads, it reads once",
                               .compute = Compute::kF32,
                               .min_capability = 70,
                               .figures = sm70::kF32SharedTile,
                               .supports = &supports<8, 32>,
                               .launch = &shared_tile};
const Kernel kF32Checked = {.name = "f32_checked",
                            .idea = "checked edges: zeros outside, any shape",
                            .compute = Compute::kF32,
                            .min_capability = 70,
                            .figures = sm70::kF32Checked,
                            .supports = &supports<32, 32>,
                            .launch = &checked};
const Kernel kF32DynamicTile = {.name = "f32_dynamic_tile",
                                .idea = "tile width at run time, in dynamic shared memory",
                                .compute = Compute::kF32,
                                .min_capability = 70,
                                .figures = sm70::kF32DynamicTile,
                                .supports = &supports<8, 8>,
                                .launch = &dynamic_tile};
const Kernel kF32Coarsened = {.name = "f32_coarsened",
                              .idea = "coarsened: eight results a thread share a factor",
                              .compute = Compute::kF32,
                              .min_capability = 70,
                              .figures = sm70::kF32Coarsened,
                              .supports = &supports<64, 64>,
                              .launch = &coarsened};
const Kernel kF32RegisterTile = {.name = "f32_register_tile",
                                 .idea = "register tile: 16 floats read feed 64 FMA",
                                 .compute = Compute::kF32,
                                 .min_capability = 70,
                                 .figures = sm70::kF32RegisterTile,
                                 .supports = &supports<128, 128>,
                                 .launch = &register_tile};
const Kernel kF32Vectorised = {.name = "f32_vectorised",
                               .idea = "float4 reads without bank conflicts, loads one tile ahead",
                               .compute = Compute::kF32,
                               .min_capability = 70,
                               .figures = sm70::kF32Vectorised,
                               .supports = &supports<128, 128>,
                               .launch = &vectorised};

}  // namespace tiles
