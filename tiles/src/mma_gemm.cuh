// The host side of the mma.sync kernels. Owns: mma::Launcher<element, three products or one>. Included by one .cu per
// element type.
#pragma once

#include <algorithm>

#include "tiles/kernels/mma_gemm.cuh"
#include "tiles/src/allow_shared.h"
#include "tiles/src/rows_tensor.h"
#include "tiles/src/split_k.h"
#include "tiles/tuning/sm80.h"

namespace tiles::mma {

inline Factor factor(const void* base, int64_t pitch, int64_t stride, int bytes) {
    const auto fits = [&](int64_t elements) { return elements * bytes % 16 == 0; };
    return {base, pitch, stride, reinterpret_cast<uintptr_t>(base) % 16 == 0 && fits(pitch) && fits(stride)};
}

template <class Element, bool kThree>
struct Launcher {
    template <bool kTA, bool kTB>
    using S = Shape<Element, kThree, kTA, kTB>;
    static constexpr int kK = S<false, false>::kK;
    // Of whichever layouts take the most: they are all prepared.
    static constexpr int kSharedBytes = std::max({S<false, false>::kSharedBytes, S<false, true>::kSharedBytes,
                                                  S<true, false>::kSharedBytes, S<true, true>::kSharedBytes});

    static int64_t k_blocks(const GemmProblem& p) { return (p.k + kK - 1) / kK; }

    static bool supports(const GemmProblem& p, const DeviceProperties& device) {
        // The grid: tiles along x, batch along z.
        const int64_t tiles = ((p.m + 127) / 128) * ((p.n + 127) / 128);
        if (kThree && p.k < kShortestThree) return false;
        return tiles < int64_t{1} << 31 && p.batch < 65536 && k_blocks(p) < int64_t{1} << 30 &&
               device.shared_per_block >= kSharedBytes;
    }

    static int parts(const GemmProblem& p, const Tuning& tuning) {
        return static_cast<int>(std::min<int64_t>(std::max(tuning.split_k, 1), k_blocks(p)));
    }

    static size_t workspace(const GemmProblem& p, const Tuning& tuning, const DeviceProperties&) {
        return parts(p, tuning) > 1 ? sums_bytes(p, parts(p, tuning)) : 0;
    }

    template <bool kTA, bool kTB>
    static Status start(const Arguments& g, int64_t batch, cudaStream_t stream) {
        const dim3 grid(static_cast<unsigned>(g.tiles_m * g.tiles_n), static_cast<unsigned>(g.parts),
                        static_cast<unsigned>(batch));
        preloaded<gemm<S<kTA, kTB>>>()<<<grid, S<kTA, kTB>::kThreads, S<kTA, kTB>::kSharedBytes, stream>>>(g);
        return launched("mma gemm");
    }

    static Status launch(const GemmProblem& p, const Tuning& tuning, const DeviceProperties& device) {
        if (workspace(p, tuning, device) > p.workspace_bytes) {
            return {StatusCode::kWorkspaceTooSmall, "workspace", "this kernel needs a larger workspace", 0};
        }
        Arguments g{};
        constexpr int kBytes = Mma<Element>::kBytes;
        g.a = factor(p.a, p.lda, p.stride_a, kBytes), g.b = factor(p.b, p.ldb, p.stride_b, kBytes);
        g.c = p.c, g.ldc = p.ldc, g.stride_c = p.stride_c;
        g.m = p.m, g.n = p.n, g.k = p.k;
        g.k_blocks = static_cast<int>(k_blocks(p)), g.parts = parts(p, tuning);
        g.tiles_m = static_cast<int>((p.m + 127) / 128), g.tiles_n = static_cast<int>((p.n + 127) / 128);
        g.raster = tuning.raster > 0 ? tuning.raster : 12;
        g.out = p.type_c == DataType::kF32 ? 0 : p.type_c == DataType::kBF16 ? 1 : 2;
        g.alpha = static_cast<float>(p.alpha), g.beta = static_cast<float>(p.beta);
        if (g.parts > 1) {
            g.c = p.workspace, g.ldc = sums_pitch(p), g.stride_c = g.ldc * p.m;
            g.out = 0, g.alpha = 1, g.beta = 0;
        }
        Status status = p.transposed_a ? (p.transposed_b ? start<true, true>(g, p.batch, p.stream)
                                                         : start<true, false>(g, p.batch, p.stream))
                                       : (p.transposed_b ? start<false, true>(g, p.batch, p.stream)
                                                         : start<false, false>(g, p.batch, p.stream));
        if (!status.ok() || g.parts == 1) return status;
        return launch_add_parts(p, static_cast<const float*>(p.workspace), g.parts);
    }

    template <bool kTA, bool kTB>
    static Status allow() {
        return allow_shared(gemm<S<kTA, kTB>>, S<kTA, kTB>::kSharedBytes);
    }

    static Status prepare() {
        if (Status s = allow<false, false>(); !s.ok()) return s;
        if (Status s = allow<false, true>(); !s.ok()) return s;
        if (Status s = allow<true, false>(); !s.ok()) return s;
        return allow<true, true>();
    }

    template <const Figures& kFigures>
    static constexpr Kernel row(const char* name, const char* idea, Compute compute) {
        using Plain = S<false, false>;
        static_assert(kFigures.tile_m == Plain::kM && kFigures.tile_n == Plain::kN && kFigures.tile_k == Plain::kK);
        return {.name = name,
                .idea = idea,
                .compute = compute,
                .min_capability = 80,
                .figures = kFigures,
                .supports = &supports,
                .workspace = &workspace,
                .launch = &launch,
                .prepare = &prepare};
    }
};

}  // namespace tiles::mma
