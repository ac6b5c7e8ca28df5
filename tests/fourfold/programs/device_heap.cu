// Lists that threads make with malloc in the kernel, walked and freed by another launch.
#include "fourfold.cuh"

struct Node {
    int value;
    Node* next;
};
__device__ Node* heads[16];

__global__ void build(int length) {
    Node* head = nullptr;
    for (int i = 0; i < length + int(threadIdx.x); ++i) {
        Node* const node = static_cast<Node*>(malloc(sizeof(Node)));
        if (node == nullptr) return;
        *node = {i * int(threadIdx.x), head};
        head = node;
    }
    heads[threadIdx.x] = head;
}

__global__ void walk(int* sums) {
    int sum = 0;
    for (Node* at = heads[threadIdx.x]; at != nullptr;) {
        Node* const next = at->next;
        sum += at->value;
        free(at);
        at = next;
    }
    sums[threadIdx.x] = sum;
}

int main() {
    CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
    const Buffer<int> sums(16);
    build<<<1, 16>>>(5);
    walk<<<1, 16>>>(sums);
    std::vector<int> expected;
    for (int t = 0; t < 16; ++t) expected.push_back(t * (t + 5) * (t + 4) / 2);
    return same("sums", sums.host(), expected);
}
