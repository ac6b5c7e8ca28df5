// What the host's own code does to memory that work which it has not waited for may still use.
//
// check: streams
// case result_read_early: stream-race DOWNLOAD READ_RESULT
// case result_read_in_time: clean
// case result_read_after_event: clean
// case result_read_after_query: clean
// case result_read_after_other_event: stream-race DOWNLOAD READ_RESULT
// case source_overwritten: stream-race UPLOAD OVERWRITE
// case source_read: clean
// case source_overwritten_later: clean
// case other_half_of_the_page: clean
// case one_byte_too_many: stream-race UPLOAD FILL
// case structure_copied: stream-race UPDATE COPY_STRUCTURE
// case library_copies: stream-race UPDATE MEMCPY
// case written_to_a_file: stream-race UPDATE TO_FILE
// case read_from_a_file: stream-race UPDATE FROM_FILE
// case file_beside: clean
// case flag_of_the_kernel: clean
// case counter_of_the_kernel: stream-race plain-against-atomic COUNT READ_COUNT
// case callback_tells: clean
// case sync_copy_waits: clean
// case free_waits: clean
// case registered: stream-race UPLOAD OVERWRITE
// case other_thread: stream-race UPDATE IN_THREAD
// case thread_after_wait: clean
// case written_in_turn: clean
// case blocking_set: clean
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

constexpr int kCount = 4096, kBytes = kCount * sizeof(int);

__global__ void add(int* values, int count) {
    for (int i = threadIdx.x; i < count; i += blockDim.x) values[i] += 1;
}
__global__ void count_up(int* counter) { atomicAdd(counter, 1); }
__global__ void publish(int* values, volatile int* flag) {
    values[threadIdx.x] = threadIdx.x;
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0) *flag = 1;
}

struct Work {
    cudaStream_t stream, other;
    cudaEvent_t done;
    int *pinned, *managed, *device;

    Work() {
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
        cudaEventCreate(&done);
        cudaMallocHost(&pinned, kBytes);
        cudaMallocManaged(&managed, kBytes);
        cudaMalloc(&device, kBytes);
        memset(pinned, 0, kBytes);
        memset(managed, 0, kBytes);
        cudaMemset(device, 0, kBytes);
        cudaDeviceSynchronize();
    }
    ~Work() {
        cudaDeviceSynchronize();
        cudaStreamDestroy(stream);
        cudaStreamDestroy(other);
        cudaEventDestroy(done);
        cudaFreeHost(pinned);
        cudaFree(managed);
        cudaFree(device);
    }
};

volatile int sink;

// Of result_read_early nothing but the copy and the read is left.
void download(const char* how) {
    Work w;
    const auto is = [&](const char* name) { return !strcmp(how, name); };
    if (is("result_read_after_other_event")) cudaEventRecord(w.done, w.stream);
    cudaMemcpyAsync(w.pinned, w.device, kBytes, cudaMemcpyDeviceToHost, w.stream);  // @DOWNLOAD
    if (is("result_read_after_event")) cudaEventRecord(w.done, w.stream);
    if (is("result_read_in_time")) cudaStreamSynchronize(w.stream);
    if (is("result_read_after_event") || is("result_read_after_other_event")) cudaEventSynchronize(w.done);
    while (is("result_read_after_query") && cudaStreamQuery(w.stream) == cudaErrorNotReady) {
    }
    sink = w.pinned[17];  // @READ_RESULT
}

void upload(bool reads, bool waits) {
    Work w;
    cudaMemcpyAsync(w.device, w.pinned, kBytes, cudaMemcpyHostToDevice, w.stream);  // @UPLOAD
    if (waits) cudaStreamSynchronize(w.stream);
    if (reads)
        sink = w.pinned[1];
    else
        w.pinned[1] = 5;  // @OVERWRITE
}

void upload_registered() {
    Work w;
    int* const own = static_cast<int*>(aligned_alloc(4096, kBytes));
    memset(own, 0, kBytes);
    cudaHostRegister(own, kBytes, 0);
    cudaMemcpyAsync(w.device, own, kBytes, cudaMemcpyHostToDevice, w.stream);  // @UPLOAD
    own[1] = 5;                                                                // @OVERWRITE
    cudaDeviceSynchronize();
    cudaHostUnregister(own);
    free(own);
}

// Half a page goes up while the host fills the other half.
void half_pages(int first) {
    Work w;
    cudaMemcpyAsync(w.device, w.pinned, 2048, cudaMemcpyHostToDevice, w.stream);  // @UPLOAD
    for (int i = first; i < 1024; ++i) w.pinned[i] = i;                           // @FILL
    if (w.pinned[1000] != 1000) abort();
}

