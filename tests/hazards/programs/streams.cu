// Work on several streams, with what orders it and without.
//
// check: streams
// case event_between: clean
// case no_event: stream-race COPY_IN COMPUTE
// case same_stream: clean
// case synchronized_between: clean
// case event_synchronized: clean
// case event_recorded_too_early: stream-race COPY_IN COMPUTE
// case wait_on_the_wrong_stream: stream-race COPY_IN COMPUTE
// case default_stream_orders: clean
// case non_blocking_stream: stream-race SET NEXT
// case halves: clean
// case overlapping_halves: stream-race FIRST_HALF SECOND_HALF
// case both_read: clean
// case kernels_chained: clean
// case kernels_unordered: stream-race PRODUCE CONSUME
// case pinned_overwritten: stream-race UPLOAD DOWNLOAD
// case pinned_after_wait: clean
// case pipeline: clean
// case pipeline_one_buffer: stream-race STAGE_IN STAGE_COMPUTE; maybe stream-race STAGE_IN STAGE_IN; maybe stream-race
// case free_waits: clean
// case free_async_elsewhere: stream-race CONSUME_LAST FREE
// case pageable_async: stream-race PAGEABLE mild
#include <cstdlib>
#include <cstring>

constexpr int kCount = 4096, kBytes = kCount * sizeof(float);

__global__ void add(float* values, int first, int count) {
    for (int i = threadIdx.x; i < count; i += blockDim.x) values[first + i] += 1;
}
__global__ void sum(const float* values, float* result) {
    float all = 0;
    for (int i = threadIdx.x; i < kCount; i += blockDim.x) all += values[i];
    atomicAdd(result, all);
}

struct Work {
    cudaStream_t a, b;
    cudaEvent_t done;
    float *pinned, *device, *other, *result;

    explicit Work(unsigned flags = cudaStreamNonBlocking) {
        cudaStreamCreateWithFlags(&a, flags);
        cudaStreamCreateWithFlags(&b, flags);
        cudaEventCreate(&done);
        cudaMallocHost(&pinned, kBytes);
        cudaMalloc(&device, kBytes);
        cudaMalloc(&other, kBytes);
        cudaMalloc(&result, sizeof(float));
        memset(pinned, 0, kBytes);
        cudaMemset(device, 0, kBytes);
        cudaMemset(other, 0, kBytes);
        cudaMemset(result, 0, sizeof(float));
        cudaDeviceSynchronize();
    }
    ~Work() {
        cudaDeviceSynchronize();
        cudaStreamDestroy(a);
        cudaStreamDestroy(b);
        cudaEventDestroy(done);
        cudaFreeHost(pinned);
        cudaFree(device);
        cudaFree(other);
        cudaFree(result);
    }
};

// Of no_event nothing but the copy and the kernel is left.
void copy_then_compute(const char* how) {
    Work w;
    const auto is = [&](const char* name) { return !strcmp(how, name); };
    if (is("event_recorded_too_early")) cudaEventRecord(w.done, w.a);
    cudaMemcpyAsync(w.device, w.pinned, kBytes, cudaMemcpyHostToDevice, w.a);  // @COPY_IN
    if (is("event_between") || is("event_synchronized") || is("wait_on_the_wrong_stream")) cudaEventRecord(w.done, w.a);
    if (is("event_between") || is("event_recorded_too_early")) cudaStreamWaitEvent(w.b, w.done, 0);
    if (is("wait_on_the_wrong_stream")) cudaStreamWaitEvent(w.a, w.done, 0);
    if (is("event_synchronized")) cudaEventSynchronize(w.done);
    if (is("synchronized_between")) cudaStreamSynchronize(w.a);
    add<<<1, 128, 0, is("same_stream") ? w.a : w.b>>>(w.device, 0, kCount);  // @COMPUTE
}

void set_then_default(unsigned flags) {
    Work w(flags);
    cudaMemsetAsync(w.device, 0, kBytes, w.a);  // @SET
    add<<<1, 128>>>(w.device, 0, kCount);       // @NEXT
}

void halves(int second) {
    Work w;
    add<<<1, 128, 0, w.a>>>(w.device, 0, kCount / 2);       // @FIRST_HALF
    add<<<1, 128, 0, w.b>>>(w.device, second, kCount / 2);  // @SECOND_HALF
}

void both_read() {
    Work w;
    sum<<<1, 128, 0, w.a>>>(w.device, w.result);
    sum<<<1, 128, 0, w.b>>>(w.device, w.other);
}

void produce_and_consume(bool ordered) {
    Work w;
    add<<<1, 128, 0, w.a>>>(w.device, 0, kCount);  // @PRODUCE
    if (ordered) {
        cudaEventRecord(w.done, w.a);
        cudaStreamWaitEvent(w.b, w.done, 0);
    }
    sum<<<1, 128, 0, w.b>>>(w.device, w.result);  // @CONSUME
}

void pinned_buffer(bool waits) {
    Work w;
    cudaMemcpyAsync(w.device, w.pinned, kBytes, cudaMemcpyHostToDevice, w.a);  // @UPLOAD
    if (waits) cudaStreamSynchronize(w.a);
    cudaMemcpyAsync(w.pinned, w.other, kBytes, cudaMemcpyDeviceToHost, w.b);  // @DOWNLOAD
}

void pipeline(bool one_buffer) {
    Work w;
    for (int turn = 0; turn < 4; ++turn) {
        const cudaStream_t stream = turn % 2 ? w.b : w.a;
        float* const buffer = turn % 2 && !one_buffer ? w.other : w.device;
        cudaMemcpyAsync(buffer, w.pinned, kBytes, cudaMemcpyHostToDevice, stream);  // @STAGE_IN
        add<<<1, 128, 0, stream>>>(buffer, 0, kCount);                              // @STAGE_COMPUTE
    }
}

void free_in_use(bool async) {
    Work w;
    float* more = nullptr;
    cudaMalloc(&more, kBytes);
    cudaMemset(more, 0, kBytes);
    cudaDeviceSynchronize();
    sum<<<1, 128, 0, w.a>>>(more, w.result);  // @CONSUME_LAST
    if (async)
        cudaFreeAsync(more, w.b);  // @FREE
    else
        cudaFree(more);
}

void pageable() {
    Work w;
    void* const on_host = calloc(1, kBytes);
    cudaMemcpyAsync(w.device, on_host, kBytes, cudaMemcpyHostToDevice, w.a);  // @PAGEABLE
    cudaStreamSynchronize(w.a);
    free(on_host);
}

int main(int, char** argv) {
    const auto is = [&](const char* name) { return !strcmp(argv[1], name); };
    if (is("default_stream_orders")) return set_then_default(cudaStreamDefault), 0;
    if (is("non_blocking_stream")) return set_then_default(cudaStreamNonBlocking), 0;
    if (is("halves")) return halves(kCount / 2), 0;
    if (is("overlapping_halves")) return halves(kCount / 2 - 1), 0;
    if (is("both_read")) return both_read(), 0;
    if (is("kernels_chained")) return produce_and_consume(true), 0;
    if (is("kernels_unordered")) return produce_and_consume(false), 0;
    if (is("pinned_overwritten")) return pinned_buffer(false), 0;
    if (is("pinned_after_wait")) return pinned_buffer(true), 0;
    if (is("pipeline")) return pipeline(false), 0;
    if (is("pipeline_one_buffer")) return pipeline(true), 0;
    if (is("free_waits")) return free_in_use(false), 0;
    if (is("free_async_elsewhere")) return free_in_use(true), 0;
    if (is("pageable_async")) return pageable(), 0;
    copy_then_compute(argv[1]);
}
