// Like yuhc/gpu-rodinia cuda/bfs (bfs.cu, kernel.cu, kernel2.cu)
#include <cuda.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <queue>
#include <vector>
#define MAX_THREADS_PER_BLOCK 256
struct Node {
    int starting;
    int no_of_edges;
};
__global__ void Kernel(Node* nodes, int* edges, bool* mask, bool* updating, bool* visited, int* cost, int n) {
    int tid = blockIdx.x * MAX_THREADS_PER_BLOCK + threadIdx.x;
    if (tid < n && mask[tid]) {
        mask[tid] = false;
        for (int i = nodes[tid].starting; i < nodes[tid].no_of_edges + nodes[tid].starting; i++)
            if (!visited[edges[i]]) {
                cost[edges[i]] = cost[tid] + 1;
                updating[edges[i]] = true;
            }
    }
}
__global__ void Kernel2(bool* mask, bool* updating, bool* visited, bool* over, int n) {
    int tid = blockIdx.x * MAX_THREADS_PER_BLOCK + threadIdx.x;
    if (tid < n && updating[tid]) {
        mask[tid] = true;
        visited[tid] = true;
        *over = true;
        updating[tid] = false;
    }
}
int main() {
    const int n = 600;
    std::vector<Node> nodes(n);
    std::vector<int> edges, cost(n, -1), want(n, -1);
    for (int i = 0; i < n; i++) {
        nodes[i] = {(int)edges.size(), 1 + i % 3};
        for (int k = 0; k <= i % 3; k++) edges.push_back((i * 7 + k * 131 + 1) % n);
    }
    bool h[n] = {true}, stop, *d_mask, *d_updating, *d_visited, *d_over;
    Node* d_nodes;
    int *d_edges, *d_cost;
    cost[0] = want[0] = 0;
    cudaMalloc((void**)&d_nodes, n * sizeof(Node));
    cudaMalloc((void**)&d_edges, edges.size() * sizeof(int));
    cudaMalloc((void**)&d_cost, n * sizeof(int));
    cudaMalloc((void**)&d_mask, n);
    cudaMalloc((void**)&d_updating, n);
    cudaMalloc((void**)&d_visited, n);
    cudaMalloc((void**)&d_over, 1);
    cudaMemcpy(d_nodes, nodes.data(), n * sizeof(Node), cudaMemcpyHostToDevice);
    cudaMemcpy(d_edges, edges.data(), edges.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_cost, cost.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_mask, h, n, cudaMemcpyHostToDevice);
    cudaMemcpy(d_visited, h, n, cudaMemcpyHostToDevice);
    cudaMemset(d_updating, 0, n);
    dim3 grid((n + 255) / 256, 1, 1), threads(MAX_THREADS_PER_BLOCK, 1, 1);
    do {
        stop = false;
        cudaMemcpy(d_over, &stop, sizeof(bool), cudaMemcpyHostToDevice);
        Kernel<<<grid, threads, 0>>>(d_nodes, d_edges, d_mask, d_updating, d_visited, d_cost, n);
        Kernel2<<<grid, threads, 0>>>(d_mask, d_updating, d_visited, d_over, n);
        cudaMemcpy(&stop, d_over, sizeof(bool), cudaMemcpyDeviceToHost);
    } while (stop);
    cudaMemcpy(cost.data(), d_cost, n * sizeof(int), cudaMemcpyDeviceToHost);
    std::queue<int> q({0});
    while (!q.empty()) {
        int v = q.front();
        q.pop();
        for (int e = nodes[v].starting; e < nodes[v].starting + nodes[v].no_of_edges; e++)
            if (want[edges[e]] < 0) {
                want[edges[e]] = want[v] + 1;
                q.push(edges[e]);
            }
    }
    bool ok = cost == want;
    printf("%s\n", ok ? "PASS" : "FAIL");
    cudaFree(d_nodes);
    cudaFree(d_edges);
    cudaFree(d_cost);
    cudaFree(d_mask);
    cudaFree(d_updating);
    cudaFree(d_visited);
    cudaFree(d_over);
    return !ok;
}
