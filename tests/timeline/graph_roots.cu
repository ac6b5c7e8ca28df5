// Three equal kernels of a graph that come behind nothing.
#include <cuda_runtime.h>
#include <cstdlib>

#define CHECK(call) \
    if ((call) != cudaSuccess) std::exit(1)

__global__ void grow(float* values) {
    float value = threadIdx.x;
    for (int i = 0; i < 100; i++) value = value * 1.01f + 1;
    values[threadIdx.x] = value;
}

int main() {
    float* values;
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaGraphExec_t exec;
    CHECK(cudaMalloc(&values, 3 * 256 * sizeof(float)));
    CHECK(cudaGraphCreate(&graph, 0));
    for (int i = 0; i < 3; ++i) {
        float* own = values + i * 256;
        void* arguments[] = {&own};
        cudaKernelNodeParams said = {};
        said.func = (void*)grow;
        said.gridDim = dim3(1);
        said.blockDim = dim3(256);
        said.kernelParams = arguments;
        CHECK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &said));
    }
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(values));
}
