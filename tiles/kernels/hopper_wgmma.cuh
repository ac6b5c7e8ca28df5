// Hopper's warp-group matrix multiply: 64 x N += 64 x K * K x N by four warps, asynchronously, sums in fp32 registers.
//
// Owns: Wgmma<Element, N>, whose `shared` takes both factors from shared memory and `registers` the left one from
// registers, and the fences around them. Guarantees: `keep` false starts from zero. Factors in shared memory are named
// by matrix descriptors (`descriptor`). Thread t of the group holds, in sums[4j .. 4j+3], columns 8j + 2(t%4) and the
// next of row 16(t/32) + t%32/4, then of that row + 8. Compute capability 9.0 (sm_90a) only.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

namespace tiles::hopper {

struct Tf32 {};

// Before the first multiply that uses registers written by ordinary code.
__device__ __forceinline__ void wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void wgmma_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }

// Until at most `kPending` committed groups are unfinished.
template <int kPending>
__device__ __forceinline__ void wgmma_wait() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kPending) : "memory");
}

// Keeps the compiler from moving accesses to `sums` across this point.
template <int kCount>
__device__ __forceinline__ void pin(float (&sums)[kCount]) {
#pragma unroll
    for (int i = 0; i < kCount; ++i) asm volatile("" : "+f"(sums[i])::"memory");
}

// 128-byte swizzled tiles. `leading`: bytes between blocks of 128 bytes along the contiguous direction (only when that
// is not k); `stride`: bytes between groups of 8 rows.
__device__ __forceinline__ uint64_t descriptor(uint32_t address, uint32_t leading, uint32_t stride) {
    return static_cast<uint64_t>((address & 0x3FFFF) >> 4) | static_cast<uint64_t>(leading >> 4) << 16 |
           static_cast<uint64_t>(stride >> 4) << 32 | uint64_t{1} << 62;
}

template <class Element, int N>
struct Wgmma;

#define TILES_SUMS_64                                                                                                 \
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, " \
    "%24, %25, %26, %27, %28, %29, %30, %31}"

#define TILES_SUMS_128                                                                                                \
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, " \
    "%24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, "  \
    "%46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}"

#define TILES_SUMS_192                                                                                                \
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, " \
    "%24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, "  \
    "%46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, "  \
    "%68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, "  \
    "%90, %91, %92, %93, %94, %95}"

#define TILES_SUMS_256                                                                                                \
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, " \
    "%24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, "  \
    "%46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, "  \
    "%68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, "  \
    "%90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, "  \
    "%110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}"
#define TILES_OPERANDS_64                                                                                       \
    "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), \
        "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]),  \
        "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), \
        "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
#define TILES_OPERANDS_128                                                                                      \
    "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), \
        "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]),  \
        "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), \
        "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), \
        "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), \
        "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), \
        "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]), "+f"(d[56]), \
        "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63])
#define TILES_OPERANDS_192                                                                                      \
    "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), \
        "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]),  \
        "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), \
        "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), \
        "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), \
        "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), \
        "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]), "+f"(d[56]), \
        "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63]), "+f"(d[64]), \
        "+f"(d[65]), "+f"(d[66]), "+f"(d[67]), "+f"(d[68]), "+f"(d[69]), "+f"(d[70]), "+f"(d[71]), "+f"(d[72]), \
        "+f"(d[73]), "+f"(d[74]), "+f"(d[75]), "+f"(d[76]), "+f"(d[77]), "+f"(d[78]), "+f"(d[79]), "+f"(d[80]), \
        "+f"(d[81]), "+f"(d[82]), "+f"(d[83]), "+f"(d[84]), "+f"(d[85]), "+f"(d[86]), "+f"(d[87]), "+f"(d[88]), \
        "+f"(d[89]), "+f"(d[90]), "+f"(d[91]), "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95])
