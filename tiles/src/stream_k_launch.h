// Launches a stream-K kernel: picks the way each operand is copied, plans who multiplies what, adds up the
// tiles that several blocks share.
//
// Owns: StreamKLaunch<Family>, the functions of a registry row. A Family names its element, Compute and Tile, its
// threads, its shared memory, the least compute capability, what was measured and the kernel for each way of copying.
// Tuning::split_k 1 keeps tiles whole; 2, or 0 if the workspace has room, shares the last waves out.
#pragma once

#include "tiles/kernels/stream_k.cuh"
#include "tiles/src/allow_shared.h"
#include "tiles/src/kernel.h"
#include "tiles/src/launch.h"
#include "tiles/src/product.h"

namespace tiles {

// Stream-K over `slots` blocks, or whole tiles only.
inline StreamK stream_k_plan(const GemmProblem& p, int tile_m, int tile_n, int tile_k, int slots, bool share) {
    StreamK plan;
    plan.tiles = parts_of(p.m, tile_m) * parts_of(p.n, tile_n) * p.batch;
    plan.iterations = static_cast<int>(parts_of(p.k, tile_k));
    plan.sharers = 1;
    plan.one = 1;
    const int64_t waves = plan.tiles / slots;
    if (!share || plan.tiles % slots == 0) {
        plan.whole_tiles = plan.tiles;
        plan.deal_out();
        plan.blocks = static_cast<int>(std::min<int64_t>(plan.tiles, slots));
        return plan;
    }
    constexpr int64_t kMinIterations = 8;  // iterations that are worth a block and its partial sums
    plan.whole_tiles = std::max<int64_t>(waves - 1, 0) * slots;
    const int64_t rest = plan.tiles - plan.whole_tiles;
    const int64_t sharers = std::max(std::min<int64_t>(rest, slots), rest * plan.iterations / kMinIterations);
    plan.sharers = static_cast<int>(std::min<int64_t>(sharers, slots));
    plan.deal_out();
    plan.blocks = plan.whole_tiles > 0 ? slots : plan.sharers;
    return plan;
}

// Adds up what several blocks have of one tile. The blocks may be launched while the product's last ones still run.
template <typename T, typename Tile>
Status add_shared_tiles(const Product<T>& product, const StreamK& plan, bool early, cudaStream_t stream) {
    const int64_t rest = plan.tiles - plan.whole_tiles;
    if (rest == 0 || rest == plan.sharers) return {};  // every tile has one block
    constexpr unsigned size = Tile::kTileM * Tile::kTileN;
    const auto cut = static_cast<unsigned>(rest);
    if (plan.sharers / rest >= 16) {
        return launch_kernel(preloaded<add_many_parts<T, Tile::kTileM, Tile::kTileN>>(),
                             {dim3(cut, size / kAddedTogether), 32 * kAddingWarps, 0, stream, early}, product, plan);
    }
    // A block works out where its tile's parts lie, which is worth two stretches of 1024 results.
    return launch_kernel(preloaded<add_stream_k<T, Tile::kTileM, Tile::kTileN>>(),
                         {dim3(cut, size / 2048), 256, 0, stream, early}, product, plan);
}

template <typename Family>
struct StreamKLaunch {
    using Tile = typename Family::Tile;
    using T = typename Family::Element;
    using Function = void (*)(Product<T>, StreamK);

    static int slots(const DeviceProperties& device) { return device.sms * Tile::kBlocksPerSm; }

    static StreamK plan_of(const GemmProblem& p, const DeviceProperties& device, bool share) {
        return stream_k_plan(p, Tile::kTileM, Tile::kTileN, Tile::kDepth, slots(device), share);
    }

    static bool supports(const GemmProblem& p, const DeviceProperties& device) {
        return Family::runs_on(device) && grid_fits(p, Tile::kTileM, Tile::kTileN) && p.k / Tile::kDepth < 2147483647 &&
               device.shared_per_block >= Family::kSharedBytes;
    }

    static size_t workspace(const GemmProblem& p, const Tuning& tuning, const DeviceProperties& device) {
        if (tuning.split_k == 1) return 0;
        const StreamK plan = plan_of(p, device, true);
        if (plan.whole_tiles == plan.tiles) return 0;
        return static_cast<size_t>(plan.sharers) * 2 * Tile::kTileM * Tile::kTileN * sizeof(T);
    }

    static Status prepare() {
        for (int a = 0; a < Family::kWays; ++a) {
            for (int b = 0; b < Family::kWays; ++b) {
                if (Status s = allow_shared(Family::function(a, b), Family::kSharedBytes); !s.ok()) return s;
            }
        }
        return {};
    }

    // 0: along k; 1: along rows, one element at a time; 2: along rows, 16 bytes; 3: along k, 16 bytes.
    static int way_of_copying(bool along_k, const void* pointer, int64_t extent, int64_t k, int64_t ld, int64_t stride,
                              int64_t batch) {
        const bool wide = rows_in_16_bytes(pointer, along_k ? k : extent, ld, stride, batch, sizeof(T));
        if (along_k) return wide && Family::kWays == 4 ? 3 : 0;
        return wide ? 2 : 1;
    }

    static Status launch(const GemmProblem& p, const Tuning& tuning, const DeviceProperties& device) {
        Product<T> product = make_product<T>(p, tuning, Tile::kTileM, Tile::kTileN, slots(device));
        const bool share = tuning.split_k != 1 && p.workspace_bytes >= workspace(p, tuning, device);
        const StreamK plan = plan_of(p, device, share);
        if (share) product.partial = static_cast<T*>(p.workspace);
        const Function function =
            Family::function(way_of_copying(!p.transposed_a, p.a, p.m, p.k, p.lda, p.stride_a, p.batch),
                             way_of_copying(p.transposed_b, p.b, p.n, p.k, p.ldb, p.stride_b, p.batch));
        const bool can_wait = kernels_can_wait(device);
        const LaunchSetting setting = {dim3(static_cast<unsigned>(plan.blocks)), Family::kThreads, Family::kSharedBytes,
                                       p.stream, can_wait && Family::kWaits};
        if (Status status = launch_kernel(function, setting, product, plan); !status.ok()) return status;
        return add_shared_tiles<T, Tile>(product, plan, can_wait, p.stream);
    }

    static constexpr Kernel row(const char* name, const char* idea = nullptr) {
        return {.name = name,
                .idea = idea,
                .compute = Family::kCompute,
                .min_capability = Family::kMinCapability,
                .figures = {.tile_m = Tile::kTileM,
                            .tile_n = Tile::kTileN,
                            .tile_k = Tile::kDepth,
                            .blocks_per_sm = Tile::kBlocksPerSm,
                            .max_split = 2,
                            .efficiency = Family::kEfficiency,
                            .fixed_us = Family::kFixedUs},
                .supports = &supports,
                .workspace = &workspace,
                .launch = &launch,
                .prepare = &prepare,
                .stream_k = true};
    }
};

}  // namespace tiles
