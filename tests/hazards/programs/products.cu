// Products of groups of warps (wgmma), and what has to be around them; lanes that are missing from products of a warp.
//
// check: races,barriers
// clang-format off
// case right: clean
// case no_proxy_fence: race shared read-after-write PRODUCT STORE
// case proxy_fence_behind_barrier: clean
// case copied: clean
// case copied_without_proxy_fence: race shared read-after-write PRODUCT COPY
// case rewritten_before_wait: race shared write-after-read REWRITE PRODUCT
// case rewritten_after_wait: clean
// case rewritten_waits_for_too_few: race shared write-after-read REWRITE PRODUCT
// case rewritten_never_committed: race shared write-after-read REWRITE PRODUCT
// case rewritten_second_stage: clean
// case no_fence: race PRODUCT mild
// case read_before_wait: race read-after-write EARLY PRODUCT mild
// case read_after_wait: clean
// case read_of_older_group: clean
// case read_of_younger_group: race read-after-write EARLY PRODUCT mild
// case no_barrier: race shared read-after-write PRODUCT STORE mild
// case two_stages_without_barrier: race shared read-after-write PRODUCT STORE mild; race shared write-after-read STORE PRODUCT mild
// case two_stages_waited_for_late: race shared read-after-write PRODUCT STORE mild; race shared write-after-read STORE PRODUCT
// case one_stage_without_barrier: race shared read-after-write PRODUCT STORE mild; race shared write-after-read STORE PRODUCT
// case other_group_without_barrier: race shared PRODUCT OTHER_STORE
// case lanes_ended: divergent-barrier WARP_PRODUCT
// case lanes_skip: clean
// case rows_ended: divergent-barrier ROWS
// case forged_start: out-of-bounds shared FORGED
// case forged_stride: out-of-bounds shared FORGED
// case group_too_small: illegal-instruction FENCE
// case group_without_a_warp: illegal-instruction PRODUCT
// case group_at_two_places: divergent-barrier OTHER_PRODUCT PRODUCT
// clang-format on
#include <cstdint>
#include <cstring>

__device__ float out[512];
__device__ uint4 in[512];

__global__ void start() {
    for (int i = threadIdx.x; i < 512; i += blockDim.x)
        in[i] = uint4{0x3c003c00u + i, 0x3c003c00u, 0x3c00u, 0x3c000000u};
}

__device__ __forceinline__ std::uint64_t descriptor(const void* at, unsigned leading) {
    const auto address = static_cast<unsigned>(__cvta_generic_to_shared(at));
    return std::uint64_t{(address & 0x3ffff) >> 4} | std::uint64_t{leading >> 4} << 16 | std::uint64_t{128 >> 4} << 32;
}

struct Tiles {
    uint4 a[128];  // 64 rows of 32 bytes
    uint4 b[16];   // 8 columns
};

__device__ __forceinline__ void multiply(float (&d)[4], const Tiles& tiles) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;"  // @PRODUCT
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "l"(descriptor(tiles.a, 1024)), "l"(descriptor(tiles.b, 128))
                 : "memory");
}
__device__ __forceinline__ void fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }  // @FENCE
__device__ __forceinline__ void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int kPending>
__device__ __forceinline__ void wait() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kPending) : "memory");
}
__device__ __forceinline__ void publish() { asm volatile("fence.proxy.async;" ::: "memory"); }

__device__ __forceinline__ void fill(Tiles& tiles, int from) {
    const int t = threadIdx.x;
    tiles.a[t] = in[from + t];                    // @STORE
    if (t < 16) tiles.b[t] = in[from + 128 + t];  // @STORE
}

__device__ __forceinline__ void copy(Tiles& tiles) {
    const int t = threadIdx.x;
    const auto to = static_cast<unsigned>(__cvta_generic_to_shared(&tiles.a[t]));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(&in[t]) : "memory");  // @COPY
    if (t < 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to + 2048), "l"(&in[128 + t])  // @COPY
                     : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
}

__device__ __forceinline__ void put(const float (&d)[4]) { out[threadIdx.x] = d[0] + d[1] + d[2] + d[3]; }

enum Order { kBefore, kBehind, kNever };