#define TILES_OPERANDS_256                                                                                           \
    "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]),      \
        "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]),       \
        "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]),      \
        "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]),      \
        "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]),      \
        "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]),      \
        "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]), "+f"(d[56]),      \
        "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63]), "+f"(d[64]),      \
        "+f"(d[65]), "+f"(d[66]), "+f"(d[67]), "+f"(d[68]), "+f"(d[69]), "+f"(d[70]), "+f"(d[71]), "+f"(d[72]),      \
        "+f"(d[73]), "+f"(d[74]), "+f"(d[75]), "+f"(d[76]), "+f"(d[77]), "+f"(d[78]), "+f"(d[79]), "+f"(d[80]),      \
        "+f"(d[81]), "+f"(d[82]), "+f"(d[83]), "+f"(d[84]), "+f"(d[85]), "+f"(d[86]), "+f"(d[87]), "+f"(d[88]),      \
        "+f"(d[89]), "+f"(d[90]), "+f"(d[91]), "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95]), "+f"(d[96]),      \
        "+f"(d[97]), "+f"(d[98]), "+f"(d[99]), "+f"(d[100]), "+f"(d[101]), "+f"(d[102]), "+f"(d[103]), "+f"(d[104]), \
        "+f"(d[105]), "+f"(d[106]), "+f"(d[107]), "+f"(d[108]), "+f"(d[109]), "+f"(d[110]), "+f"(d[111]),            \
        "+f"(d[112]), "+f"(d[113]), "+f"(d[114]), "+f"(d[115]), "+f"(d[116]), "+f"(d[117]), "+f"(d[118]),            \
        "+f"(d[119]), "+f"(d[120]), "+f"(d[121]), "+f"(d[122]), "+f"(d[123]), "+f"(d[124]), "+f"(d[125]),            \
        "+f"(d[126]), "+f"(d[127])

template <>
struct Wgmma<__nv_bfloat16, 64> {
    template <int kTransA, int kTransB>
    __device__ static __forceinline__ void shared(float (&d)[32], uint64_t a, uint64_t b, bool keep) {
        asm volatile(
            "{\n.reg .pred p;\nsetp.ne.b32 p, %34, 0;\n"
            "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 " TILES_SUMS_64 ", %32, %33, p, 1, 1, %35, %36;\n}"
            : TILES_OPERANDS_64
            : "l"(a), "l"(b), "r"(static_cast<int>(keep)), "n"(kTransA), "n"(kTransB));
    }
};

template <>
struct Wgmma<__nv_bfloat16, 128> {
    template <int kTransA, int kTransB>
    __device__ static __forceinline__ void shared(float (&d)[64], uint64_t a, uint64_t b, bool keep) {
        asm volatile(
            "{\n.reg .pred p;\nsetp.ne.b32 p, %66, 0;\n"
            "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 " TILES_SUMS_128 ", %64, %65, p, 1, 1, %67, %68;\n}"
            : TILES_OPERANDS_128
            : "l"(a), "l"(b), "r"(static_cast<int>(keep)), "n"(kTransA), "n"(kTransB));
    }
};

template <>
struct Wgmma<__nv_bfloat16, 192> {
    template <int kTransA, int kTransB>
    __device__ static __forceinline__ void shared(float (&d)[96], uint64_t a, uint64_t b, bool keep) {
        asm volatile(
            "{\n.reg .pred p;\nsetp.ne.b32 p, %98, 0;\n"
            "wgmma.mma_async.sync.aligned.m64n192k16.f32.bf16.bf16 " TILES_SUMS_192 ", %96, %97, p, 1, 1, %99, %100;\n}"
            : TILES_OPERANDS_192
            : "l"(a), "l"(b), "r"(static_cast<int>(keep)), "n"(kTransA), "n"(kTransB));
    }
};

template <>
struct Wgmma<__nv_bfloat16, 256> {
    template <int kTransA, int kTransB>
    __device__ static __forceinline__ void shared(float (&d)[128], uint64_t a, uint64_t b, bool keep) {
        asm volatile(
            "{\n.reg .pred p;\nsetp.ne.b32 p, %130, 0;\n"
            "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 " TILES_SUMS_256
            ", %128, %129, p, 1, 1, %131, %132;\n}"
            : TILES_OPERANDS_256
            : "l"(a), "l"(b), "r"(static_cast<int>(keep)), "n"(kTransA), "n"(kTransB));
    }
};

template <>
struct Wgmma<__half, 64> {
    template <int kTransA, int kTransB>
    __device__ static __forceinline__ void shared(float (&d)[32], uint64_t a, uint64_t b, bool keep) {
        asm volatile(
            "{\n.reg .pred p;\nsetp.ne.b32 p, %34, 0;\n"
            "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " TILES_SUMS_64 ", %32, %33, p, 1, 1, %35, %36;\n}"
            : TILES_OPERANDS_64
            : "l"(a), "l"(b), "r"(static_cast<int>(keep)), "n"(kTransA), "n"(kTransB));
    }
};

