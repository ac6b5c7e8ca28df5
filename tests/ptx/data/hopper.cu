// Source of hopper.ptx: inline PTX of sm_90a, calls through pointers, printf, textures and initialisers.
#include <cuda_fp16.h>
#include <cstdint>
#include <cstdio>
__device__ float table[4][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
__device__ float* pointers[2] = {&table[0][0], &table[1][2]};
struct __attribute__((packed)) Odd {
    char c;
    float* p;
};
__device__ Odd odd = {1, &table[0][1]};
__device__ int add(int a, int b) { return a + b; }
__device__ int sub(int a, int b) { return a - b; }
typedef int (*Fn)(int, int);
__device__ Fn fns[2] = {add, sub};
extern __shared__ float dyn[];
__global__ void __launch_bounds__(256, 2) indirect(int* out, int which) {
    out[threadIdx.x] = fns[which](out[threadIdx.x], 3);
    if (out[threadIdx.x] == 7) printf("hi \"%d\"\n", which);
}
__global__ void mma16816(const half* a, const half* b, float* d) {
    uint32_t ra[4], rb[2];
    float rd[4] = {};
    for (int i = 0; i < 4; i++) ra[i] = reinterpret_cast<const uint32_t*>(a)[threadIdx.x * 4 + i];
    for (int i = 0; i < 2; i++) rb[i] = reinterpret_cast<const uint32_t*>(b)[threadIdx.x * 2 + i];
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(rd[0]), "+f"(rd[1]), "+f"(rd[2]), "+f"(rd[3])
        : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    for (int i = 0; i < 4; i++) d[threadIdx.x * 4 + i] = rd[i];
}
__global__ void wgmma(uint64_t da, uint64_t db, float* d) {
    float r[4] = {d[0], d[1], d[2], d[3]};
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %6, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, p, 1, -1, 0, 1;\n}\n"
        : "+f"(r[0]), "+f"(r[1]), "+f"(r[2]), "+f"(r[3])
        : "l"(da), "l"(db), "r"(1));
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (int i = 0; i < 4; i++) d[threadIdx.x * 4 + i] = r[i];
}
__global__ void bulk(const void* map, float* out, int x, int y) {
    __shared__ alignas(128) float tile[1024];
    __shared__ uint64_t bar;
    uint32_t b = (uint32_t)__cvta_generic_to_shared(&bar), t = (uint32_t)__cvta_generic_to_shared(tile);
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(b), "r"(1));
    asm volatile("fence.mbarrier_init.release.cluster;");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(b), "r"(4096));
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
            t),
        "l"(map), "r"(x), "r"(y), "r"(b)
        : "memory");
    asm volatile(
        "{\n.reg .pred P1;\nLAB_WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1, 0x989680;\n@P1 bra.uni "
        "DONE;\nbra.uni LAB_WAIT;\nDONE:\n}\n" ::"r"(b),
        "r"(0));
    unsigned p, l;
    asm volatile("{ .reg .pred q; elect.sync %0|q, 0xffffffff; selp.b32 %1, 1, 0, q; }" : "=r"(p), "=r"(l));
    float v = __shfl_xor_sync(~0u, tile[threadIdx.x], 3);
    int pr;
    unsigned m = __match_all_sync(~0u, x, &pr);
    out[threadIdx.x] = v + m + pr + p + l + dyn[threadIdx.x];
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(map), "r"(x),
                 "r"(y), "r"(t)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;");
    asm volatile("multimem.ld_reduce.relaxed.sys.global.add.v4.f32 {%0,%1,%2,%3}, [%4];"
                 : "=f"(out[0]), "=f"(out[1]), "=f"(out[2]), "=f"(out[3])
                 : "l"(out));
}
__global__ void textures(cudaTextureObject_t t, cudaSurfaceObject_t s, float4* out) {
    float4 v = tex2D<float4>(t, threadIdx.x, 0.5f);
    float4 w = tex2DLayered<float4>(t, threadIdx.x, 0.5f, 2);
    surf2Dwrite(v, s, threadIdx.x * 16, 0);
    out[threadIdx.x] = make_float4(v.x + w.y, v.y, v.z, v.w);
}
__global__ void switched(int* out, int k) {
    switch (k) {
        case 0: out[0] = 5; break;
        case 1: out[1] = out[7]; break;
        case 2: out[k] = 2 * out[9]; break;
        case 3: out[4]++; break;
        case 4: out[6] *= out[3]; break;
        case 5: out[k + 3]--; break;
        case 6: atomicAdd(out, 3); break;
        case 7: __threadfence(); break;
    }
}
