// What orders work on several streams and what does not: one rule of CUDA each, kept and broken.
//
// check: streams
// case legacy_between_blocking: clean
// case legacy_and_non_blocking: stream-race LEGACY_FIRST NON_BLOCKING
// case blocking_streams: stream-race ON_FIRST ON_SECOND
// case thread_stream_and_legacy: clean
// case thread_streams: stream-race OF_EACH_THREAD
// case thread_streams_apart: clean
// case thread_stream_of_one: clean
// case threads_with_own_streams: stream-race FROM_ONE FROM_OTHER
// case threads_in_turn: clean
// case threads_on_halves: clean
// case chain_of_events: clean
// case chain_broken: stream-race CHAIN_FIRST CHAIN_LAST
// case event_recorded_again: clean
// case event_recorded_again_late: stream-race AGAIN_WRITE AGAIN_READ
// case wait_before_record: stream-race CHAIN_FIRST CHAIN_LAST
// case event_query: clean
// case stream_query: clean
// case synchronized_other: stream-race ON_FIRST ON_SECOND
// case synchronized_right: clean
// case stream_destroyed: stream-race ON_FIRST ON_SECOND
// case stream_destroyed_after_wait: clean
// case host_function_between: clean
// case host_function_later: stream-race ON_FIRST ON_SECOND
// case copy_of_legacy: stream-race UPDATE COPY_BACK
// case copy_of_own_stream: clean
// case free_async_after_event: clean
// case allocated_elsewhere: stream-race MAKE USE
// case allocated_elsewhere_after_event: clean
// case freed_and_given_again: clean
// case set_does_not_wait: stream-race SET_NOW ON_SECOND
// case volatile_reads: clean
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <thread>

constexpr int kCount = 4096, kBytes = kCount * sizeof(int);

__global__ void add(int* values, int count) {
    for (int i = threadIdx.x; i < count; i += blockDim.x) values[i] += 1;
}
__global__ void sum(const int* values, int* result) {
    int all = 0;
    for (int i = threadIdx.x; i < kCount; i += blockDim.x) all += values[i];
    atomicAdd(result, all);
}
__global__ void peek(volatile const int* values, int* result) { result[threadIdx.x] = values[threadIdx.x]; }
__global__ void look(const int* values, int* result) { result[threadIdx.x] = values[threadIdx.x]; }

struct Work {
    cudaStream_t a, b, c;
    cudaEvent_t first, second;
    int *device, *other, *result;

    explicit Work(unsigned flags = cudaStreamNonBlocking) {
        for (cudaStream_t* stream : {&a, &b, &c}) cudaStreamCreateWithFlags(stream, flags);
        cudaEventCreate(&first);
        cudaEventCreate(&second);
        for (int** buffer : {&device, &other, &result}) {
            cudaMalloc(buffer, kBytes);
            cudaMemset(*buffer, 0, kBytes);
        }
        cudaDeviceSynchronize();
    }
    ~Work() {
        cudaDeviceSynchronize();
        for (cudaStream_t stream : {a, b, c}) cudaStreamDestroy(stream);
        cudaEventDestroy(first);
        cudaEventDestroy(second);
        for (int* buffer : {device, other, result}) cudaFree(buffer);
    }
};

// Two kernels that change one buffer, and what comes between them.
template <class Between>
void two(unsigned flags, Between between) {
    Work w(flags);
    add<<<1, 128, 0, w.a>>>(w.device, kCount);  // @ON_FIRST
    between(w);
    add<<<1, 128, 0, w.b>>>(w.device, kCount);  // @ON_SECOND
}

void legacy(unsigned flags) {
    Work w(flags);
    add<<<1, 128>>>(w.device, kCount);          // @LEGACY_FIRST
    add<<<1, 128, 0, w.a>>>(w.device, kCount);  // @NON_BLOCKING
}

void thread_streams(bool apart) {
    Work w;
    const auto work = [](int* buffer) {
        add<<<1, 128, 0, cudaStreamPerThread>>>(buffer, kCount);  // @OF_EACH_THREAD
    };
    std::thread(work, w.device).join();
    std::thread(work, apart ? w.other : w.device).join();
}

void threads(bool waits, int split) {
    Work w;
    std::thread([&] {
        add<<<1, 128, 0, w.a>>>(w.device, split);  // @FROM_ONE
        if (waits) cudaStreamSynchronize(w.a);
    }).join();
    std::thread([&] {
        add<<<1, 128, 0, w.b>>>(w.device + kCount - split, split);  // @FROM_OTHER
    }).join();
}

void chain(const char* how) {
    Work w;
    const auto is = [&](const char* name) { return !strcmp(how, name); };
    if (is("wait_before_record")) cudaStreamWaitEvent(w.c, w.second, 0);
    add<<<1, 128, 0, w.a>>>(w.device, kCount);  // @CHAIN_FIRST
    cudaEventRecord(w.first, w.a);
    if (!is("chain_broken")) cudaStreamWaitEvent(w.b, w.first, 0);
    cudaEventRecord(w.second, w.b);
    if (!is("wait_before_record")) cudaStreamWaitEvent(w.c, w.second, 0);
    add<<<1, 128, 0, w.c>>>(w.device, kCount);  // @CHAIN_LAST
}

// An event stands for its last record before the wait.
void again(bool late) {
    Work w;
    cudaEventRecord(w.first, w.a);
    add<<<1, 128, 0, w.a>>>(w.device, kCount);  // @AGAIN_WRITE
    if (!late) cudaEventRecord(w.first, w.a);
    cudaStreamWaitEvent(w.b, w.first, 0);
    if (late) cudaEventRecord(w.first, w.a);
    sum<<<1, 128, 0, w.b>>>(w.device, w.result);  // @AGAIN_READ
}

