// Instructions of sm_80 to sm_90a, which clang's releases write into PTX of older versions than nvcc does.
#include <cstdio>

struct Wide {
    int values[1500];  // more parameters than PTX before 8.1 allows
};

__global__ void modern(Wide wide, unsigned* out) {
    __shared__ unsigned long long barrier;
    const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
    unsigned sum = 0, done = 0, rank = 0;
    asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(sum) : "r"(threadIdx.x % 32));
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 128;" ::"r"(address) : "memory");
    __syncthreads();
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address) : "memory");
    while (done == 0)
        asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\nselp.u32 %0, 1, 0, p;\n}"
                     : "=r"(done)
                     : "r"(address)
                     : "memory");
    asm volatile("wgmma.fence.sync.aligned;\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::
                     : "memory");
    if (threadIdx.x == 0) *out = sum + rank + wide.values[1499];
}

int main() {
    static Wide wide;
    wide.values[1499] = 4;
    unsigned *out = nullptr, value = 0;
    if (cudaMalloc(&out, sizeof *out) != cudaSuccess) return 1;
    modern<<<1, 128>>>(wide, out);
    if (cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost) != cudaSuccess) return 2;
    std::printf("modern: %u\n", value);
    return value == 500 ? 0 : 3;
}
