// Copies and kernels in flight at the same time: pinned memory, streams and events.
//
// Work in one stream runs in order; work in different streams may overlap. A copy can only run beside a kernel when the
// host's side of it is pinned (the copy engine works on physical addresses, which must not move), when it is started
// with cudaMemcpyAsync, and when it is in another stream than the kernel.
#include "check.h"

constexpr int kThreads = 256;
constexpr int kChunks = 8;
constexpr int kChunk = 1 << 16;  // elements
constexpr int kElements = kChunks * kChunk;

__global__ void scale(const float* in, float* out, float factor) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] * factor;
}
__global__ void add(const float* a, const float* b, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = a[i] + b[i];
}

// Chunk after chunk, in two streams by turns: while one chunk is computed, the next is on its way in and the last on
// its way out. No chunk needs another, so nothing but the order within each stream is asked for.
static void pipeline(const float* in, float* out, Verdict& verdict) {
    float* d_in = device_buffer<float>(kElements);
    float* d_out = device_buffer<float>(kElements);
    cudaStream_t streams[2];
    for (cudaStream_t& stream : streams) CHECK(cudaStreamCreate(&stream));
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));

    CHECK(cudaEventRecord(begin));
    for (int chunk = 0; chunk < kChunks; ++chunk) {
        const cudaStream_t stream = streams[chunk % 2];
        const std::size_t first = static_cast<std::size_t>(chunk) * kChunk;
        CHECK(cudaMemcpyAsync(d_in + first, in + first, kChunk * sizeof(float), cudaMemcpyHostToDevice, stream));
        scale<<<kChunk / kThreads, kThreads, 0, stream>>>(d_in + first, d_out + first, 2.0f);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpyAsync(out + first, d_out + first, kChunk * sizeof(float), cudaMemcpyDeviceToHost, stream));
    }
    CHECK(cudaEventRecord(end));  // the default stream waits for the others, so this stands behind all of them
    CHECK(cudaEventSynchronize(end));

    bool right = true;
    for (int i = 0; i < kElements; ++i) right = right && out[i] == in[i] * 2.0f;
    verdict.that("chunks in two streams", right);
    float milliseconds = -1;
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    verdict.that("the end comes after the beginning", milliseconds >= 0);

    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
    for (cudaStream_t stream : streams) CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
}

// One stream's result is the other's input. Nothing orders two streams by itself: the consumer has to wait for an event
// that the producer records behind its work. Without that the sum may be taken before the copy has arrived; that it
// usually comes out right is luck.
static void handover(const float* in, float* out, Verdict& verdict) {
    float* d_a = device_buffer<float>(kElements);
    float* d_b = device_buffer<float>(kElements);
    float* d_sum = device_buffer<float>(kElements);
    cudaStream_t producer, consumer;
    CHECK(cudaStreamCreate(&producer));
    CHECK(cudaStreamCreate(&consumer));
    cudaEvent_t ready;
    CHECK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));  // used for order only

    CHECK(cudaMemcpyAsync(d_a, in, kElements * sizeof(float), cudaMemcpyHostToDevice, producer));
    scale<<<kElements / kThreads, kThreads, 0, producer>>>(d_a, d_b, -3.0f);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(ready, producer));

    CHECK(cudaStreamWaitEvent(consumer, ready, 0));  // the consumer's stream waits; the host goes on
    add<<<kElements / kThreads, kThreads, 0, consumer>>>(d_a, d_b, d_sum);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(out, d_sum, kElements * sizeof(float), cudaMemcpyDeviceToHost, consumer));
    CHECK(cudaStreamSynchronize(consumer));

    bool right = true;
    for (int i = 0; i < kElements; ++i) right = right && out[i] == in[i] + in[i] * -3.0f;
    verdict.that("handed over with an event", right);

    CHECK(cudaEventDestroy(ready));
    CHECK(cudaStreamDestroy(producer));
    CHECK(cudaStreamDestroy(consumer));
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_sum));
}

int main() {
    float *in = nullptr, *out = nullptr;  // pinned: the copies below can run beside kernels
    CHECK(cudaMallocHost(reinterpret_cast<void**>(&in), kElements * sizeof(float)));
    CHECK(cudaMallocHost(reinterpret_cast<void**>(&out), kElements * sizeof(float)));
    const std::vector<float> values = eighths(kElements, 13);
    for (int i = 0; i < kElements; ++i) in[i] = values[i];

    Verdict verdict;
    pipeline(in, out, verdict);
    handover(in, out, verdict);
    CHECK(cudaFreeHost(in));
    CHECK(cudaFreeHost(out));
    return verdict.status();
}
