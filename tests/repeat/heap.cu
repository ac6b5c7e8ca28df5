// Where memory lies shows in what a program does: kernels that take memory of their own, pointers that are printed,
// hashed and sorted by.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

struct Node {
    Node* next;
    int value;
};

__global__ void build(Node** heads, int per_list) {
    Node* head = nullptr;
    for (int i = 0; i < per_list; ++i) {
        Node* node = new Node;
        node->next = head;
        node->value = i;
        head = node;
    }
    heads[blockIdx.x * blockDim.x + threadIdx.x] = head;
}

__global__ void sum(Node** heads, int* sums) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    int total = 0;
    for (Node* node = heads[at]; node != nullptr;) {
        total += node->value;
        Node* const next = node->next;
        delete node;
        node = next;
    }
    sums[at] = total;
}

// Each block begins at a place that follows from its pointer's bits.
__global__ void by_address(int** all, int count, int* out) {
    const int* const from = all[(reinterpret_cast<unsigned long long>(all[blockIdx.x]) >> 9) % count];
    out[blockIdx.x * blockDim.x + threadIdx.x] = from[threadIdx.x * 7 % 256];
}

int main() {
    constexpr int kThreads = 256, kBuffers = 16;
    Node** heads;
    int* sums;
    cudaMalloc(&heads, kThreads * sizeof(Node*));
    cudaMalloc(&sums, kThreads * sizeof(int));
    build<<<kThreads / 64, 64>>>(heads, 20);
    sum<<<kThreads / 64, 64>>>(heads, sums);
    build<<<kThreads / 64, 64>>>(heads, 5);
    int total = 0, host[kThreads];
    cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost);
    for (const int value : host) total += value;

    int *managed, *pinned;
    cudaMallocManaged(&managed, 4096);
    cudaMallocHost(&pinned, 4096);
    managed[0] = pinned[0] = 1;
    std::vector<int*> buffers(kBuffers);
    for (int*& buffer : buffers) cudaMalloc(&buffer, 1024), cudaMemset(buffer, 0, 1024);
    std::sort(buffers.begin(), buffers.end(),
              [](int* a, int* b) { return std::hash<int*>()(a) % 7 < std::hash<int*>()(b) % 7; });
    int **all, *out;
    cudaMalloc(&all, kBuffers * sizeof(int*));
    cudaMalloc(&out, kBuffers * 32 * sizeof(int));
    cudaMemcpy(all, buffers.data(), kBuffers * sizeof(int*), cudaMemcpyHostToDevice);
    by_address<<<kBuffers, 32>>>(all, kBuffers, out);
    cudaDeviceSynchronize();
    printf("%p %p %p\n", static_cast<void*>(heads), static_cast<void*>(managed), static_cast<void*>(pinned));
    printf("%s %d\n", total == kThreads * 190 ? "PASS" : "FAIL", total);
}
