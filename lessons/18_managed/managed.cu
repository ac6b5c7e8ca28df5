// Managed memory: one pointer for host and device, and pages that move to whoever touches them.
//
//   managed plain        kernel and host take the pages from each other, three times
//   managed prefetch     the same, pages sent ahead
//   managed advise       a table that both sides only read
//   managed sweeps       16 MiB swept four times: with --device-memory 12M they do not fit
//   managed pieces       the same steps, one quarter of the memory after the other
//
// Build it alone: nvcc -std=c++17 managed.cu
#include "../lesson.h"

constexpr int kThreads = 256, kRounds = 3, kSteps = 4, kPieces = 4;
constexpr int kSmall = 1 << 20, kLarge = 4 << 20;  // 4 MiB and 16 MiB of floats
constexpr std::size_t kSmallBytes = kSmall * sizeof(float);

__global__ void step(float* values) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    values[i] = values[i] * 0.5f + 1.0f;
}
__global__ void add_table(float* sums, const float* table) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sums[i] += table[i];
}

// What these two calls take changed with CUDA 13.
#if CUDART_VERSION >= 13000
static const cudaMemLocation kDevice = {cudaMemLocationTypeDevice, 0}, kHost = {cudaMemLocationTypeHost, 0};
#define PREFETCH(pointer, bytes, place) CHECK(cudaMemPrefetchAsync(pointer, bytes, place, 0, 0))
#else
static const int kDevice = 0, kHost = cudaCpuDeviceId;
#define PREFETCH(pointer, bytes, place) CHECK(cudaMemPrefetchAsync(pointer, bytes, place, 0))
#endif

static float* managed(int floats) {
    float* values = nullptr;
    CHECK(cudaMallocManaged(&values, floats * sizeof(float)));
    for (int i = 0; i < floats; ++i) values[i] = static_cast<float>(i % 16);
    return values;
}
static bool stepped(const float* values, int floats, int steps) {
    bool right = true;
    for (int i = 0; i < floats; i += 64) {
        float want = static_cast<float>(i % 16);
        for (int done = 0; done < steps; ++done) want = want * 0.5f + 1.0f;
        right = right && values[i] == want;
    }
    return right;
}

static bool back_and_forth(bool ahead) {
    float* values = managed(kSmall);
    bool right = true;
    for (int round = 1; round <= kRounds; ++round) {
        if (ahead) PREFETCH(values, kSmallBytes, kDevice);
        step<<<kSmall / kThreads, kThreads>>>(values);  // [step]
        if (ahead) PREFETCH(values, kSmallBytes, kHost);
        CHECK(cudaDeviceSynchronize());
        right = right && stepped(values, kSmall, round);
    }
    CHECK(cudaFree(values));
    return right;
}

static bool read_by_both() {
    float* table = managed(kSmall);
    CHECK(cudaMemAdvise(table, kSmallBytes, cudaMemAdviseSetReadMostly, kDevice));
    float* sums = to_device(std::vector<float>(kSmall));
    bool right = true;
    for (int round = 0; round < kRounds; ++round) {
        add_table<<<kSmall / kThreads, kThreads>>>(sums, table);
        CHECK(cudaDeviceSynchronize());
        right = right && stepped(table, kSmall, 0);
    }
    const std::vector<float> got = to_host(sums, kSmall);
    for (int i = 0; i < kSmall; ++i) right = right && got[i] == kRounds * static_cast<float>(i % 16);
    CHECK(cudaFree(table));
    CHECK(cudaFree(sums));
    return right;
}

// Each float takes four steps. A sweep takes one step with all of them; a piece takes all four before the next piece.
static bool in_parts(int parts) {
    float* values = managed(kLarge);
    const int part = kLarge / parts;
    for (int first = 0; first < kLarge; first += part)
        for (int done = 0; done < kSteps; ++done) step<<<part / kThreads, kThreads>>>(values + first);
    CHECK(cudaDeviceSynchronize());
    const bool right = stepped(values, kLarge, kSteps);
    CHECK(cudaFree(values));
    return right;
}

int main(int argc, char** argv) {
    const char* variant = argc > 1 ? argv[1] : "plain";
    Verdict verdict;
    if (is(variant, "plain") || is(variant, "prefetch")) {
        verdict.that(variant, back_and_forth(is(variant, "prefetch")));
    } else if (is(variant, "advise")) {
        verdict.that(variant, read_by_both());
    } else if (is(variant, "sweeps") || is(variant, "pieces")) {
        verdict.that(variant, in_parts(is(variant, "pieces") ? kPieces : 1));
    } else {
        std::fprintf(stderr, "usage: %s [plain|prefetch|advise|sweeps|pieces]\n", argv[0]);
        return 1;
    }
    return verdict.status();
}
