// Managed memory, which moves to whoever touches it: page by page as kernels fault, or in one go when it is asked for.
//
//   tilescope run examples/managed.cu -- plain       pages come by faults, and go back when the host looks
//   tilescope run examples/managed.cu -- prefetch    the same without a single fault
//   tilescope run examples/managed.cu -- advise      a table that both sides only read: each has its copy
//
// Without an argument all three run one after the other. 4 MiB are two trees of 32 leaves of 64 KiB; a sweep takes six
// faults in a tree, for a subtree of which more than half is there comes as a whole.
#include <cstring>

#include "check.h"

constexpr int kThreads = 256, kElements = 1 << 20, kRounds = 3;
constexpr std::size_t kBytes = kElements * sizeof(float);

__global__ void add_one(float* values) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    values[i] += 1.0f;
}
__global__ void add_table(float* sums, const float* table) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sums[i] += table[i];
}

// The parameters of these two calls changed with CUDA 13.
static void prefetch(const void* pointer, bool to_device) {
#if CUDART_VERSION >= 13000
    cudaMemLocation place = {};
    place.type = to_device ? cudaMemLocationTypeDevice : cudaMemLocationTypeHost;
    CHECK(cudaMemPrefetchAsync(pointer, kBytes, place, 0, 0));
#else
    CHECK(cudaMemPrefetchAsync(pointer, kBytes, to_device ? 0 : cudaCpuDeviceId, 0));
#endif
}
static void advise_read_mostly(const void* pointer) {
#if CUDART_VERSION >= 13000
    cudaMemLocation place = {};
    place.type = cudaMemLocationTypeDevice;
    CHECK(cudaMemAdvise(pointer, kBytes, cudaMemAdviseSetReadMostly, place));
#else
    CHECK(cudaMemAdvise(pointer, kBytes, cudaMemAdviseSetReadMostly, 0));
#endif
}

static float* managed_zeros() {
    float* values = nullptr;
    CHECK(cudaMallocManaged(&values, kBytes));
    for (int i = 0; i < kElements; ++i) values[i] = 0.0f;
    return values;
}

// Each round the kernel takes the pages from the host, and the host takes them back.
static void back_and_forth(bool ahead, Verdict& verdict) {
    float* values = managed_zeros();
    bool right = true;
    for (int round = 1; round <= kRounds; ++round) {
        if (ahead) prefetch(values, true);
        add_one<<<kElements / kThreads, kThreads>>>(values);
        CHECK(cudaGetLastError());
        if (ahead) prefetch(values, false);
        CHECK(cudaDeviceSynchronize());
        for (int i = 0; i < kElements; i += 512) right = right && values[i] == static_cast<float>(round);
    }
    verdict.that(ahead ? "pages that are sent ahead" : "pages that are taken", right);
    CHECK(cudaFree(values));
}

static void read_by_both(Verdict& verdict) {
    float* table = managed_zeros();
    for (int i = 0; i < kElements; ++i) table[i] = static_cast<float>(i % 8);
    advise_read_mostly(table);
    float* sums = device_buffer<float>(kElements);
    CHECK(cudaMemset(sums, 0, kBytes));
    float total = 0;
    for (int round = 0; round < kRounds; ++round) {
        add_table<<<kElements / kThreads, kThreads>>>(sums, table);
        finish_launch();
        for (int i = 0; i < kElements; i += 512) total += table[i + i / 512 % 8];
    }
    const std::vector<float> got = to_host(sums, kElements);
    bool right = total == kRounds * 3.5f * (kElements / 512);
    for (int i = 0; i < kElements; ++i) right = right && got[i] == kRounds * static_cast<float>(i % 8);
    verdict.that("pages that both only read", right);
    CHECK(cudaFree(table));
    CHECK(cudaFree(sums));
}

int main(int count, char** arguments) {
    const auto wants = [&](const char* what) { return count < 2 || std::strcmp(arguments[1], what) == 0; };
    Verdict verdict;
    if (wants("plain")) back_and_forth(false, verdict);
    if (wants("prefetch")) back_and_forth(true, verdict);
    if (wants("advise")) read_by_both(verdict);
    return verdict.status();
}
