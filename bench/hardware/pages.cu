// Which pages of managed memory move, and how many at a time: by faults of kernels, by faults of the host, asked for,
// and by advice. Run with activities.so preloaded (measure.py's step "pages"), or by tilescope, which should say the
// same.
//
//   pages            every case; one JSON line each, with the marks between which its moves lie
//   pages CASE       that case alone
//
// Every case begins with 16 MiB of its own that the host has written, unless it says otherwise. Between the parts of a
// case stand sets of plain memory, 4096 + n bytes for the n-th: marks, which are among the activities.
#include <cstring>

#include "../../examples/check.h"

constexpr std::size_t kKilobyte = 1024, kBytes = 16 * kKilobyte * kKilobyte, kLeaf = 64 * kKilobyte;

__global__ void sweep(float* values, std::size_t count) {
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
         i += std::size_t{gridDim.x} * blockDim.x)
        values[i] += 1.0f;
}
__global__ void read_all(const float* values, std::size_t count, float* out) {
    float sum = 0;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
         i += std::size_t{gridDim.x} * blockDim.x)
        sum += values[i];
    if (sum == 0.123f) *out = sum;
}
// One thread, one float every `step` bytes, each load after the one before: faults come alone, in this order.
__global__ void walk(float* values, std::size_t bytes, std::size_t step, std::size_t first) {
    float last = 0;
    for (std::size_t at = first; at < bytes; at += step) {
        float* place = values + at / 4 + static_cast<int>(last * 0.0f);
        *place += 1.0f;
        last = *place;
    }
}

static char *marks, *plain, *pinned, *pageable;
static void copy(void* to, const void* from) { CHECK(cudaMemcpy(to, from, kBytes, cudaMemcpyDefault)); }
static int marked = 0;
static int mark() {
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemset(marks, 0, 4096 + marked));
    CHECK(cudaDeviceSynchronize());
    return marked++;
}

#if CUDART_VERSION >= 13000
static const cudaMemLocation kDevice = {cudaMemLocationTypeDevice, 0}, kHost = {cudaMemLocationTypeHost, 0};
#define PREFETCH(pointer, bytes, place) CHECK(cudaMemPrefetchAsync(pointer, bytes, place, 0, 0))
#else
static const int kDevice = 0, kHost = cudaCpuDeviceId;
#define PREFETCH(pointer, bytes, place) CHECK(cudaMemPrefetchAsync(pointer, bytes, place, 0))
#endif

static float* memory(bool written = true) {
    float* values = nullptr;
    CHECK(cudaMallocManaged(&values, kBytes));
    if (written)
        for (std::size_t i = 0; i < kBytes / 4; ++i) values[i] = static_cast<float>(i % 16);
    return values;
}
static volatile float seen;
static void host_reads(const float* values, std::size_t bytes, std::size_t step) {
    for (std::size_t at = 0; at < bytes; at += step) seen = values[at / 4];
}
static void host_writes(float* values, std::size_t bytes, std::size_t step) {
    for (std::size_t at = 0; at < bytes; at += step) values[at / 4] = 2.0f;
}

