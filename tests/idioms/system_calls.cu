// What kernels ask of the system: printf, assert, the heap, clocks.
#include <cassert>

#include "idioms.cuh"

__global__ void prints(int n) {
    if (threadIdx.x == 0)
        printf("said: %d %5.2f %s %c %x %lld %-4u| %e %%\n", n, 1.5, "text", 'q', 255, 1ll << 40, 7u, 12345.678);
    if (threadIdx.x < 3) printf("said: thread %d of %u\n", threadIdx.x, blockDim.x);
}
IDIOM(printf_in_a_kernel) {
    prints<<<1, 32>>>(42);
    report.check(cudaDeviceSynchronize() == cudaSuccess);
}

__global__ void asserts(int* out) {
    assert(threadIdx.x < 64 && "never more");
    out[threadIdx.x] = threadIdx.x;
}
IDIOM(assert_that_holds) {
    Buffer<int> out(64);
    asserts<<<1, 64>>>(out);
    report.expect(out, [](int i) { return i; });
}

__global__ void allocates(int* out) {
    int* mine = static_cast<int*>(malloc(sizeof(int) * (threadIdx.x + 1)));
    if (mine == nullptr) return;
    for (unsigned i = 0; i <= threadIdx.x; ++i) mine[i] = i;
    int sum = 0;
    for (unsigned i = 0; i <= threadIdx.x; ++i) sum += mine[i];
    free(mine);
    int* array = new int[4]{1, 2, 3, 4};
    out[threadIdx.x] = sum + array[threadIdx.x % 4];
    delete[] array;
}
IDIOM(malloc_and_new_in_a_kernel) {
    Buffer<int> out(32);
    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20);
    allocates<<<1, 32>>>(out);
    report.expect(out, [](int i) { return i * (i + 1) / 2 + i % 4 + 1; });
}

struct Node {
    int value;
    Node* next;
};
__device__ Node* list_head;
__global__ void builds() {
    for (int i = 0; i < 10; ++i) list_head = new Node{i * i, list_head};
}
__global__ void walks(int* out) {
    int k = 0;
    for (Node* n = list_head; n != nullptr;) {
        out[k++] = n->value;
        Node* next = n->next;
        delete n;
        n = next;
    }
    list_head = nullptr;
}
IDIOM(list_that_outlives_its_kernel) {
    Buffer<int> out(10);
    builds<<<1, 1>>>();
    walks<<<1, 1>>>(out);
    report.expect(out, [](int i) { return (9 - i) * (9 - i); });
}

__global__ void clocks(int* out) {
    const clock_t a = clock();
    const long long b = clock64();
    unsigned long long ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    __nanosleep(100);
    const clock_t c = clock();
    const long long d = clock64();
    out[threadIdx.x] = (d >= b) + 2 * (c - a >= 0) + 4 * (ns > 0);
}
IDIOM(clocks_that_rise) {
    Buffer<int> out(32);
    clocks<<<1, 32>>>(out);
    report.expect(out, [](int) { return 7; });
}

__global__ void guarded(const int* in, int* out) {
    if (in[threadIdx.x] < 0) __trap();
    if (in[threadIdx.x] > 1000) __brkpt();
    out[threadIdx.x] = in[threadIdx.x] + 1;
}
IDIOM(trap_that_is_not_reached) {
    Buffer<int> in(32), out(32);
    guarded<<<1, 32>>>(in, out);
    report.expect(out, [](int) { return 1; });
}

__global__ void bulk(char* out) {
    char local[32];
    memset(local, 'a', sizeof local);
    memcpy(out + threadIdx.x * 32, local, 16);
    memset(out + threadIdx.x * 32 + 16, static_cast<int>(threadIdx.x), 16);
}
IDIOM(memset_and_memcpy_in_a_kernel) {
    Buffer<char> out(8 * 32);
    bulk<<<1, 8>>>(out);
    report.expect(out, [](int i) { return i % 32 < 16 ? 'a' : i / 32; });
}

__global__ void fences(int* out) {
    out[threadIdx.x] = 1;
    __threadfence_block();
    __threadfence();
    __threadfence_system();
    out[threadIdx.x] += 1;
    __prof_trigger(0);
}
IDIOM(fences_of_each_scope) {
    Buffer<int> out(32);
    fences<<<1, 32>>>(out);
    report.expect(out, [](int) { return 2; });
}

__global__ void hints(const int* in, int* out, int n) {
    __builtin_assume(n > 0);
    const int* aligned = static_cast<const int*>(__builtin_assume_aligned(in, 16));
    if (__builtin_expect(n > 1000, 0)) out[0] = -1;
    out[threadIdx.x] = aligned[threadIdx.x] / n;
    if (n < 0) __builtin_unreachable();
}
IDIOM(hints_to_the_compiler) {
    Buffer<int> in(32), out(32);
    for (int i = 0; i < 32; ++i) in[i] = i * 10;
    hints<<<1, 32>>>(in, out, 5);
    report.expect(out, [](int i) { return i * 2; });
}