template <Order kPublishes, bool kBarrier, bool kFences, bool kCopies>
__global__ void once() {
    __shared__ __align__(128) Tiles tiles;
    float d[4] = {1, 2, 3, 4};
    if (kCopies)
        copy(tiles);
    else
        fill(tiles, 0);
    if (kPublishes == kBefore) publish();
    if (kBarrier) __syncthreads();
    if (kPublishes == kBehind) publish();
    if (kFences) fence();
    multiply(d, tiles);
    commit();
    wait<0>();
    put(d);
}

// Another tile comes into the memory of the first one.
template <bool kWaits, int kPending, bool kCommits>
__global__ void rewritten() {
    __shared__ __align__(128) Tiles tiles;
    float d[4] = {};
    fill(tiles, 0);
    publish();
    __syncthreads();
    fence();
    multiply(d, tiles);
    if (kCommits) commit();
    if (kWaits) wait<kPending>();
    __syncthreads();
    tiles.a[threadIdx.x] = in[200 + threadIdx.x];  // @REWRITE
    if (!kCommits) commit();
    wait<0>();
    put(d);
}

__global__ void stages() {
    __shared__ __align__(128) Tiles tiles[2];
    float d[4] = {};
    fill(tiles[0], 0);
    for (int step = 0; step < 6; ++step) {
        publish();
        __syncthreads();
        fence();
        multiply(d, tiles[step % 2]);
        commit();
        wait<0>();
        fill(tiles[(step + 1) % 2], step * 8);
    }
    put(d);
}

// No barrier but the meetings of the four warps. The store of a round may take the place of what an older product read
// if all warps had waited for that product before a meeting that lies between.
template <int kStages, int kPending>
__global__ void stages_without_barrier() {
    __shared__ __align__(128) Tiles tiles[kStages];
    float d[4] = {};
    for (int step = 0; step < 6; ++step) {
        fill(tiles[step % kStages], step * 8);
        publish();
        fence();
        multiply(d, tiles[step % kStages]);
        commit();
        wait<kPending>();
    }
    wait<0>();
    put(d);
}

template <bool kOfYounger, bool kWaits>
__global__ void read_early() {
    __shared__ __align__(128) Tiles tiles;
    float d[4] = {}, e[4] = {};
    fill(tiles, 0);
    publish();
    __syncthreads();
    fence();
    multiply(d, tiles);
    commit();
    multiply(e, tiles);
    commit();
    if (kWaits) wait<1>();
    float sum;
    asm volatile("add.f32 %0, %1, 0f3f800000;" : "=f"(sum) : "f"(kOfYounger ? e[0] : d[0]));  // @EARLY
    wait<0>();
    out[threadIdx.x] = sum;
}

__global__ void one_after_the_other() {
    __shared__ __align__(128) Tiles tiles;
    float d[4] = {};
    fill(tiles, 0);
    publish();
    __syncthreads();
    fence();
    for (int i = 0; i < 4; ++i) multiply(d, tiles);
    commit();
    wait<0>();
    put(d);
}

template <bool kEnds>
__global__ void of_a_warp() {
    float d[4] = {};
    if (kEnds && threadIdx.x >= 24) return;
    const unsigned a = 0x3c003c00u;
    asm volatile(  // @WARP_PRODUCT
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%4,%4}, {%0,%1,%2,%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a));
    if (threadIdx.x < 24) put(d);
}

__global__ void rows_of_a_warp() {
    __shared__ __align__(16) uint4 rows[32];
    rows[threadIdx.x] = in[threadIdx.x];
    __syncwarp();
    if (threadIdx.x >= 16) return;
    unsigned r;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"  // @ROWS
                 : "=r"(r)
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(&rows[threadIdx.x]))));
    out[threadIdx.x] = r;
}

__global__ void without_a_warp() {
    __shared__ __align__(128) Tiles tiles;
    float d[4] = {};
    fill(tiles, 0);
    publish();
    __syncthreads();
    if (threadIdx.x >= 96) return;
    fence();
    multiply(d, tiles);
    commit();
    wait<0>();
    put(d);
}

