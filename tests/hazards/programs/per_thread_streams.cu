// Programs whose default stream is each host thread's own: it waits for no stream but the legacy one.
//
// check: streams
// run: -D CUDA_API_PER_THREAD_DEFAULT_STREAM
// case same_thread: clean
// case two_threads: stream-race ADD
// case two_threads_in_turn: clean
// case two_threads_apart: clean
// case blocking_stream: stream-race SET ADD
// case blocking_stream_after_event: clean
// case legacy_stream: clean
// case legacy_stream_first: clean
// case named_by_its_handle: clean
// case copy_waits_for_its_own: clean
// case copy_beside_a_stream: stream-race ADD DOWNLOAD
// case copy_after_the_stream: clean
// case device_waits_for_all: clean
#include <cstring>
#include <thread>

__global__ void add(int* values, int count) {
    for (int i = threadIdx.x; i < count; i += blockDim.x) values[i] += 1;
}

int *values, host[1024];

// Not by <<<>>>, which clang hands to the legacy stream unless it is told by an option of its own.
void add_on(cudaStream_t stream, int* at, int count) {
    void* arguments[] = {&at, &count};
    cudaLaunchKernel((const void*)add, 1, 128, arguments, 0, stream);  // @ADD
}
void set(int* at, int count) {
    cudaMemsetAsync(at, 0, count * sizeof(int), 0);  // @SET
}
void download() {
    cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);  // @DOWNLOAD
}

int main(int, char** argv) {
    const auto is = [&](const char* name) { return !strcmp(argv[1], name); };
    cudaStream_t blocking;
    cudaEvent_t event;
    cudaStreamCreate(&blocking);
    cudaEventCreate(&event);
    cudaMalloc(&values, sizeof host);
    cudaMemset(values, 0, sizeof host);
    cudaDeviceSynchronize();
    if (is("same_thread")) set(values, 1024), add_on(0, values, 1024);
    if (is("two_threads")) std::thread([] { set(values, 1024); }).join(), add_on(0, values, 1024);
    if (is("two_threads_in_turn")) {
        std::thread([] {
            set(values, 1024);
            cudaStreamSynchronize(0);
        }).join();
        add_on(0, values, 1024);
    }
    if (is("two_threads_apart")) std::thread([] { set(values, 512); }).join(), add_on(0, values + 512, 512);
    if (is("blocking_stream")) set(values, 1024), add_on(blocking, values, 1024);
    if (is("blocking_stream_after_event")) {
        set(values, 1024);
        cudaEventRecord(event, 0);
        cudaStreamWaitEvent(blocking, event, 0);
        add_on(blocking, values, 1024);
    }
    if (is("legacy_stream")) set(values, 1024), add_on(cudaStreamLegacy, values, 1024);
    if (is("legacy_stream_first")) add_on(cudaStreamLegacy, values, 1024), set(values, 1024);
    if (is("named_by_its_handle")) set(values, 1024), add_on(cudaStreamPerThread, values, 1024);
    if (is("copy_waits_for_its_own")) add_on(0, values, 1024), download(), add_on(blocking, values, 1024);
    if (is("copy_beside_a_stream")) add_on(blocking, values, 1024), download();
    if (is("copy_after_the_stream")) {
        add_on(blocking, values, 1024);
        cudaStreamSynchronize(blocking);
        download();
    }
    if (is("device_waits_for_all")) {
        std::thread([] { set(values, 1024); }).join();
        cudaDeviceSynchronize();
        add_on(blocking, values, 1024);
    }
    cudaDeviceSynchronize();
    cudaFree(values);
    cudaEventDestroy(event);
    cudaStreamDestroy(blocking);
}
