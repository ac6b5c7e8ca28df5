// The host side of the bf16 and f16 wgmma kernels: which factor is copied first, the maps, the launch.
//
// Owns: Launcher16<In, groups' shape> and Rows16<In>, the rows of the registry. Included by one .cu per element type. A
// factor whose base, pitch or stride is no multiple of 16 bytes is copied into the workspace with an aligned pitch.
#pragma once

#include "tiles/kernels/hopper_gemm16.cuh"
#include "tiles/src/hopper_launch.h"
#include "tiles/src/hopper_output.h"
#include "tiles/src/hopper_tail.h"
#include "tiles/src/kernel.h"
#include "tiles/src/repitch.h"
#include "tiles/src/split_k.h"
#include "tiles/src/team.h"
#include "tiles/tuning/sm90.h"

namespace tiles::hopper {

struct Plan16 {
    Plane a, b;  // as the kernel reads them
    bool copy_a = false, copy_b = false;
    size_t a_bytes = 0, b_bytes = 0, sums = 0;
    int parts = 1;  // of k that go to planes of sums, each of them the work of `team` blocks of a cluster
    int team = 1;
    Schedule schedule{};

    size_t bytes() const { return a_bytes + b_bytes + sums; }
};

// Places in the workspace follow `base`, which may be null when only sizes matter.
inline Plan16 plan16(const GemmProblem& p, int parts, int team, void* base) {
    Plan16 plan;
    char* next = static_cast<char*>(base);
    plan.a = plane_a(p), plan.b = plane_b(p);
    plan.copy_a = !mappable(plan.a), plan.copy_b = !mappable(plan.b);
    if (plan.copy_a) {
        plan.a_bytes = repitched_bytes(plan.a);
        plan.a = repitched(plan.a, next);
        next += plan.a_bytes;
    }
    if (plan.copy_b) {
        plan.b_bytes = repitched_bytes(plan.b);
        plan.b = repitched(plan.b, next);
    }
    plan.parts = parts, plan.team = team;
    if (plan.parts > 1) plan.sums = sums_bytes(p, plan.parts);
    return plan;
}

// Copies what the plan copies.
inline Status copy_factors(const GemmProblem& p, const Plan16& plan) {
    const Plane a = plane_a(p), b = plane_b(p);
    return launch_repitch(plan.copy_a ? Repitch{&a, &plan.a} : Repitch{},
                          plan.copy_b ? Repitch{&b, &plan.b} : Repitch{}, p.stream);
}

template <class In, int kGroupN, int kGroupsM, int kClusterM, int kClusterN>
struct Launcher16 {
    template <class Out, bool kTA, bool kTB>
    using Shape = Shape16<In, Out, kGroupN, kGroupsM, kTA, kTB, kClusterM, kClusterN>;

    template <class S>
    static Status launch_shape(const GemmProblem& p, const Plan16& plan, const DeviceProperties& device) {
        using Out = typename S::Out;
        Arguments16<Out> g{};
        if (Status s = make_map(plan.a, 64, FetchA<S>::kBoxRows, &g.a); !s.ok()) return s;
        if (Status s = make_map(plan.b, 64, FetchB<S>::kBoxRows, &g.b); !s.ok()) return s;
        g.a_planes = plan.a.planes() > 1, g.b_planes = plan.b.planes() > 1;
        const Schedule& work = g.schedule = plan.schedule;
        if (work.count() >= int64_t{1} << 31)
            return {StatusCode::kUnsupported, "m", "too many tiles for one launch", 0};
        float* sums = reinterpret_cast<float*>(static_cast<char*>(p.workspace) + plan.a_bytes + plan.b_bytes);
        if (Status s = make_output(p, plan.parts, sums, 64, &g.out); !s.ok()) return s;
        g.pieces = sums;
        g.team_parts = plan.team;
        Status status = plan.team > 1
                            ? launch_clusters(preloaded<gemm16<S>>(), g, work.count(), S::kCluster * plan.team,
                                              S::kThreads, S::kSharedBytes, true, p.stream)
                            : launch_persistent(preloaded<gemm16<S>>(), g, work.count(), S::kCluster, S::kThreads,
                                                S::kSharedBytes, device, true, p.stream);
        if (!status.ok() || work.sharers == 0) return status;
        return launch_add_tail<S>(work, g.out, sums, p.stream);
    }

    template <class Out>
    static Status launch_out(const GemmProblem& p, const Plan16& plan, const DeviceProperties& device) {
        if (p.transposed_a) {
            return p.transposed_b ? launch_shape<Shape<Out, true, true>>(p, plan, device)
                                  : launch_shape<Shape<Out, true, false>>(p, plan, device);
        }
        return p.transposed_b ? launch_shape<Shape<Out, false, true>>(p, plan, device)
                              : launch_shape<Shape<Out, false, false>>(p, plan, device);
    }

