// What runs beside what: kernels, copies and sets of several streams. Run with activities.so preloaded (measure.py's
// step "streams"), or by tilescope, whose time line should have the same order and the same pairs side by side.
//
//   streams          every case; one JSON line each, with the marks between which it lies
//   streams CASE     that case alone
//
// Marks are sets of 4096 + n bytes. What a case starts is told apart by its size: copies by bytes, kernels by name.
#include <cstring>

#include "../../examples/check.h"

constexpr std::size_t kMegabyte = 1024 * 1024;

// Runs for about `steps` times 4 cycles of an addition, whatever else runs.
__device__ void turn(float* out, int steps) {
    float value = threadIdx.x;
    for (int i = 0; i < steps; ++i) value = value * 0.5f + 1.0f;
    if (value == 0.123f) *out = value;
}
__global__ void first(float* out, int steps) { turn(out, steps); }
__global__ void second(float* out, int steps) { turn(out, steps); }
__global__ void third(float* out, int steps) { turn(out, steps); }

// Each element read and written once.
constexpr std::size_t kLarge = 256 * kMegabyte;
__device__ void through(float* values, std::size_t count) {
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
         i += std::size_t{gridDim.x} * blockDim.x)
        values[i] += 1.0f;
}
__global__ void stream_a(float* values, std::size_t count) { through(values, count); }
__global__ void stream_b(float* values, std::size_t count) { through(values, count); }

static char *marks, *plain;
static float* large;
static float* sink;
static char *pinned, *pageable;
static int marked = 0;
static int mark() {
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemset(marks, 0, 4096 + marked));
    CHECK(cudaDeviceSynchronize());
    return marked++;
}

static cudaStream_t blocking[2], loose[3];
static cudaEvent_t event;
constexpr int kLong = 25000, kFew = 8, kAll = 132 * 8, kHalf = 132 * 4;  // blocks of 256 threads: 8 fit on an SM
constexpr auto kTo = cudaMemcpyHostToDevice;
constexpr auto kBack = cudaMemcpyDeviceToHost;

static void copy(std::size_t megabytes, bool to, cudaStream_t stream, char* host) {
    const std::size_t bytes = megabytes * kMegabyte;
    if (to)
        CHECK(cudaMemcpyAsync(plain, host, bytes, kTo, stream));
    else
        CHECK(cudaMemcpyAsync(host + 16 * kMegabyte, plain + 16 * kMegabyte, bytes, kBack, stream));
}

