// The blocks of a cluster by name (compute capability 9.0): __clusterIdx and its kin, one register or instruction each.
#pragma once

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define TILESCOPE_CLUSTER static __inline__ __attribute__((device, always_inline))

#define TILESCOPE_CLUSTER_DIM(name, place)           \
    TILESCOPE_CLUSTER dim3 name() {                  \
        unsigned x, y, z;                            \
        asm("mov.u32 %0, %%" place ".x;" : "=r"(x)); \
        asm("mov.u32 %0, %%" place ".y;" : "=r"(y)); \
        asm("mov.u32 %0, %%" place ".z;" : "=r"(z)); \
        return dim3(x, y, z);                        \
    }
TILESCOPE_CLUSTER_DIM(__clusterDim, "cluster_nctaid")
TILESCOPE_CLUSTER_DIM(__clusterRelativeBlockIdx, "cluster_ctaid")
TILESCOPE_CLUSTER_DIM(__clusterGridDimInClusters, "nclusterid")
TILESCOPE_CLUSTER_DIM(__clusterIdx, "clusterid")
#undef TILESCOPE_CLUSTER_DIM

#define TILESCOPE_CLUSTER_NUMBER(name, parameter, code, ...) \
    TILESCOPE_CLUSTER unsigned name(parameter) {             \
        unsigned x;                                          \
        asm(code : "=r"(x)__VA_ARGS__);                      \
        return x;                                            \
    }
TILESCOPE_CLUSTER_NUMBER(__clusterRelativeBlockRank, , "mov.u32 %0, %%cluster_ctarank;")
TILESCOPE_CLUSTER_NUMBER(__clusterSizeInBlocks, , "mov.u32 %0, %%cluster_nctarank;")
TILESCOPE_CLUSTER_NUMBER(__clusterDimIsSpecified, ,
                         "{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p; }")
TILESCOPE_CLUSTER_NUMBER(__cluster_query_shared_rank, const void* p, "getctarank.u64 %0, %1;", : "l"(p))
TILESCOPE_CLUSTER_NUMBER(__isCtaShared, const void* p,
                         "{ .reg .pred p; isspacep.shared::cta p, %1; selp.u32 %0, 1, 0, p; }",
                         : "l"(p))
TILESCOPE_CLUSTER_NUMBER(__isClusterShared, const void* p,
                         "{ .reg .pred p; isspacep.shared::cluster p, %1; selp.u32 %0, 1, 0, p; }",
                         : "l"(p))
#undef TILESCOPE_CLUSTER_NUMBER
TILESCOPE_CLUSTER void* __cluster_map_shared_rank(const void* p, unsigned rank) {
    void* mapped;
    asm("mapa.u64 %0, %1, %2;" : "=l"(mapped) : "l"(p), "r"(rank));
    return mapped;
}
TILESCOPE_CLUSTER void __cluster_barrier_arrive() { asm volatile("barrier.cluster.arrive.aligned;" ::: "memory"); }
TILESCOPE_CLUSTER void __cluster_barrier_arrive_relaxed() {
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}
TILESCOPE_CLUSTER void __cluster_barrier_wait() { asm volatile("barrier.cluster.wait.aligned;" ::: "memory"); }
TILESCOPE_CLUSTER void __threadfence_cluster() { asm volatile("fence.acq_rel.cluster;" ::: "memory"); }

#undef TILESCOPE_CLUSTER
#endif
