// Like douyixuan/cuda-by-example examples/cuda-graphs/cuda-graphs.cu
#include <stdio.h>
const int N = 1024;
__global__ void add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
__global__ void grow(float* data, float by, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] += by;
}
int main() {
    float h[N], *d_a, *d_b, *d_c;
    for (int i = 0; i < N; i++) h[i] = i;
    cudaMalloc(&d_a, sizeof h);
    cudaMalloc(&d_b, sizeof h);
    cudaMalloc(&d_c, sizeof h);
    cudaMemcpy(d_a, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, h, sizeof h, cudaMemcpyHostToDevice);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaGraph_t graph;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    add<<<4, 256, 0, stream>>>(d_a, d_b, d_c, N);
    grow<<<4, 256, 0, stream>>>(d_a, 1.0f, N);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphExec_t instance;
    cudaGraphInstantiate(&instance, graph, NULL, NULL, 0);
    for (int iter = 0; iter < 5; iter++) cudaGraphLaunch(instance, stream);
    cudaStreamSynchronize(stream);
    cudaMemcpy(h, d_c, sizeof h, cudaMemcpyDeviceToHost);
    bool ok = true;
    for (int i = 0; i < N; i++) ok = ok && h[i] == 2 * i + 4;
    printf("%s\n", ok ? "PASS" : "FAIL");
    cudaGraphExecDestroy(instance);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    return !ok;
}
