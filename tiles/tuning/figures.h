// Figures by architecture: the shapes that kernels are built in, what was measured of them, and what an architecture
// can do.
//
// Owns: the plain structs that tuning/smXX.h fill in. A file of an architecture holds the kernels that need it; later
// cards run them, too, and get the same figures until `tiles tune` has measured there. All were measured on an NVIDIA
// H200 (driver 580.159.04, CUDA 13.0) unless a line says otherwise. Guarantees: constants without code; nothing here
// knows a kernel, a launch or a choice. Does not model what the clock does under load.
#pragma once

namespace tiles {

// What the cost model (tiles/plan/cost_model.h) knows of a kernel.
struct Figures {
    int tile_m = 0, tile_n = 0, tile_k = 0;  // of C, and how deep along k
    int blocks_per_sm = 1;
    int max_split = 1;     // parts of k; 1: the kernel cannot cut it
    float efficiency = 0;  // share of the unit's peak in a full wave over a long k
    float fixed_us = 0;    // launch, prologue and epilogue of one wave
    // Blocks that work on neighbouring tiles together, in kernels that can cut the tail; 0: they cannot.
    int tail_cluster = 0;
    int max_team = 1;  // parts of k, a power of 2, that the blocks of one cluster can add up: tiles/src/team.h
};

// An fp32 tile on FMA units, and what was measured of it. A warp is 4 x 8 lanes, a lane owns groups_m x groups_n groups
// of 4 x 4 results (kernels/f32_lane.cuh).
struct F32Tiling {
    int warps_m, warps_n, groups_m, groups_n;
    int depth, stages;
    int blocks_per_sm;
    int slices = 1;  // groups of warps that each have a part of k (kernels/f32_sliced.cuh)
    float efficiency, fixed_us;
};

// A tile of 16-bit factors by wgmma (kernels/hopper_gemm16.cuh): two consumer groups, `groups_m` of them one below the
// other, each with `group_n` columns; clusters of cluster_m x cluster_n blocks.
struct Wgmma16Tiling {
    int group_n, groups_m;
    int cluster_m, cluster_n;
    int max_split;
    float efficiency, fixed_us;
};

// A tile of 32-bit factors by wgmma (kernels/hopper_gemm32.cuh): `rows` of C by 128 columns, or the other way round.
struct Wgmma32Tiling {
    int rows;
    bool three;  // products for each, to fp32 accuracy
    int cluster;
    bool swapped;
    int max_split;
    float efficiency, fixed_us;
};

// Multiply-adds of one SM in one clock, by unit.
struct Peak {
    int f32, f64;
    int tf32;  // three of these make an fp32 product on tensor cores
    int half;  // bf16 and f16
};

// What the cost model adds to the multiplies.
struct Rates {
    // Bytes that reach an SM in a clock, through its port and, when all ask, out of the L2. A row of a factor that does
    // not begin at a multiple of 128 bytes is read in more pieces.
    double port_bytes, l2_bytes, unaligned;
    double traffic_share;  // of the memory's peak that a product reaches
    double sums_share;     // the same of kernels that only read and write: sums of parts, copies of factors
    double add_seconds;    // for the launch of the kernel that adds up the parts of k
    double tail_seconds;   // the same for the last wave's cut tiles
    double copy_seconds;   // for the launch that copies factors
    double share_seconds;  // stream-K: another beginning and end in most blocks, and a launch that adds up
    double team_seconds,
        team_bytes_per_second;  // sums within a cluster, and how fast a block stores to another's shared memory
};

}  // namespace tiles
