// Like douyixuan/cuda-by-example examples/multi-stream-pipeline/multi-stream-pipeline.cu
#include <math.h>
#include <stdio.h>
const int N = 1 << 12, NSTREAMS = 4, CHUNK = N / NSTREAMS;
__global__ void process(float* data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = sqrtf(data[i]) + 1.0f;
}
int main() {
    float *h, *d, ms = 0;
    cudaMallocHost(&h, N * sizeof(float));
    for (int i = 0; i < N; i++) h[i] = (float)i;
    cudaMalloc(&d, N * sizeof(float));
    cudaStream_t streams[NSTREAMS];
    for (int s = 0; s < NSTREAMS; s++) cudaStreamCreate(&streams[s]);
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start);
    for (int s = 0; s < NSTREAMS; s++)
        cudaMemcpyAsync(d + s * CHUNK, h + s * CHUNK, CHUNK * sizeof(float), cudaMemcpyHostToDevice, streams[s]);
    for (int s = 0; s < NSTREAMS; s++) process<<<(CHUNK + 255) / 256, 256, 0, streams[s]>>>(d + s * CHUNK, CHUNK);
    for (int s = 0; s < NSTREAMS; s++)
        cudaMemcpyAsync(h + s * CHUNK, d + s * CHUNK, CHUNK * sizeof(float), cudaMemcpyDeviceToHost, streams[s]);
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    cudaEventElapsedTime(&ms, start, stop);
    bool ok = ms > 0;
    for (int i = 0; i < N; i++) ok = ok && fabsf(h[i] - sqrtf(i) - 1) < 1e-4f;
    printf("%s\n", ok ? "PASS" : "FAIL");
    for (int s = 0; s < NSTREAMS; s++) cudaStreamDestroy(streams[s]);
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    cudaFreeHost(h);
    cudaFree(d);
    return !ok;
}