constexpr int kMostParts = 8;
struct Case {
    const char* name;
    void (*run)(float* values);
    bool written = true;
};
static const Case kCases[] = {
    {"sweep, host reads all, sweep",
     [](float* v) {
         sweep<<<kBytes / 1024, 256>>>(v, kBytes / 4);
         mark();
         host_reads(v, kBytes, 4096);
         mark();
         sweep<<<kBytes / 1024, 256>>>(v, kBytes / 4);
     }},
    {"sweep untouched, host reads all",
     [](float* v) {
         sweep<<<kBytes / 1024, 256>>>(v, kBytes / 4);
         mark();
         host_reads(v, kBytes, 4096);
     },
     false},
    {"one float a leaf, in order", [](float* v) { walk<<<1, 1>>>(v, kBytes, kLeaf, 0); }},
    {"one float every other leaf", [](float* v) { walk<<<1, 1>>>(v, kBytes, 2 * kLeaf, 0); }},
    {"one float every fourth leaf", [](float* v) { walk<<<1, 1>>>(v, kBytes, 4 * kLeaf, 0); }},
    {"one float a page, in order", [](float* v) { walk<<<1, 1>>>(v, kBytes, 4096, 0); }},
    {"one float a tree", [](float* v) { walk<<<1, 1>>>(v, kBytes, 32 * kLeaf, 0); }},
    {"one float, middle of a leaf", [](float* v) { walk<<<1, 1>>>(v, 2 * kLeaf, kBytes, kLeaf + kLeaf / 2); }},
    {"sweep, host reads one float a leaf",
     [](float* v) {
         sweep<<<kBytes / 1024, 256>>>(v, kBytes / 4);
         mark();
         host_reads(v, kBytes, kLeaf);
     }},
    {"sweep, host reads one float a tree, sweep",
     [](float* v) {
         sweep<<<kBytes / 1024, 256>>>(v, kBytes / 4);
         mark();
         host_reads(v, kBytes, 32 * kLeaf);
         mark();
         sweep<<<kBytes / 1024, 256>>>(v, kBytes / 4);
     }},
    {"sweep, host writes one float a page",
     [](float* v) {
         sweep<<<kBytes / 1024, 256>>>(v, kBytes / 4);
         mark();
         host_writes(v, kBytes, 4096);
     }},
    {"back and forth, one float",
     [](float* v) {
         for (int i = 0; i < kMostParts / 2; ++i) {
             walk<<<1, 1>>>(v, 4, kLeaf, 0);
             mark();
             host_writes(v, 4, kLeaf);
             mark();
         }
     }},
    {"prefetch there, sweep, prefetch back, host reads",
     [](float* v) {
         PREFETCH(v, kBytes, kDevice);
         mark();
         sweep<<<kBytes / 1024, 256>>>(v, kBytes / 4);
         mark();
         PREFETCH(v, kBytes, kHost);
         mark();
         host_reads(v, kBytes, 4096);
     }},
    {"prefetch half, sweep all",
     [](float* v) {
         PREFETCH(v, kBytes / 2, kDevice);
         mark();
         sweep<<<kBytes / 1024, 256>>>(v, kBytes / 4);
     }},
    {"read mostly, kernel reads, host reads, host writes, kernel reads",
     [](float* v) {
         CHECK(cudaMemAdvise(v, kBytes, cudaMemAdviseSetReadMostly, kDevice));
         read_all<<<kBytes / 1024, 256>>>(v, kBytes / 4, v);
         mark();
         host_reads(v, kBytes, 4096);
         mark();
         host_writes(v, kBytes / 2, 4096);
         mark();
         read_all<<<kBytes / 1024, 256>>>(v, kBytes / 4, v);
     }},
    {"preferred on the host, sweep",
     [](float* v) {
         CHECK(cudaMemAdvise(v, kBytes, cudaMemAdviseSetPreferredLocation, kHost));
         sweep<<<kBytes / 1024, 256>>>(v, kBytes / 4);
     }},
    {"preferred on the device, sweep, host reads, sweep",
     [](float* v) {
         CHECK(cudaMemAdvise(v, kBytes, cudaMemAdviseSetPreferredLocation, kDevice));
         sweep<<<kBytes / 1024, 256>>>(v, kBytes / 4);
         mark();
         host_reads(v, kBytes, 4096);
         mark();
         sweep<<<kBytes / 1024, 256>>>(v, kBytes / 4);
     }},
    {"accessed by the device, sweep",
     [](float* v) {
         CHECK(cudaMemAdvise(v, kBytes, cudaMemAdviseSetAccessedBy, kDevice));
         sweep<<<kBytes / 1024, 256>>>(v, kBytes / 4);
     }},
    {"copied to from device memory, sweep",
     [](float* v) {
         copy(v, plain);
         mark();
         sweep<<<kBytes / 1024, 256>>>(v, kBytes / 4);
     }},
    {"copied to from pageable memory, sweep",
     [](float* v) {
         copy(v, pageable);
         mark();
         sweep<<<kBytes / 1024, 256>>>(v, kBytes / 4);
     }},
    {"copied to from pinned memory, sweep",
     [](float* v) {
         copy(v, pinned);
         mark();
         sweep<<<kBytes / 1024, 256>>>(v, kBytes / 4);
     }},
    {"sweep, copied to from pageable memory, sweep",
     [](float* v) {
         sweep<<<kBytes / 1024, 256>>>(v, kBytes / 4);
         mark();
         copy(v, pageable);
         mark();
         sweep<<<kBytes / 1024, 256>>>(v, kBytes / 4);
     }},
    {"copied from to device memory, sweep",
     [](float* v) {
         copy(plain, v);
         mark();
         sweep<<<kBytes / 1024, 256>>>(v, kBytes / 4);
     }},
    {"copied from to pageable memory, sweep",
     [](float* v) {
         copy(pageable, v);
         mark();
         sweep<<<kBytes / 1024, 256>>>(v, kBytes / 4);
     }},
    {"sweep, copied from to pageable memory, host reads",
     [](float* v) {
         sweep<<<kBytes / 1024, 256>>>(v, kBytes / 4);
         mark();
         copy(pageable, v);
         mark();
         host_reads(v, kBytes, 4096);
     }},
    {"untouched, copied to from pageable memory, sweep",
     [](float* v) {
         copy(v, pageable);
         mark();
         sweep<<<kBytes / 1024, 256>>>(v, kBytes / 4);
     },
     false},
    {"untouched, set, host reads",
     [](float* v) {
         CHECK(cudaMemset(v, 0, kBytes));
         mark();
         host_reads(v, kBytes, 4096);
     },
     false},
    {"set, sweep",
     [](float* v) {
         CHECK(cudaMemset(v, 0, kBytes));
         mark();
         sweep<<<kBytes / 1024, 256>>>(v, kBytes / 4);
     }},
};

int main(int count, char** arguments) {
    CHECK(cudaMalloc(&marks, kKilobyte * 64));
    CHECK(cudaMalloc(&plain, kBytes));
    CHECK(cudaMemset(plain, 0, kBytes));
    CHECK(cudaMallocHost(&pinned, kBytes));
    pageable = new char[kBytes];
    std::memset(pinned, 0, kBytes);
    std::memset(pageable, 0, kBytes);
    sweep<<<1, 32>>>(reinterpret_cast<float*>(marks), 32);  // loaded before anything counts
    CHECK(cudaDeviceSynchronize());
    for (const Case& one : kCases) {
        if (count > 1 && std::strcmp(arguments[1], one.name) != 0) continue;
        float* values = memory(one.written);
        const int first = mark();
        one.run(values);
        const int last = mark();
        std::printf("{\"case\": \"%s\", \"first\": %d, \"last\": %d, \"address\": %llu}\n", one.name, first, last,
                    reinterpret_cast<unsigned long long>(values));
        CHECK(cudaFree(values));
    }
    CHECK(cudaFree(marks));
    CHECK(cudaFree(plain));
    CHECK(cudaFreeHost(pinned));
    delete[] pageable;
    return 0;
}
