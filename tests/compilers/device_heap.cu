// Memory that kernels take and give back themselves: lists that outlive the kernel that makes them, objects, arrays of
// several types, and a heap that is full.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

struct Node {
    int value;
    Node* next;
};

__device__ Node* heads[64];

// Each thread makes a list of its own length.
__global__ void make_lists() {
    Node* head = nullptr;
    for (int i = 0; i <= static_cast<int>(threadIdx.x) % 5; ++i) {
        Node* node = static_cast<Node*>(malloc(sizeof(Node)));
        node->value = threadIdx.x * 10 + i;
        node->next = head;
        head = node;
    }
    heads[threadIdx.x] = head;
}

// Adds the list of another thread up and frees it.
__global__ void add_up(int* sums) {
    const unsigned which = blockDim.x - 1 - threadIdx.x;
    int sum = 0;
    for (Node* node = heads[which]; node != nullptr;) {
        sum += node->value;
        Node* next = node->next;
        free(node);
        node = next;
    }
    sums[which] = sum;
}

struct Box {
    __device__ explicit Box(int n) : count(n), items(new double[n]) {
        for (int i = 0; i < n; ++i) items[i] = i * 0.5;
    }
    __device__ ~Box() { delete[] items; }
    int count;
    double* items;
};

__global__ void boxes(double* sums) {
    Box* box = new Box(threadIdx.x + 1);
    double sum = 0;
    for (int i = 0; i < box->count; ++i) sum += box->items[i];
    sums[threadIdx.x] = sum;
    delete box;
}

// How many blocks of 64 KiB the heap has; all of them are given back.
__global__ void fill(int* found) {
    constexpr int kMost = 512;
    static __device__ void* taken[kMost];
    int n = 0;
    while (n < kMost && (taken[n] = malloc(65536)) != nullptr) ++n;
    for (int i = 0; i < n; ++i) free(taken[i]);
    *found = n;
}

int failures = 0;

void verdict(const char* what, bool holds) {
    holds = holds && cudaDeviceSynchronize() == cudaSuccess && cudaGetLastError() == cudaSuccess;
    std::printf("%s %s\n", holds ? "PASS" : "FAIL", what);
    failures += holds ? 0 : 1;
}

int main() {
    std::size_t size = 0;
    cudaDeviceGetLimit(&size, cudaLimitMallocHeapSize);
    verdict("8 MB by default", size == 8 << 20);

    int* sums = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&sums), 64 * sizeof(int));
    make_lists<<<1, 64>>>();
    add_up<<<1, 64>>>(sums);
    std::vector<int> got(64), want(64);
    cudaMemcpy(got.data(), sums, 64 * sizeof(int), cudaMemcpyDeviceToHost);
    for (int t = 0; t < 64; ++t)
        for (int i = 0; i <= t % 5; ++i) want[t] += t * 10 + i;
    verdict("lists that outlive a kernel", got == want);

    double* halves = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&halves), 32 * sizeof(double));
    boxes<<<1, 32>>>(halves);
    std::vector<double> has(32), should(32);
    cudaMemcpy(has.data(), halves, 32 * sizeof(double), cudaMemcpyDeviceToHost);
    for (int t = 0; t < 32; ++t) should[t] = 0.25 * t * (t + 1);
    verdict("new and delete", has == should);

    for (int turn = 0; turn < 2; ++turn) {
        fill<<<1, 1>>>(sums);
        int found = 0;
        cudaMemcpy(&found, sums, sizeof(int), cudaMemcpyDeviceToHost);
        verdict("a heap that is full, and empty again", found >= 100 && found < 128);
    }
    return failures != 0;
}