void destroyed(bool waits) {
    Work w;
    cudaStream_t own;
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    add<<<1, 128, 0, own>>>(w.device, kCount);  // @ON_FIRST
    if (waits) cudaStreamSynchronize(own);
    cudaStreamDestroy(own);
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    add<<<1, 128, 0, own>>>(w.device, kCount);  // @ON_SECOND
    cudaDeviceSynchronize();
    cudaStreamDestroy(own);
}

// cudaMemcpy is work of the default stream, for which other streams do not wait unless they are of the blocking kind.
void copy_back(unsigned flags) {
    Work w(flags);
    int* const on_host = static_cast<int*>(malloc(kBytes));
    add<<<1, 128, 0, w.a>>>(w.device, kCount);                      // @UPDATE
    cudaMemcpy(on_host, w.device, kBytes, cudaMemcpyDeviceToHost);  // @COPY_BACK
    free(on_host);
}

void free_async() {
    Work w;
    int* own = nullptr;
    cudaMallocAsync(reinterpret_cast<void**>(&own), kBytes, w.a);
    add<<<1, 128, 0, w.a>>>(own, kCount);
    cudaEventRecord(w.first, w.a);
    cudaStreamWaitEvent(w.b, w.first, 0);
    cudaFreeAsync(own, w.b);
}

void allocated(bool ordered) {
    Work w;
    int* own = nullptr;
    cudaMallocAsync(reinterpret_cast<void**>(&own), kBytes, w.a);  // @MAKE
    cudaEventRecord(w.first, w.a);
    if (ordered) cudaStreamWaitEvent(w.b, w.first, 0);
    cudaMemsetAsync(own, 0, kBytes, w.b);  // @USE
    cudaDeviceSynchronize();
    cudaFree(own);
}

// The pool may give one stream's memory to another one, and sees to the order itself.
void given_again() {
    Work w;
    for (int turn = 0; turn < 4; ++turn) {
        const cudaStream_t stream = turn % 2 ? w.a : w.b;
        int* own = nullptr;
        cudaMallocAsync(reinterpret_cast<void**>(&own), kBytes, stream);
        cudaMemsetAsync(own, 0, kBytes, stream);
        add<<<1, 128, 0, stream>>>(own, kCount);
        cudaFreeAsync(own, stream);
    }
}

void set_now() {
    Work w;
    cudaMemset(w.device, 0, kBytes);            // @SET_NOW
    add<<<1, 128, 0, w.b>>>(w.device, kCount);  // @ON_SECOND
}

// Both only read, one of them through volatile.
void volatile_reads() {
    Work w;
    peek<<<1, 128, 0, w.a>>>(w.device, w.other);
    look<<<1, 128, 0, w.b>>>(w.device, w.result);
}

int main(int, char** argv) {
    const auto is = [&](const char* name) { return !strcmp(argv[1], name); };
    const auto nothing = [](void*) {};
    const unsigned apart = cudaStreamNonBlocking, blocking = cudaStreamDefault;
    if (is("legacy_between_blocking")) two(blocking, [](Work& w) { look<<<1, 128>>>(w.other, w.result); });
    if (is("legacy_and_non_blocking")) legacy(apart);
    if (is("blocking_streams")) two(blocking, [](Work&) {});
    if (is("thread_stream_and_legacy")) {
        Work w;
        add<<<1, 128, 0, cudaStreamPerThread>>>(w.device, kCount);
        add<<<1, 128>>>(w.device, kCount);
    }
    if (is("thread_streams")) thread_streams(false);
    if (is("thread_streams_apart")) thread_streams(true);
    if (is("thread_stream_of_one")) {
        Work w;
        for (int turn = 0; turn < 2; ++turn) add<<<1, 128, 0, cudaStreamPerThread>>>(w.device, kCount);
    }
    if (is("threads_with_own_streams")) threads(false, kCount);
    if (is("threads_in_turn")) threads(true, kCount);
    if (is("threads_on_halves")) threads(false, kCount / 2);
    if (is("chain_of_events") || is("chain_broken") || is("wait_before_record")) chain(argv[1]);
    if (is("event_recorded_again")) again(false);
    if (is("event_recorded_again_late")) again(true);
    if (is("event_query"))
        two(apart, [](Work& w) {
            cudaEventRecord(w.first, w.a);
            while (cudaEventQuery(w.first) == cudaErrorNotReady) {
            }
        });
    if (is("stream_query"))
        two(apart, [](Work& w) {
            while (cudaStreamQuery(w.a) == cudaErrorNotReady) {
            }
        });
    if (is("synchronized_other")) two(apart, [](Work& w) { cudaStreamSynchronize(w.b); });
    if (is("synchronized_right")) two(apart, [](Work& w) { cudaStreamSynchronize(w.a); });
    if (is("stream_destroyed")) destroyed(false);
    if (is("stream_destroyed_after_wait")) destroyed(true);
    if (is("host_function_between"))
        two(apart, [&](Work& w) {
            cudaLaunchHostFunc(w.a, nothing, nullptr);
            cudaEventRecord(w.first, w.a);
            cudaStreamWaitEvent(w.b, w.first, 0);
        });
    if (is("host_function_later")) two(apart, [&](Work& w) { cudaLaunchHostFunc(w.c, nothing, nullptr); });
    if (is("copy_of_legacy")) copy_back(apart);
    if (is("copy_of_own_stream")) copy_back(blocking);
    if (is("free_async_after_event")) free_async();
    if (is("allocated_elsewhere")) allocated(false);
    if (is("allocated_elsewhere_after_event")) allocated(true);
    if (is("freed_and_given_again")) given_again();
    if (is("set_does_not_wait")) set_now();
    if (is("volatile_reads")) volatile_reads();
}