template <>
struct Wgmma<__half, 128> {
    template <int kTransA, int kTransB>
    __device__ static __forceinline__ void shared(float (&d)[64], uint64_t a, uint64_t b, bool keep) {
        asm volatile(
            "{\n.reg .pred p;\nsetp.ne.b32 p, %66, 0;\n"
            "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 " TILES_SUMS_128 ", %64, %65, p, 1, 1, %67, %68;\n}"
            : TILES_OPERANDS_128
            : "l"(a), "l"(b), "r"(static_cast<int>(keep)), "n"(kTransA), "n"(kTransB));
    }
};

template <>
struct Wgmma<__half, 192> {
    template <int kTransA, int kTransB>
    __device__ static __forceinline__ void shared(float (&d)[96], uint64_t a, uint64_t b, bool keep) {
        asm volatile(
            "{\n.reg .pred p;\nsetp.ne.b32 p, %98, 0;\n"
            "wgmma.mma_async.sync.aligned.m64n192k16.f32.f16.f16 " TILES_SUMS_192 ", %96, %97, p, 1, 1, %99, %100;\n}"
            : TILES_OPERANDS_192
            : "l"(a), "l"(b), "r"(static_cast<int>(keep)), "n"(kTransA), "n"(kTransB));
    }
};

template <>
struct Wgmma<__half, 256> {
    template <int kTransA, int kTransB>
    __device__ static __forceinline__ void shared(float (&d)[128], uint64_t a, uint64_t b, bool keep) {
        asm volatile(
            "{\n.reg .pred p;\nsetp.ne.b32 p, %130, 0;\n"
            "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 " TILES_SUMS_256
            ", %128, %129, p, 1, 1, %131, %132;\n}"
            : TILES_OPERANDS_256
            : "l"(a), "l"(b), "r"(static_cast<int>(keep)), "n"(kTransA), "n"(kTransB));
    }
};

template <>
struct Wgmma<Tf32, 64> {
    __device__ static __forceinline__ void registers(float (&d)[32], const uint32_t (&a)[4], uint64_t b, bool keep) {
        asm volatile(
            "{\n.reg .pred p;\nsetp.ne.b32 p, %37, 0;\n"
            "wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32 " TILES_SUMS_64
            ", {%32, %33, %34, %35}, %36, p, 1, 1;\n}"
            : TILES_OPERANDS_64
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(static_cast<int>(keep)));
    }
};

template <>
struct Wgmma<Tf32, 128> {
    __device__ static __forceinline__ void registers(float (&d)[64], const uint32_t (&a)[4], uint64_t b, bool keep) {
        asm volatile(
            "{\n.reg .pred p;\nsetp.ne.b32 p, %69, 0;\n"
            "wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32 " TILES_SUMS_128
            ", {%64, %65, %66, %67}, %68, p, 1, 1;\n}"
            : TILES_OPERANDS_128
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(static_cast<int>(keep)));
    }
};

template <>
struct Wgmma<Tf32, 192> {
    __device__ static __forceinline__ void registers(float (&d)[96], const uint32_t (&a)[4], uint64_t b, bool keep) {
        asm volatile(
            "{\n.reg .pred p;\nsetp.ne.b32 p, %101, 0;\n"
            "wgmma.mma_async.sync.aligned.m64n192k8.f32.tf32.tf32 " TILES_SUMS_192
            ", {%96, %97, %98, %99}, %100, p, 1, 1;\n}"
            : TILES_OPERANDS_192
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(static_cast<int>(keep)));
    }
};

template <>
struct Wgmma<Tf32, 256> {
    __device__ static __forceinline__ void registers(float (&d)[128], const uint32_t (&a)[4], uint64_t b, bool keep) {
        asm volatile(
            "{\n.reg .pred p;\nsetp.ne.b32 p, %133, 0;\n"
            "wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32 " TILES_SUMS_256
            ", {%128, %129, %130, %131}, %132, p, 1, 1;\n}"
            : TILES_OPERANDS_256
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(static_cast<int>(keep)));
    }
};

#undef TILES_SUMS_64
#undef TILES_OPERANDS_64
#undef TILES_SUMS_128
#undef TILES_OPERANDS_128
#undef TILES_SUMS_192
#undef TILES_OPERANDS_192
#undef TILES_SUMS_256
#undef TILES_OPERANDS_256

}  // namespace tiles::hopper
