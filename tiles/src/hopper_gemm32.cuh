// The host side of the tf32 wgmma kernels: what is prepared in the workspace, the maps, the launch.
//
// Owns: Launcher32<rows, three products or one, cluster, swapped> and row32, its row of the registry. A must have k
// contiguous: a transposed A is transposed into the workspace; kernels that do not split A themselves need its two
// halves there. Otherwise, a factor whose base, pitch or stride is no multiple of 16 bytes is copied with an aligned
// pitch. Swapped kernels are given the transposed problem, whose result they put down untransposed.
#pragma once

#include "tiles/kernels/hopper_gemm32.cuh"
#include "tiles/src/hopper_launch.h"
#include "tiles/src/hopper_output.h"
#include "tiles/src/hopper_tail.h"
#include "tiles/src/repitch.h"
#include "tiles/src/rows_tensor.h"
#include "tiles/src/split32.h"
#include "tiles/src/split_k.h"
#include "tiles/tuning/sm90.h"

namespace tiles::hopper {

struct Plan32 {
    Plane a, b;  // as the kernel reads them; a is the high half when A is split
    const float* a_low = nullptr;
    bool make_a = false, copy_a = false, copy_b = false;
    size_t a_bytes = 0, b_bytes = 0, sums = 0;  // a_bytes: of one half
    int halves = 1, parts = 1;
    Schedule schedule{};

    size_t sums_offset() const { return a_bytes * static_cast<size_t>(halves) + b_bytes; }
    size_t bytes() const { return sums_offset() + sums; }
};

inline Plan32 plan32(const GemmProblem& p, bool three, bool split_a, void* base) {
    Plan32 plan;
    char* next = static_cast<char*>(base);
    plan.a = plane_a(p), plan.b = plane_b(p);
    plan.make_a = split_a || p.transposed_a;
    plan.copy_a = !plan.make_a && !mappable(plan.a);
    if (plan.make_a || plan.copy_a) {
        if (p.transposed_a) std::swap(plan.a.columns, plan.a.rows);
        plan.halves = split_a ? 2 : 1;
        plan.a_bytes = repitched_bytes(plan.a);
        plan.a = repitched(plan.a, next);
        if (split_a) plan.a_low = reinterpret_cast<const float*>(next + plan.a_bytes);
        next += plan.a_bytes * static_cast<size_t>(plan.halves);
    }
    plan.copy_b = !mappable(plan.b);
    if (plan.copy_b) {
        plan.b_bytes = repitched_bytes(plan.b);
        plan.b = repitched(plan.b, next);
    }
    plan.a.to_tf32 = plan.b.to_tf32 = !three;
    return plan;
}

inline Status prepare_factors(const GemmProblem& p, const Plan32& plan) {
    if (plan.make_a) {
        float* high = static_cast<float*>(const_cast<void*>(plan.a.base));
        Status s = launch_split32(plane_a(p), p.transposed_a, plan.a, high, const_cast<float*>(plan.a_low), p.stream);
        if (!s.ok()) return s;
    }
    const Plane a = plane_a(p), b = plane_b(p);
    return launch_repitch(plan.copy_a ? Repitch{&a, &plan.a} : Repitch{},
                          plan.copy_b ? Repitch{&b, &plan.b} : Repitch{}, p.stream);
}

inline bool supports32(const GemmProblem& p, const DeviceProperties& device) {
    constexpr int64_t kSize = int64_t{1} << 21;  // 65535 tiles of split32
    return reachable(p, device) && p.m < kSize && p.k < kSize;
}

// C^T = B^T A^T.
inline GemmProblem transposed(const GemmProblem& p) {
    GemmProblem t = p;
    std::swap(t.m, t.n);
    std::swap(t.a, t.b), std::swap(t.lda, t.ldb), std::swap(t.stride_a, t.stride_b);
    t.transposed_a = !p.transposed_b, t.transposed_b = !p.transposed_a;
    return t;
}

template <int kM, bool kThree, int kCluster, bool kSwapped = false>
struct Launcher32 {
    template <bool kTB>
    using Shape = Shape32<kM, kThree, kTB, kCluster, kSwapped>;

    // The problem that the kernel solves; C and the sums of parts are the given problem's.
    static GemmProblem solved(const GemmProblem& p) { return kSwapped ? transposed(p) : p; }

    template <class S>
    static Status launch_shape(const GemmProblem& p, const Plan32& plan, const DeviceProperties& device) {
        Arguments32 g{};
        if (Status s = make_map(plan.a, 32, S::kM / kCluster, &g.a); !s.ok()) return s;
        if (S::kFetchedA == 2) {
            Plane low = plan.a;
            low.base = plan.a_low;
            if (Status s = make_map(low, 32, S::kM / kCluster, &g.a_low); !s.ok()) return s;
        }
        if (Status s = make_map(plan.b, 32, S::kBTransposed ? S::kN : 32, &g.b); !s.ok()) return s;
        g.a_planes = plan.a.planes() > 1, g.b_planes = plan.b.planes() > 1;
        const Schedule& work = g.schedule = plan.schedule;
        if (work.count() >= int64_t{1} << 31)
            return {StatusCode::kUnsupported, "m", "too many tiles for one launch", 0};
        float* sums = reinterpret_cast<float*>(static_cast<char*>(p.workspace) + plan.sums_offset());
        if (Status s = make_output(p, plan.parts, sums, kSwapped ? 64 : 16, &g.out); !s.ok()) return s;
        g.pieces = sums;
        Status status = launch_persistent(preloaded<gemm32<S>>(), g, work.count(), kCluster, S::kThreads,
                                          S::kSharedBytes, device, plan.make_a || plan.copy_a || plan.copy_b, p.stream);
        if (!status.ok() || work.sharers == 0) return status;
        return launch_add_tail<S>(work, g.out, sums, p.stream);
    }

