// Launches f32_pipeline for one tile: picks the way each operand is copied, cuts k, adds the parts up.
// Owns: F32Pipeline<Tile>, the functions of a registry row. Include it from one .cu file per tile.
#pragma once

#include "tiles/kernels/add_parts.cuh"
#include "tiles/kernels/f32_pipeline.cuh"
#include "tiles/src/product.h"

namespace tiles {

template <typename Tile>
struct F32Pipeline {
    using Function = void (*)(Product<float>);

    static Function function(int copy_a, int copy_b) {
        static constexpr Function kAll[3][3] = {
            {f32_pipeline<Tile, 1, true, 1, true>, f32_pipeline<Tile, 1, true, 1, false>,
             f32_pipeline<Tile, 1, true, 4, false>},
            {f32_pipeline<Tile, 1, false, 1, true>, f32_pipeline<Tile, 1, false, 1, false>,
             f32_pipeline<Tile, 1, false, 4, false>},
            {f32_pipeline<Tile, 4, false, 1, true>, f32_pipeline<Tile, 4, false, 1, false>,
             f32_pipeline<Tile, 4, false, 4, false>},
        };
        return kAll[copy_a][copy_b];
    }

    // 0: along k; 1: along rows, one float at a time; 2: along rows, four floats.
    static int copy_of_a(const GemmProblem& p) {
        if (!p.transposed_a) return 0;
        return rows_in_16_bytes(p.a, p.m, p.lda, p.stride_a, p.batch, 4) ? 2 : 1;
    }
    static int copy_of_b(const GemmProblem& p) {
        if (p.transposed_b) return 0;
        return rows_in_16_bytes(p.b, p.n, p.ldb, p.stride_b, p.batch, 4) ? 2 : 1;
    }

    static bool supports(const GemmProblem& p, const DeviceProperties& device) {
        return grid_fits(p, Tile::kTileM, Tile::kTileN) && device.shared_per_block >= Tile::kSharedBytes;
    }

    static size_t workspace(const GemmProblem& p, const Tuning& tuning, const DeviceProperties&) {
        const Split split = split_of(p, tuning, Tile::kDepth);
        return split.parts == 1 ? 0 : static_cast<size_t>(split.parts * p.batch * p.m * p.n) * sizeof(float);
    }

    static Status prepare() {
        for (int a = 0; a < 3; ++a) {
            for (int b = 0; b < 3; ++b) {
                const cudaError_t error = cudaFuncSetAttribute(
                    function(a, b), cudaFuncAttributeMaxDynamicSharedMemorySize, Tile::kSharedBytes);
                if (error != cudaSuccess) return from_cuda(error, "cudaFuncSetAttribute(f32_pipeline)");
            }
        }
        return {};
    }

    static Status launch(const GemmProblem& p, const Tuning& tuning, const DeviceProperties& device) {
        const int slots = device.sms * Tile::kBlocksPerSm;
        Product<float> product = make_product<float>(p, tuning, Tile::kTileM, Tile::kTileN, slots);
        const Split split = split_of(p, tuning, Tile::kDepth);
        if (split.parts > 1) {
            if (p.workspace_bytes < workspace(p, tuning, device)) {
                return {StatusCode::kWorkspaceTooSmall, "workspace", "has no room for the parts of k", 0};
            }
            product.k_per_split = split.k_per_part, product.partial = static_cast<float*>(p.workspace);
        }
        const int64_t blocks = static_cast<int64_t>(product.tiles_m) * product.tiles_n * p.batch;
        const dim3 grid(static_cast<unsigned>(blocks), static_cast<unsigned>(split.parts));
        function(copy_of_a(p), copy_of_b(p))<<<grid, Tile::kThreads, Tile::kSharedBytes, p.stream>>>(product);
        if (Status status = launched("f32_pipeline"); !status.ok() || split.parts == 1) return status;
        const int64_t wanted = parts_of(p.m * p.n * p.batch, 256);
        const int64_t most = static_cast<int64_t>(device.sms) * 8;
        add_parts<float>
            <<<static_cast<unsigned>(std::min(wanted, most)), 256, 0, p.stream>>>(product, split.parts, p.batch);
        return launched("add_parts");
    }

    static constexpr Kernel row(const char* name, const char* idea, float efficiency, float fixed_us) {
        return {name,         idea,         Compute::kF32,      80,      Tile::kTileM,
                Tile::kTileN, Tile::kDepth, Tile::kBlocksPerSm, 160,     efficiency,
                fixed_us,     &supports,    &workspace,         &launch, &prepare};
    }
};

}  // namespace tiles
