// Functions of the host that streams call: behind what their stream was given, beside the work of others.
//
// check: streams
// case result_of_its_stream: clean
// case result_of_its_stream_by_callback: clean
// case result_of_another: stream-race DOWNLOAD SUM
// case result_of_another_by_callback: stream-race DOWNLOAD SUM
// case result_of_another_after_event: clean
// case source_of_another: stream-race UPLOAD FILL
// case source_of_another_read: clean
// case source_of_its_stream: clean
// case managed_of_another: stream-race ADD SUM
// case other_half: clean
// case legacy_waits: clean
// case in_library: stream-race DOWNLOAD COPY
// case told_the_host: clean
#include <atomic>
#include <cstdio>
#include <cstring>

constexpr int kCount = 4096, kBytes = kCount * sizeof(int);

__global__ void add(int* values, int count) {
    for (int i = threadIdx.x; i < count; i += blockDim.x) values[i] += 1;
}

int *pinned, *managed, *device, other[kCount];
volatile long sum;
std::atomic<bool> is_done;
cudaStream_t one, two;
cudaEvent_t event;

void sum_up(void* data) {
    const int* values = static_cast<int*>(data);
    long all = 0;
    for (int i = 0; i < 64; ++i) all += values[i];  // @SUM
    sum = all;
    is_done = true;
}
void sum_up_callback(cudaStream_t, cudaError_t, void* data) { sum_up(data); }
void fill(void* data) {
    int* values = static_cast<int*>(data);
    for (int i = 0; i < 64; ++i) values[i] = i;  // @FILL
}
void copy_out(void* data) {
    memcpy(other, data, kBytes);  // @COPY
    sum = other[0];
}
void download(cudaStream_t stream) {
    cudaMemcpyAsync(pinned, device, kBytes, cudaMemcpyDeviceToHost, stream);  // @DOWNLOAD
}
void upload(cudaStream_t stream) {
    cudaMemcpyAsync(device, pinned, kBytes, cudaMemcpyHostToDevice, stream);  // @UPLOAD
}
void add_to(int* values, int count, cudaStream_t stream) {
    add<<<1, 128, 0, stream>>>(values, count);  // @ADD
}

int main(int, char** argv) {
    const auto is = [&](const char* name) { return !strcmp(argv[1], name); };
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
    cudaEventCreate(&event);
    cudaMallocHost(&pinned, kBytes);
    cudaMallocManaged(&managed, kBytes);
    cudaMalloc(&device, kBytes);
    memset(pinned, 0, kBytes);
    memset(managed, 0, kBytes);
    cudaMemset(device, 0, kBytes);
    cudaDeviceSynchronize();
    if (is("result_of_its_stream")) download(one), cudaLaunchHostFunc(one, sum_up, pinned);
    if (is("result_of_its_stream_by_callback")) download(one), cudaStreamAddCallback(one, sum_up_callback, pinned, 0);
    if (is("result_of_another")) download(one), cudaLaunchHostFunc(two, sum_up, pinned);
    if (is("result_of_another_by_callback")) download(one), cudaStreamAddCallback(two, sum_up_callback, pinned, 0);
    if (is("result_of_another_after_event")) {
        download(one);
        cudaEventRecord(event, one);
        cudaStreamWaitEvent(two, event, 0);
        cudaLaunchHostFunc(two, sum_up, pinned);
    }
    if (is("source_of_another")) upload(one), cudaLaunchHostFunc(two, fill, pinned);
    if (is("source_of_another_read")) upload(one), cudaLaunchHostFunc(two, sum_up, pinned);
    if (is("source_of_its_stream")) upload(one), cudaLaunchHostFunc(one, fill, pinned), upload(one);
    if (is("managed_of_another")) add_to(managed, kCount, one), cudaLaunchHostFunc(two, sum_up, managed);
    if (is("other_half")) add_to(managed, kCount / 2, one), cudaLaunchHostFunc(two, sum_up, managed + kCount / 2);
    if (is("legacy_waits")) {
        cudaStream_t blocking;
        cudaStreamCreate(&blocking);
        download(blocking);
        cudaLaunchHostFunc(0, sum_up, pinned);
        cudaDeviceSynchronize();
        cudaStreamDestroy(blocking);
    }
    if (is("in_library")) download(one), cudaLaunchHostFunc(two, copy_out, pinned);
    if (is("told_the_host")) {
        download(one);
        cudaLaunchHostFunc(one, sum_up, pinned);
        while (!is_done) {
        }
        sum = pinned[0];
    }
    cudaDeviceSynchronize();
    cudaFreeHost(pinned);
    cudaFree(managed);
    cudaFree(device);
    cudaStreamDestroy(one);
    cudaStreamDestroy(two);
    cudaEventDestroy(event);
}