    static Status launch_layout(const GemmProblem& p, const Plan32& plan, const DeviceProperties& device) {
        if constexpr (kSwapped)
            return launch_shape<Shape<true>>(p, plan, device);
        else
            return p.transposed_b ? launch_shape<Shape<true>>(p, plan, device)
                                  : launch_shape<Shape<false>>(p, plan, device);
    }

    // A pair has two tiles, side by side.
    static bool supports(const GemmProblem& p, const DeviceProperties& device) {
        if (kSwapped && p.transposed_a) return false;  // its rows would come out of order
        const GemmProblem t = solved(p);
        return supports32(t, device) && t.n > 128 * (kCluster - 1) && (!kThree || p.k >= kShortestThree);
    }

    static Plan32 plan_of(const GemmProblem& p, int parts, const Tuning& tuning, const DeviceProperties& device) {
        using S = Shape<kSwapped>;
        const GemmProblem t = solved(p);
        Plan32 plan = plan32(t, kThree, S::kFetchedA == 2, p.workspace);
        plan.parts = std::max(parts, 1);
        if (plan.parts > 1) plan.sums = sums_bytes(p, plan.parts);
        Schedule& work = plan.schedule;
        work.m_tiles = static_cast<int>((t.m + S::kM - 1) / S::kM);
        work.n_tiles = static_cast<int>((t.n + S::kN * kCluster - 1) / (S::kN * kCluster));
        work.raster = tuning.raster > 0 ? tuning.raster : 8;
        work.parts = plan.parts, work.batch = static_cast<int>(p.batch);
        work.k_blocks = static_cast<int>((p.k + S::kK - 1) / S::kK);
        keep_whole(&work);
        if (tuning.cut_tail && cut_tail(&work, clusters_at_once(kCluster, device))) plan.sums = piece_bytes<S>(work);
        return plan;
    }

    static size_t workspace(const GemmProblem& p, const Tuning& tuning, const DeviceProperties& device) {
        return plan_of(p, tuning.split_k, tuning, device).bytes();
    }

    static Status launch(const GemmProblem& p, const Tuning& tuning, const DeviceProperties& device) {
        const int k_blocks = static_cast<int>((p.k + 31) / 32);
        const Plan32 plan = plan_of(p, std::min(tuning.split_k, k_blocks), tuning, device);
        if (plan.bytes() > p.workspace_bytes) {
            return {StatusCode::kWorkspaceTooSmall, "workspace", "this kernel needs a larger workspace", 0};
        }
        if (Status s = prepare_factors(solved(p), plan); !s.ok()) return s;
        Status status = launch_layout(p, plan, device);
        if (!status.ok() || plan.parts == 1) return status;
        const char* sums = static_cast<const char*>(p.workspace) + plan.sums_offset();
        return launch_add_parts(p, reinterpret_cast<const float*>(sums), plan.parts);
    }

    static Status prepare() {
        if constexpr (!kSwapped) {
            if (Status s = allow_shared(gemm32<Shape<false>>, Shape<false>::kSharedBytes); !s.ok()) return s;
        }
        return allow_shared(gemm32<Shape<true>>, Shape<true>::kSharedBytes);
    }
};

// One row of the registry, for a tile of tuning/sm90.h.
template <const Wgmma32Tiling& kTiling>
constexpr Kernel row32(const char* name, const char* idea = nullptr) {
    using Launcher = Launcher32<kTiling.rows, kTiling.three, kTiling.cluster, kTiling.swapped>;
    using S = typename Launcher::template Shape<true>;
    return {.name = name,
            .idea = idea,
            .compute = kTiling.three ? Compute::kF32Tensor : Compute::kTF32,
            .min_capability = 90,
            .figures = {.tile_m = kTiling.swapped ? S::kN : S::kM,
                        .tile_n = kTiling.swapped ? S::kM : S::kN,
                        .tile_k = S::kK,
                        .max_split = kTiling.max_split,
                        .efficiency = kTiling.efficiency,
                        .fixed_us = kTiling.fixed_us,
                        .tail_cluster = kTiling.cluster > 1 ? kTiling.cluster : 0},
            .supports = &Launcher::supports,
            .workspace = &Launcher::workspace,
            .launch = &Launcher::launch,
            .prepare = &Launcher::prepare};
}

}  // namespace tiles::hopper
