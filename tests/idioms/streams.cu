// Streams, events, callbacks.
#include "idioms.cuh"

__global__ void adds(int* data, int value, int n) {
    for (int i = thread_index(); i < n; i += gridDim.x * blockDim.x) data[i] = data[i] * 3 + value;
}

IDIOM(chunks_in_streams) {
    constexpr int n = 1024, streams = 4;
    int *host = nullptr, *device = nullptr;
    cudaMallocHost(&host, n * sizeof(int));
    cudaMalloc(&device, n * sizeof(int));
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaStream_t s[streams];
    for (cudaStream_t& stream : s) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    for (int k = 0; k < streams; ++k) {
        const int at = k * n / streams, bytes = n / streams * sizeof(int);
        cudaMemcpyAsync(device + at, host + at, bytes, cudaMemcpyHostToDevice, s[k]);
        adds<<<2, 64, 0, s[k]>>>(device + at, k, n / streams);
        cudaMemcpyAsync(host + at, device + at, bytes, cudaMemcpyDeviceToHost, s[k]);
    }
    for (cudaStream_t stream : s) cudaStreamSynchronize(stream), cudaStreamDestroy(stream);
    report.bytes(host, n * sizeof(int));
    for (int i = 0; i < n; ++i) report.check(host[i] == 3 * i + i / 256);
    cudaFreeHost(host), cudaFree(device);
}

IDIOM(events_between_streams) {
    Buffer<int> data(64);
    cudaStream_t a, b;
    cudaEvent_t done;
    cudaStreamCreate(&a), cudaStreamCreate(&b);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    adds<<<1, 64, 0, a>>>(data, 5, 64);
    cudaEventRecord(done, a);
    cudaStreamWaitEvent(b, done, 0);
    adds<<<1, 64, 0, b>>>(data, 1, 64);
    cudaStreamSynchronize(b);
    report.check(cudaEventQuery(done) == cudaSuccess && cudaStreamQuery(a) == cudaSuccess);
    report.expect(data, [](int) { return 16; });
    cudaEventDestroy(done), cudaStreamDestroy(a), cudaStreamDestroy(b);
}

IDIOM(time_between_events) {
    Buffer<int> data(1000);
    cudaEvent_t start, stop;
    cudaEventCreate(&start), cudaEventCreate(&stop);
    cudaEventRecord(start);
    adds<<<4, 128>>>(data, 1, 1000);
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    float ms = -1;
    report.check(cudaEventElapsedTime(&ms, start, stop) == cudaSuccess && ms >= 0);
    cudaEventDestroy(start), cudaEventDestroy(stop);
    report.expect(data, [](int) { return 1; });
}

static void CUDART_CB called(void* data) { *static_cast<int*>(data) += 100; }
static void CUDART_CB called_with_status(cudaStream_t, cudaError_t status, void* data) {
    *static_cast<int*>(data) += status == cudaSuccess ? 1000 : 0;
}
IDIOM(host_functions_in_a_stream) {
    Buffer<int> data(8);
    int count = 1;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    adds<<<1, 8, 0, stream>>>(data, 2, 8);
    cudaLaunchHostFunc(stream, called, &count);
    cudaStreamAddCallback(stream, called_with_status, &count, 0);
    cudaLaunchHostFunc(
        stream, [](void* p) { *static_cast<int*>(p) += 7; }, &count);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    report.value(count);
    report.check(count == 1108);
    report.add(data);
}

IDIOM(priorities_and_flags) {
    int least = 0, greatest = 0, priority = 99;
    unsigned flags = 9;
    report.check(cudaDeviceGetStreamPriorityRange(&least, &greatest) == cudaSuccess && greatest <= least);
    cudaStream_t stream;
    cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest);
    cudaStreamGetPriority(stream, &priority), cudaStreamGetFlags(stream, &flags);
    report.check(priority == greatest && flags == cudaStreamNonBlocking);
    report.value(least), report.value(greatest);
    cudaStreamDestroy(stream);
}

IDIOM(named_default_streams) {
    Buffer<int> data(32);
    adds<<<1, 32, 0, cudaStreamLegacy>>>(data, 4, 32);
    adds<<<1, 32, 0, cudaStreamPerThread>>>(data, 4, 32);
    adds<<<1, 32, 0, nullptr>>>(data, 1, 32);
    cudaStreamSynchronize(cudaStreamPerThread);
    report.expect(data, [](int) { return 49; });
}

class Stream {
public:
    Stream() { cudaStreamCreate(&stream_); }
    ~Stream() {
        if (stream_ != nullptr) cudaStreamDestroy(stream_);
    }
    Stream(Stream&& other) noexcept : stream_(other.stream_) { other.stream_ = nullptr; }
    operator cudaStream_t() const { return stream_; }

private:
    cudaStream_t stream_ = nullptr;
};
IDIOM(streams_that_own_themselves) {
    Buffer<int> data(96);
    std::vector<Stream> streams;
    for (int i = 0; i < 3; ++i) streams.emplace_back();
    for (int i = 0; i < 3; ++i) adds<<<1, 32, 0, streams[i]>>>(data.get() + 32 * i, i, 32);
    cudaDeviceSynchronize();
    report.expect(data, [](int i) { return i / 32; });
}

__global__ void fills(int* out, int value) { out[threadIdx.x] = value; }
IDIOM(double_buffers) {
    Buffer<int> results(8 * 16);
    int* device[2];
    cudaMalloc(&device[0], 64), cudaMalloc(&device[1], 64);
    cudaStream_t s[2];
    cudaEvent_t free_again[2];
    for (int k = 0; k < 2; ++k) cudaStreamCreate(&s[k]), cudaEventCreate(&free_again[k]);
    for (int turn = 0; turn < 8; ++turn) {
        const int k = turn & 1;
        cudaEventSynchronize(free_again[k]);
        fills<<<1, 16, 0, s[k]>>>(device[k], turn * 11);
        cudaMemcpyAsync(results.get() + turn * 16, device[k], 64, cudaMemcpyDefault, s[k]);
        cudaEventRecord(free_again[k], s[k]);
    }
    cudaDeviceSynchronize();
    for (int k = 0; k < 2; ++k) cudaStreamDestroy(s[k]), cudaEventDestroy(free_again[k]), cudaFree(device[k]);
    report.expect(results, [](int i) { return i / 16 * 11; });
}
