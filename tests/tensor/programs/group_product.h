// wgmma for the programs of this folder: products of 64 x 64 sums by one group of four warps.
#pragma once

#include <cstdint>

#define SUMS_OF_64                                                                                                    \
    "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29," \
    "%30,%31}"
#define EACH_OF_32(x, d)                                                                                              \
    x(d[0]), x(d[1]), x(d[2]), x(d[3]), x(d[4]), x(d[5]), x(d[6]), x(d[7]), x(d[8]), x(d[9]), x(d[10]), x(d[11]),     \
        x(d[12]), x(d[13]), x(d[14]), x(d[15]), x(d[16]), x(d[17]), x(d[18]), x(d[19]), x(d[20]), x(d[21]), x(d[22]), \
        x(d[23]), x(d[24]), x(d[25]), x(d[26]), x(d[27]), x(d[28]), x(d[29]), x(d[30]), x(d[31])
#define BOTH_WAYS_F(x) "+f"(x)
#define BOTH_WAYS_R(x) "+r"(x)

// Of shared memory; `tail` are the numbers that follow. `keep` 0: the sums begin at zero.
#define GROUP_PRODUCT(types, tail, way, d, a, b, keep)                                                                \
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %34, 0;\nwgmma.mma_async.sync.aligned.m64n64" types " " SUMS_OF_64 \
                 ", %32, %33, p" tail ";\n}"                                                                          \
                 : EACH_OF_32(way, d)                                                                                 \
                 : "l"(a), "l"(b), "r"(keep))
// A from four registers.
#define GROUP_PRODUCT_OF_REGISTERS(types, tail, way, d, a, b, keep)                                                   \
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %37, 0;\nwgmma.mma_async.sync.aligned.m64n64" types " " SUMS_OF_64 \
                 ", {%32,%33,%34,%35}, %36, p" tail ";\n}"                                                            \
                 : EACH_OF_32(way, d)                                                                                 \
                 : "r"((a)[0]), "r"((a)[1]), "r"((a)[2]), "r"((a)[3]), "l"(b), "r"(keep))

__device__ inline unsigned shared_address(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

// Rows of 128 bytes, swizzled; `stride` bytes from eight rows to the next eight, `leading` between columns of rows.
__device__ inline std::uint64_t swizzled(unsigned address, unsigned stride = 1024, unsigned leading = 0) {
    return std::uint64_t{(address & 0x3ffff) >> 4} | std::uint64_t{leading >> 4} << 16 |
           std::uint64_t{stride >> 4} << 32 | std::uint64_t{1} << 62;
}
// Where a piece of 16 bytes of such a row lies.
__device__ inline unsigned swizzled_place(int row, int piece) {
    return static_cast<unsigned>(row * 128 + (piece ^ row % 8) * 16);
}

__device__ inline void products_begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
template <int kPending = 0>
__device__ inline void products_end() {
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kPending) : "memory");
}
// What copies and stores wrote is there for wgmma, too.
__device__ inline void publish() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

__device__ inline void fetch_piece(unsigned to, const void* from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}

// The row and column of a thread's nth sum.
__device__ inline int row_of(int n) {
    return static_cast<int>(threadIdx.x) % 128 / 32 * 16 + static_cast<int>(threadIdx.x) % 32 / 4 + n / 2 % 2 * 8;
}
__device__ inline int column_of(int n) { return n / 4 * 8 + static_cast<int>(threadIdx.x) % 4 * 2 + n % 2; }
