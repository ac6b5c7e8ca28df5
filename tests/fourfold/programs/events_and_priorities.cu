// Time between events, priorities of streams, and functions of the host that a stream calls in order.
#include "fourfold.cuh"

__global__ void add(int* at, int by) { atomicAdd(at, by); }

static void note(void* data) {
    auto* const list = static_cast<std::vector<int>*>(data);
    list->push_back(static_cast<int>(list->size()) * 7);
}

int main() {
    int least = 0, greatest = 0;
    CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    cudaStream_t high, low;
    CHECK(cudaStreamCreateWithPriority(&high, cudaStreamNonBlocking, greatest));
    CHECK(cudaStreamCreateWithPriority(&low, cudaStreamNonBlocking, least));
    cudaEvent_t start, end;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&end));
    const Buffer<int> sum(1);
    std::vector<int> called;
    CHECK(cudaEventRecord(start, low));
    for (int i = 1; i <= 5; ++i) {
        add<<<1, 32, 0, i % 2 ? high : low>>>(sum, i);
        CHECK(cudaLaunchHostFunc(low, note, &called));
    }
    CHECK(cudaStreamSynchronize(high));
    CHECK(cudaEventRecord(end, low));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventQuery(end));
    float milliseconds = -1;
    CHECK(cudaEventElapsedTime(&milliseconds, start, end));
    std::printf("priorities %d to %d\n", least, greatest);
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(end));
    CHECK(cudaStreamDestroy(high));
    CHECK(cudaStreamDestroy(low));
    return same("sum", sum.host(), {15 * 32}) + same("called", called, {0, 7, 14, 21, 28}) +
           verdict("time goes forward", milliseconds >= 0);
}