struct Case {
    const char* name;
    void (*run)();
};
static const Case kCases[] = {
    {"two small kernels, two streams",
     [] {
         first<<<kFew, 256, 0, loose[0]>>>(sink, kLong);
         second<<<kFew, 256, 0, loose[1]>>>(sink, kLong);
     }},
    {"two kernels that fill the device, two streams",
     [] {
         first<<<kAll, 256, 0, loose[0]>>>(sink, kLong);
         second<<<kAll, 256, 0, loose[1]>>>(sink, kLong);
     }},
    {"two halves, two streams",
     [] {
         first<<<kHalf, 256, 0, loose[0]>>>(sink, kLong);
         second<<<kHalf, 256, 0, loose[1]>>>(sink, kLong);
     }},
    {"three halves, three streams",
     [] {
         first<<<kHalf, 256, 0, loose[0]>>>(sink, kLong);
         second<<<kHalf, 256, 0, loose[1]>>>(sink, kLong);
         third<<<kHalf, 256, 0, loose[2]>>>(sink, kLong);
     }},
    {"three waves, then a small one",
     [] {
         first<<<3 * kAll, 256, 0, loose[0]>>>(sink, kLong / 4);
         second<<<kFew, 256, 0, loose[1]>>>(sink, kLong / 4);
     }},
    {"two small kernels, default stream",
     [] {
         first<<<kFew, 256>>>(sink, kLong);
         second<<<kFew, 256>>>(sink, kLong);
     }},
    {"blocking stream, default, blocking stream",
     [] {
         first<<<kFew, 256, 0, blocking[0]>>>(sink, kLong);
         second<<<kFew, 256>>>(sink, kLong);
         third<<<kFew, 256, 0, blocking[1]>>>(sink, kLong);
     }},
    {"loose stream, default, loose stream",
     [] {
         first<<<kFew, 256, 0, loose[0]>>>(sink, kLong);
         second<<<kFew, 256>>>(sink, kLong);
         third<<<kFew, 256, 0, loose[1]>>>(sink, kLong);
     }},
    {"copy there beside copy back",
     [] {
         copy(8, true, loose[0], pinned);
         copy(6, false, loose[1], pinned);
     }},
    {"two copies there, two streams",
     [] {
         copy(8, true, loose[0], pinned);
         copy(6, true, loose[1], pinned);
     }},
    {"copy there beside a kernel",
     [] {
         first<<<kAll, 256, 0, loose[0]>>>(sink, kLong);
         copy(8, true, loose[1], pinned);
     }},
    {"pageable copy there beside a kernel",
     [] {
         first<<<kAll, 256, 0, loose[0]>>>(sink, kLong);
         copy(8, true, loose[1], pageable);
     }},
    {"pageable copy back behind a kernel of another stream",
     [] {
         first<<<kAll, 256, 0, loose[0]>>>(sink, kLong);
         copy(8, false, loose[1], pageable);
         second<<<kFew, 256, 0, loose[2]>>>(sink, kLong);
     }},
    {"event between two streams",
     [] {
         copy(8, true, loose[0], pinned);
         CHECK(cudaEventRecord(event, loose[0]));
         CHECK(cudaStreamWaitEvent(loose[1], event, 0));
         first<<<kFew, 256, 0, loose[1]>>>(sink, kLong);
         copy(6, true, loose[0], pinned);
     }},
    {"copy within the device beside a kernel",
     [] {
         first<<<kHalf, 256, 0, loose[0]>>>(sink, kLong);
         CHECK(cudaMemcpyAsync(plain, plain + 16 * kMegabyte, 16 * kMegabyte, cudaMemcpyDeviceToDevice, loose[1]));
     }},
    {"set beside a kernel",
     [] {
         first<<<kHalf, 256, 0, loose[0]>>>(sink, kLong);
         CHECK(cudaMemsetAsync(plain, 1, 16 * kMegabyte, loose[1]));
     }},
    {"copy within the device beside a kernel that fills it",
     [] {
         first<<<kAll, 256, 0, loose[0]>>>(sink, kLong);
         CHECK(cudaMemcpyAsync(plain, plain + 16 * kMegabyte, 16 * kMegabyte, cudaMemcpyDeviceToDevice, loose[1]));
     }},
    {"set beside a kernel that fills the device",
     [] {
         first<<<kAll, 256, 0, loose[0]>>>(sink, kLong);
         CHECK(cudaMemsetAsync(plain, 1, 16 * kMegabyte, loose[1]));
     }},
    {"copy within the device alone",
     [] { CHECK(cudaMemcpyAsync(plain, plain + 16 * kMegabyte, 16 * kMegabyte, cudaMemcpyDeviceToDevice, loose[1])); }},
    {"set alone", [] { CHECK(cudaMemsetAsync(plain, 1, 16 * kMegabyte, loose[1])); }},
    {"two that stream through memory, two streams",
     [] {
         stream_a<<<kHalf, 256, 0, loose[0]>>>(large, kLarge / 8);
         stream_b<<<kHalf, 256, 0, loose[1]>>>(large + kLarge / 8, kLarge / 8);
     }},
    {"one that streams through memory, alone", [] { stream_a<<<kHalf, 256, 0, loose[0]>>>(large, kLarge / 8); }},
    {"one that streams beside one that computes",
     [] {
         stream_a<<<kHalf, 256, 0, loose[0]>>>(large, kLarge / 8);
         second<<<kHalf, 256, 0, loose[1]>>>(sink, kLong);
     }},
    {"one that computes, quarter of the device, alone", [] { first<<<kHalf / 2, 256, 0, loose[0]>>>(sink, kLong); }},
    {"two quarters that compute, two streams",
     [] {
         first<<<kHalf / 2, 256, 0, loose[0]>>>(sink, kLong);
         second<<<kHalf / 2, 256, 0, loose[1]>>>(sink, kLong);
     }},
    {"breadth first: copies, kernels, copies back",
     [] {
         for (int i = 0; i < 3; ++i) copy(2 + i, true, loose[i], pinned);
         first<<<kFew, 256, 0, loose[0]>>>(sink, kLong);
         second<<<kFew, 256, 0, loose[1]>>>(sink, kLong);
         third<<<kFew, 256, 0, loose[2]>>>(sink, kLong);
         for (int i = 0; i < 3; ++i) copy(2 + i, false, loose[i], pinned);
     }},
    {"depth first: each stream's own",
     [] {
         copy(2, true, loose[0], pinned);
         first<<<kFew, 256, 0, loose[0]>>>(sink, kLong);
         copy(2, false, loose[0], pinned);
         copy(3, true, loose[1], pinned);
         second<<<kFew, 256, 0, loose[1]>>>(sink, kLong);
         copy(3, false, loose[1], pinned);
         copy(4, true, loose[2], pinned);
         third<<<kFew, 256, 0, loose[2]>>>(sink, kLong);
         copy(4, false, loose[2], pinned);
     }},
};

int main(int count, char** arguments) {
    CHECK(cudaMalloc(&marks, 64 * 1024));
    CHECK(cudaMalloc(&plain, 32 * kMegabyte));
    CHECK(cudaMalloc(&sink, 4));
    CHECK(cudaMalloc(&large, kLarge));
    CHECK(cudaMemset(large, 0, kLarge));
    CHECK(cudaMallocHost(&pinned, 32 * kMegabyte));
    CHECK(cudaMemset(plain, 0, 32 * kMegabyte));
    pageable = new char[32 * kMegabyte]();
    std::memset(pinned, 0, 32 * kMegabyte);
    for (cudaStream_t& stream : blocking) CHECK(cudaStreamCreate(&stream));
    for (cudaStream_t& stream : loose) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    first<<<1, 32>>>(sink, 1);  // loaded before anything counts
    second<<<1, 32>>>(sink, 1);
    stream_a<<<1, 32>>>(large, 32);
    stream_b<<<1, 32>>>(large, 32);
    third<<<1, 32>>>(sink, 1);
    for (const Case& one : kCases) {
        if (count > 1 && std::strcmp(arguments[1], one.name) != 0) continue;
        const int begin = mark();
        one.run();
        const int end = mark();
        std::printf("{\"case\": \"%s\", \"first\": %d, \"last\": %d}\n", one.name, begin, end);
    }
    for (cudaStream_t stream : blocking) CHECK(cudaStreamDestroy(stream));
    for (cudaStream_t stream : loose) CHECK(cudaStreamDestroy(stream));
    CHECK(cudaEventDestroy(event));
    for (void* memory :
         {static_cast<void*>(marks), static_cast<void*>(plain), static_cast<void*>(sink), static_cast<void*>(large)})
        CHECK(cudaFree(memory));
    CHECK(cudaFreeHost(pinned));
    delete[] pageable;
    return 0;
}