// PTX wants one instruction of all four warps. The H200 lets each run its own.
__global__ void at_two_places() {
    __shared__ __align__(128) Tiles tiles;
    float d[4] = {};
    fill(tiles, 0);
    publish();
    __syncthreads();
    fence();
    if (threadIdx.x < 96)
        multiply(d, tiles);
    else
        asm volatile(  // @OTHER_PRODUCT
            "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, 1, -1, 1, 0, 0;"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "l"(descriptor(tiles.a, 1024)), "l"(descriptor(tiles.b, 128))
            : "memory");
    commit();
    wait<0>();
    put(d);
}

// Four warps store what four others multiply.
__global__ void from_other_group() {
    __shared__ __align__(128) Tiles tiles;
    float d[4] = {};
    const int t = threadIdx.x;
    if (t < 128) fill(tiles, 0);
    publish();
    __syncthreads();
    if (t < 128) {
        if (t < 16) tiles.b[t] = in[200 + t];  // @OTHER_STORE
        publish();
        return;
    }
    fence();
    multiply(d, tiles);
    commit();
    wait<0>();
    put(d);
}

// Descriptors are whatever a kernel makes of them.
__global__ void forged(std::uint64_t more) {
    __shared__ __align__(128) Tiles tiles;
    float d[4] = {};
    fill(tiles, 0);
    publish();
    __syncthreads();
    fence();
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;"  // @FORGED
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "l"(descriptor(tiles.a, 1024) + more), "l"(descriptor(tiles.b, 128))
                 : "memory");
    commit();
    wait<0>();
    put(d);
}

int main(int, char** argv) {
    start<<<1, 128>>>();
    const auto is = [&](const char* name) { return strcmp(argv[1], name) == 0; };
    if (is("right")) once<kBefore, true, true, false><<<1, 128>>>();
    if (is("no_proxy_fence")) once<kNever, true, true, false><<<1, 128>>>();
    if (is("proxy_fence_behind_barrier")) once<kBehind, true, true, false><<<1, 128>>>();
    if (is("copied")) once<kBefore, true, true, true><<<1, 128>>>();
    if (is("copied_without_proxy_fence")) once<kNever, true, true, true><<<1, 128>>>();
    if (is("rewritten_before_wait")) rewritten<false, 0, true><<<1, 128>>>();
    if (is("rewritten_after_wait")) rewritten<true, 0, true><<<1, 128>>>();
    if (is("rewritten_waits_for_too_few")) rewritten<true, 1, true><<<1, 128>>>();
    if (is("rewritten_never_committed")) rewritten<true, 0, false><<<1, 128>>>();
    if (is("rewritten_second_stage")) stages<<<1, 128>>>();
    if (is("no_fence")) once<kBefore, true, false, false><<<1, 128>>>();
    if (is("read_before_wait")) read_early<false, false><<<1, 128>>>();
    if (is("read_after_wait")) one_after_the_other<<<1, 128>>>();
    if (is("read_of_older_group")) read_early<false, true><<<1, 128>>>();
    if (is("read_of_younger_group")) read_early<true, true><<<1, 128>>>();
    if (is("no_barrier")) once<kBefore, false, true, false><<<1, 128>>>();
    if (is("two_stages_without_barrier")) stages_without_barrier<2, 0><<<1, 128>>>();
    if (is("two_stages_waited_for_late")) stages_without_barrier<2, 1><<<1, 128>>>();
    if (is("one_stage_without_barrier")) stages_without_barrier<1, 0><<<1, 128>>>();
    if (is("lanes_ended")) of_a_warp<true><<<1, 32>>>();
    if (is("lanes_skip")) of_a_warp<false><<<1, 32>>>();
    if (is("rows_ended")) rows_of_a_warp<<<1, 32>>>();
    if (is("forged_start")) forged<<<1, 128>>>(0x1000);
    if (is("forged_stride")) forged<<<1, 128>>>(std::uint64_t{0x2000} << 32);
    if (is("group_too_small")) once<kBefore, true, true, false><<<1, 96>>>();
    if (is("group_without_a_warp")) without_a_warp<<<1, 128>>>();
    if (is("other_group_without_barrier")) from_other_group<<<1, 256>>>();
    if (is("group_at_two_places")) at_two_places<<<1, 128>>>();
    return cudaDeviceSynchronize();
}