    // Pairs are for products with work for both.
    static bool supports(const GemmProblem& p, const DeviceProperties& device) {
        using S = Shape<float, false, false>;
        return reachable(p, device) && p.m > S::kM * (kClusterM - 1) && p.n > S::kN * (kClusterN - 1);
    }

    static Plan16 plan_of(const GemmProblem& p, const Tuning& tuning, const DeviceProperties& device) {
        using S = Shape<float, false, false>;
        const int k_blocks = static_cast<int>((p.k + S::kK - 1) / S::kK);
        const int parts = std::max(std::min(tuning.split_k, k_blocks), 1), team = team_of(parts, S::kMaxTeam);
        Plan16 plan = plan16(p, parts / team, team, p.workspace);
        Schedule& work = plan.schedule;
        work.m_tiles = static_cast<int>((p.m + S::kM * kClusterM - 1) / (S::kM * kClusterM));
        work.n_tiles = static_cast<int>((p.n + S::kN * kClusterN - 1) / (S::kN * kClusterN));
        work.raster = tuning.raster > 0 ? tuning.raster : 8;
        work.parts = plan.parts, work.batch = static_cast<int>(p.batch);
        work.k_blocks = k_blocks;
        keep_whole(&work);
        if (tuning.cut_tail && plan.team == 1 && cut_tail(&work, clusters_at_once(S::kCluster, device)))
            plan.sums = piece_bytes<S>(work);
        return plan;
    }

    static size_t workspace(const GemmProblem& p, const Tuning& tuning, const DeviceProperties& device) {
        return plan_of(p, tuning, device).bytes();
    }

    static Status launch(const GemmProblem& p, const Tuning& tuning, const DeviceProperties& device) {
        const Plan16 plan = plan_of(p, tuning, device);
        if (plan.bytes() > p.workspace_bytes) {
            return {StatusCode::kWorkspaceTooSmall, "workspace", "this kernel needs a larger workspace", 0};
        }
        if (Status s = copy_factors(p, plan); !s.ok()) return s;
        const bool wide = plan.parts > 1 || p.type_c == DataType::kF32;
        Status status = wide ? launch_out<float>(p, plan, device) : launch_out<In>(p, plan, device);
        if (!status.ok() || plan.parts == 1) return status;
        const char* sums = static_cast<const char*>(p.workspace) + plan.a_bytes + plan.b_bytes;
        return launch_add_parts(p, reinterpret_cast<const float*>(sums), plan.parts);
    }

    template <class S>
    static Status prepare_shape() {
        return allow_shared(gemm16<S>, S::kSharedBytes);
    }

    template <class Out>
    static Status prepare_out() {
        if (Status s = prepare_shape<Shape<Out, false, false>>(); !s.ok()) return s;
        if (Status s = prepare_shape<Shape<Out, false, true>>(); !s.ok()) return s;
        if (Status s = prepare_shape<Shape<Out, true, false>>(); !s.ok()) return s;
        return prepare_shape<Shape<Out, true, true>>();
    }

    static Status prepare() {
        if (Status s = prepare_out<float>(); !s.ok()) return s;
        return prepare_out<In>();
    }
};

template <class In, Compute kCompute>
struct Rows16 {
    // One row of the registry, for a tile of tuning/sm90.h.
    template <const Wgmma16Tiling& kTiling>
    static constexpr Kernel row(const char* name, const char* idea = nullptr) {
        using Launcher = Launcher16<In, kTiling.group_n, kTiling.groups_m, kTiling.cluster_m, kTiling.cluster_n>;
        using S = typename Launcher::template Shape<float, false, false>;
        return {.name = name,
                .idea = idea,
                .compute = kCompute,
                .min_capability = 90,
                .figures = {.tile_m = S::kM,
                            .tile_n = S::kN,
                            .tile_k = S::kK,
                            .max_split = kTiling.max_split,
                            .efficiency = kTiling.efficiency,
                            .fixed_us = kTiling.fixed_us,
                            .tail_cluster = S::kCluster > 1 ? S::kCluster : 0,
                            .max_team = S::kMaxTeam},
                .supports = &Launcher::supports,
                .workspace = &Launcher::workspace,
                .launch = &Launcher::launch,
                .prepare = &Launcher::prepare};
    }
};

inline constexpr char kIdea16[] = "Hopper: copy engine, warp specialisation, block pairs, persistent grid";

}  // namespace tiles::hopper