struct Pair {
    long a, b;
};

void touch(const char* how) {
    Work w;
    const auto is = [&](const char* name) { return !strcmp(how, name); };
    const bool beside = is("file_beside");
    FILE* const file = tmpfile();
    int zeros[1024] = {};
    fwrite(zeros, sizeof zeros, 1, file);
    rewind(file);
    add<<<1, 128, 0, w.stream>>>(w.managed, 512);  // @UPDATE
    int* const from = beside ? w.managed + 512 : w.managed;
    if (is("structure_copied")) {
        const Pair pair = *reinterpret_cast<Pair*>(w.managed);  // @COPY_STRUCTURE
        sink = static_cast<int>(pair.a);                        // @COPY_STRUCTURE
    }
    if (is("library_copies")) {
        int copy[512];
        memcpy(copy, w.managed, sizeof copy);  // @MEMCPY
        sink = copy[atoi("5")];
    }
    if (is("written_to_a_file") || beside)
        if (fwrite(from, 2048, 1, file) != 1) abort();  // @TO_FILE
    rewind(file);
    if (is("read_from_a_file") || beside)
        if (fread(from, 2048, 1, file) != 1) abort();  // @FROM_FILE
    fclose(file);
}

// What a kernel writes for the host to see, with the host in mind: whoever has read it knows what was before.
void flag() {
    Work w;
    publish<<<1, 128, 0, w.stream>>>(w.managed, w.pinned);
    while (*static_cast<volatile int*>(w.pinned) == 0) {
    }
    if (w.managed[5] != 5) abort();
}

void counter() {
    Work w;
    count_up<<<1, 128, 0, w.stream>>>(w.managed);  // @COUNT
    sink = w.managed[0];                           // @READ_COUNT
}

void callback() {
    Work w;
    std::atomic<bool> is_done{false};
    add<<<1, 128, 0, w.stream>>>(w.managed, kCount);
    cudaLaunchHostFunc(
        w.stream, [](void* done) { *static_cast<std::atomic<bool>*>(done) = true; }, &is_done);
    while (!is_done) {
    }
    if (w.managed[5] != 1) abort();
}

void sync_copy() {
    Work w;
    add<<<1, 128>>>(w.managed, kCount);
    int copy[16];
    cudaMemcpy(copy, w.managed, sizeof copy, cudaMemcpyDefault);
    if (w.managed[5] != 1) abort();
}

void freeing() {
    Work w;
    int* more = nullptr;
    cudaMalloc(&more, 64);
    add<<<1, 128, 0, w.stream>>>(w.managed, kCount);
    cudaFree(more);
    if (w.managed[5] != 1) abort();
}

void threads(bool waits) {
    Work w;
    add<<<1, 128, 0, w.stream>>>(w.managed, kCount);  // @UPDATE
    if (waits) cudaStreamSynchronize(w.stream);
    std::thread([&] {
        sink = w.managed[3];  // @IN_THREAD
    }).join();
}

// The host and a kernel by turns.
void in_turn() {
    Work w;
    for (int turn = 0; turn < 4; ++turn) {
        for (int i = 0; i < kCount; ++i) w.managed[i] += turn;
        add<<<1, 128, 0, w.stream>>>(w.managed, kCount);
        cudaStreamSynchronize(w.stream);
    }
    if (w.managed[7] != 0 + 1 + 2 + 3 + 4) abort();
}

void set() {
    Work w;
    cudaMemset(w.managed, 0, kBytes);
    w.managed[0] = 1;
}

int main(int, char** argv) {
    const auto is = [&](const char* name) { return !strcmp(argv[1], name); };
    if (!strncmp(argv[1], "result_", 7)) return download(argv[1]), 0;
    if (is("source_overwritten")) return upload(false, false), 0;
    if (is("source_read")) return upload(true, false), 0;
    if (is("source_overwritten_later")) return upload(false, true), 0;
    if (is("registered")) return upload_registered(), 0;
    if (is("other_half_of_the_page")) return half_pages(512), 0;
    if (is("one_byte_too_many")) return half_pages(511), 0;
    if (is("flag_of_the_kernel")) return flag(), 0;
    if (is("counter_of_the_kernel")) return counter(), 0;
    if (is("callback_tells")) return callback(), 0;
    if (is("sync_copy_waits")) return sync_copy(), 0;
    if (is("free_waits")) return freeing(), 0;
    if (is("other_thread")) return threads(false), 0;
    if (is("thread_after_wait")) return threads(true), 0;
    if (is("written_in_turn")) return in_turn(), 0;
    if (is("blocking_set")) return set(), 0;
    touch(argv[1]);  // structure_copied, library_copies, written_to_a_file, read_from_a_file, file_beside
}
