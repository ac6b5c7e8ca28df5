// Spellings that nvcc takes and clang by itself does not: tilescope mends them on the way (scope/image).
#include "idioms.cuh"

struct Counted {
    long long value;
    int more;
};
__global__ void aligned_after(int* out) {
    __shared__ alignas(128) int numbers[32];
    __shared__ alignas(Counted) unsigned char room[sizeof(Counted)];
    extern __shared__ unsigned char dynamic[];
    numbers[threadIdx.x] = threadIdx.x;
    dynamic[threadIdx.x] = threadIdx.x;
    if (threadIdx.x == 0) reinterpret_cast<Counted*>(room)->value = 7;
    __syncthreads();
    out[threadIdx.x] = numbers[31 - threadIdx.x] * dynamic[threadIdx.x] + reinterpret_cast<Counted*>(room)->value;
}
IDIOM(alignment_behind_the_memory) {
    Buffer<int> out(32);
    aligned_after<<<1, 32, 32>>>(out);
    report.expect(out, [](int i) { return (31 - i) * i + 7; });
}

__global__ void registers_by_one_percent(unsigned* out) {
    unsigned lane, tid, mask;
    asm("mov.u32 %0, %laneid;" : "=r"(lane));
    asm volatile("mov.u32 %0, %tid.x;" : "=r"(tid));
    asm volatile("mov.u32 %0, %lanemask_lt;" : "=r"(mask));
    out[tid] = lane + mask;
}
IDIOM(registers_with_one_percent_sign) {
    Buffer<unsigned> out(64);
    registers_by_one_percent<<<1, 64>>>(out);
    report.expect(out, [](int i) { return i % 32 + (1u << i % 32) - 1; });
}
