// One array in parts, each with its copies and its kernel in a stream of its own; pinned memory, and events between.
#include "fourfold.cuh"

__global__ void work(const float* in, float* out, int count, float by) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) out[i] = in[i] * by + out[i];
}

int main() {
    constexpr int parts = 4, part = 256, count = parts * part;
    float *in = nullptr, *out = nullptr;
    CHECK(cudaMallocHost((void**)&in, count * sizeof(float)));
    CHECK(cudaHostAlloc((void**)&out, count * sizeof(float), cudaHostAllocDefault));
    const std::vector<float> values = numbers<float>(count, -1, 1);
    std::vector<float> expected;
    for (int i = 0; i < count; ++i)
        in[i] = values[i], expected.push_back(values[i] * 2 + 0 + (i < part ? values[i] * 3 : 0));
    const Buffer<float> from(count), to(count);
    cudaStream_t streams[parts];
    cudaEvent_t first_done;
    CHECK(cudaEventCreateWithFlags(&first_done, cudaEventDisableTiming));
    for (int i = 0; i < parts; ++i) {
        CHECK(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
        CHECK(
            cudaMemcpyAsync(from + i * part, in + i * part, part * sizeof(float), cudaMemcpyHostToDevice, streams[i]));
        work<<<2, 128, 0, streams[i]>>>(from + i * part, to + i * part, part, 2);
        if (i == 0) CHECK(cudaEventRecord(first_done, streams[0]));
        if (i > 0)
            CHECK(cudaMemcpyAsync(out + i * part, to + i * part, part * sizeof(float), cudaMemcpyDeviceToHost,
                                  streams[i]));
    }
    CHECK(cudaStreamWaitEvent(streams[1], first_done, 0));
    work<<<2, 128, 0, streams[1]>>>(from, to, part, 3);
    CHECK(cudaMemcpyAsync(out, to, part * sizeof(float), cudaMemcpyDeviceToHost, streams[1]));
    for (const cudaStream_t stream : streams) {
        CHECK(cudaStreamSynchronize(stream));
        CHECK(cudaStreamQuery(stream));
        CHECK(cudaStreamDestroy(stream));
    }
    const std::vector<float> found(out, out + count);
    CHECK(cudaEventDestroy(first_done));
    CHECK(cudaFreeHost(in));
    CHECK(cudaFreeHost(out));
    return near("parts", found, expected);
}
