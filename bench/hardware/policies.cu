// What code can ask of the caches: which lines stay, and how much comes at a time. Prints one JSON line a launch, in
// order, for counters to be held against. Each launch of "stay" fills a cache with `kept` bytes, lets `others` bytes
// follow, and reads the first bytes again: what it then fetches anew did not stay.
#include <cstdint>
#include <cstring>

#include "../../examples/check.h"

// How an access asks: by a word of its own, or by a policy that an instruction made.
enum class Ask {
    kNormal,
    kFirst,
    kLast,
    kUnchanged,
    kHalfLast,
    kQuarterFirst,
    kStreaming,
    kLastUse,
    kL1First,
    kL1Last,
    kL1Unchanged,
    kNoAllocate,
    kStoreNormal,
    kStoreStreaming,
    kStoreFirst,
    kStoreLast,
    kStoreUnchanged,
    kStoreThrough
};
constexpr const char* kNames[] = {
    "normal", "L2 first", "L2 last",        "L2 unchanged",  "L2 half last",       "L2 quarter first",
    "cs",     "lu",       "L1 first",       "L1 last",       "L1 unchanged",       "L1 no allocate",
    "store",  "store cs", "store L2 first", "store L2 last", "store L2 unchanged", "store wt"};

template <Ask kAsk>
__device__ std::uint64_t policy() {
    std::uint64_t made = 0;
    if constexpr (kAsk == Ask::kFirst || kAsk == Ask::kStoreFirst)
        asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(made));
    if constexpr (kAsk == Ask::kLast || kAsk == Ask::kStoreLast)
        asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(made));
    if constexpr (kAsk == Ask::kUnchanged || kAsk == Ask::kStoreUnchanged)
        asm("createpolicy.fractional.L2::evict_unchanged.b64 %0, 1.0;" : "=l"(made));
    if constexpr (kAsk == Ask::kHalfLast) asm("createpolicy.fractional.L2::evict_last.b64 %0, 0.5;" : "=l"(made));
    if constexpr (kAsk == Ask::kQuarterFirst) asm("createpolicy.fractional.L2::evict_first.b64 %0, 0.25;" : "=l"(made));
    return made;
}

#define LOAD(words) asm volatile("ld.global" words ".u32 %0, [%1];" : "=r"(value) : "l"(at))
#define LOAD_BY_POLICY asm volatile("ld.global.L2::cache_hint.u32 %0, [%1], %2;" : "=r"(value) : "l"(at), "l"(made))

template <Ask kAsk>
__device__ unsigned touch(unsigned* at, std::uint64_t made) {
    unsigned value = 0;
    if constexpr (kAsk == Ask::kNormal)
        LOAD("");
    else if constexpr (kAsk == Ask::kStreaming)
        LOAD(".cs");
    else if constexpr (kAsk == Ask::kLastUse)
        LOAD(".lu");
    else if constexpr (kAsk == Ask::kL1First)
        LOAD(".L1::evict_first");
    else if constexpr (kAsk == Ask::kL1Last)
        LOAD(".L1::evict_last");
    else if constexpr (kAsk == Ask::kL1Unchanged)
        LOAD(".L1::evict_unchanged");
    else if constexpr (kAsk == Ask::kNoAllocate)
        LOAD(".L1::no_allocate");
    else if constexpr (kAsk == Ask::kStoreNormal)
        asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(1) : "memory");
    else if constexpr (kAsk == Ask::kStoreStreaming)
        asm volatile("st.global.cs.u32 [%0], %1;" ::"l"(at), "r"(1) : "memory");
    else if constexpr (kAsk == Ask::kStoreThrough)
        asm volatile("st.global.wt.u32 [%0], %1;" ::"l"(at), "r"(1) : "memory");
    else if constexpr (kAsk >= Ask::kStoreFirst)
        asm volatile("st.global.L2::cache_hint.u32 [%0], %1, %2;" ::"l"(at), "r"(1), "l"(made) : "memory");
    else
        LOAD_BY_POLICY;
    return value;
}

// All blocks of the grid, which are resident at once. A fence would empty L1: one block by itself needs none.
__device__ void meet(unsigned* arrived) {
    if (gridDim.x == 1) {
        __syncthreads();
        return;
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        const unsigned round = atomicAdd(arrived, 1) / gridDim.x + 1;
        while (atomicAdd(arrived, 0) < round * gridDim.x) __nanosleep(200);
    }
    __syncthreads();
}

template <Ask kAsk>
__device__ unsigned pass(unsigned* from, std::size_t words, unsigned turned) {
    const std::uint64_t made = policy<kAsk>();
    unsigned sum = 0;
    // Another block's turn each time, so that no L1 has what its own block read before.
    const std::size_t block = (blockIdx.x + turned) % gridDim.x;
    for (std::size_t i = block * blockDim.x + threadIdx.x; i < words; i += std::size_t{gridDim.x} * blockDim.x)
        sum += touch<kAsk>(from + i, made);
    return sum;
}

template <Ask kKept, Ask kOthers>
__global__ void stay(unsigned* kept, std::size_t kept_words, unsigned* others, std::size_t other_words, unsigned turn,
                     unsigned* arrived, unsigned* out) {
    unsigned sum = pass<kKept>(kept, kept_words, 0);
    meet(arrived);
    sum += pass<kOthers>(others, other_words, 0);
    meet(arrived);
    sum += pass<Ask::kNormal>(kept, kept_words, turn);
    if (sum == 0x12345678) *out = sum;
}

constexpr std::size_t kMegabyte = std::size_t{1} << 20;
constexpr std::size_t kKilobyte = std::size_t{1} << 10;
unsigned *buffer = nullptr, *arrived = nullptr;

template <Ask kKept, Ask kOthers>
void run(const char* level, unsigned blocks, std::size_t kept, std::size_t others, const char* window = "none",
         cudaStream_t stream = nullptr) {
    CHECK(cudaMemset(arrived, 0, 4));
    stay<kKept, kOthers><<<blocks, 1024, 0, stream>>>(buffer, kept / 4, buffer + 64 * kMegabyte, others / 4, blocks / 2,
                                                      arrived, arrived + 1);
    CHECK(cudaDeviceSynchronize());
    std::printf(
        "{\"level\": \"%s\", \"kept\": %zu, \"others\": %zu, \"kept by\": \"%s\", \"others by\": \"%s\", \"window\": "
        "\"%s\"}\n",
        level, kept, others, kNames[static_cast<int>(kKept)], kNames[static_cast<int>(kOthers)], window);
}

template <Ask kKept, Ask kOthers>
void sweep_second() {
    for (const std::size_t others : {8, 16, 24, 32, 40, 48, 64, 96})
        run<kKept, kOthers>("L2", 264, 8 * kMegabyte, others * kMegabyte);
}

template <Ask kKept, Ask kOthers>
void grow_second() {
    for (const std::size_t kept : {16, 24, 32, 40, 48})
        run<kKept, kOthers>("L2", 264, kept * kMegabyte, 64 * kMegabyte);
}

template <Ask kKept, Ask kOthers>
void few_second() {
    for (const std::size_t others : {24, 48}) run<kKept, kOthers>("L2", 264, 8 * kMegabyte, others * kMegabyte);
}

template <Ask kKept, Ask kOthers>
void sweep_first() {
    for (const std::size_t others : {32, 64, 128, 192, 224, 256, 512})
        run<kKept, kOthers>("L1", 1, 64 * kKilobyte, others * kKilobyte);
}

template <Ask kKept, Ask kOthers>
void grow_first() {
    for (const std::size_t kept : {96, 128, 160, 192, 224, 256})
        run<kKept, kOthers>("L1", 1, kept * kKilobyte, 512 * kKilobyte);
}

// ---- How much comes at a time ---------------------------------------------------------------------------------------

enum class Size { kNone, k64, k128, k256, kPrefetchSecond, kPrefetchFirst, kPrefetchLast };
constexpr const char* kSizes[] = {"none", "64B", "128B", "256B", "prefetch L2", "prefetch L1", "prefetch L2 last"};

template <Size kSize>
__global__ void sparse(const unsigned* from, std::size_t stride, std::size_t count, unsigned* out) {
    unsigned sum = 0, value = 0;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
         i += std::size_t{gridDim.x} * blockDim.x) {
        const unsigned* at = from + i * stride / 4;
        if constexpr (kSize == Size::kNone) LOAD("");
        if constexpr (kSize == Size::k64) LOAD(".L2::64B");
        if constexpr (kSize == Size::k128) LOAD(".L2::128B");
        if constexpr (kSize == Size::k256) LOAD(".L2::256B");
        if constexpr (kSize == Size::kPrefetchSecond) asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
        if constexpr (kSize == Size::kPrefetchFirst) asm volatile("prefetch.global.L1 [%0];" ::"l"(at));
        if constexpr (kSize == Size::kPrefetchLast) asm volatile("prefetch.global.L2::evict_last [%0];" ::"l"(at));
        sum += value;
    }
    if (sum == 0x12345678) *out = sum;
}

template <Size kSize>
void sizes() {
    for (const std::size_t stride : {32, 64, 128, 256, 512}) {
        constexpr std::size_t kCount = 1 << 18;
        sparse<kSize><<<264, 256>>>(buffer, stride, kCount, arrived + 1);
        CHECK(cudaDeviceSynchronize());
        std::printf("{\"size\": \"%s\", \"stride\": %zu, \"count\": %zu}\n", kSizes[static_cast<int>(kSize)], stride,
                    kCount);
    }
}

// ---- Windows --------------------------------------------------------------------------------------------------------

void windows() {
    int most = 0, widest = 0;
    CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxPersistingL2CacheSize, 0));
    CHECK(cudaDeviceGetAttribute(&widest, cudaDevAttrMaxAccessPolicyWindowSize, 0));
    cudaStream_t stream = nullptr;
    CHECK(cudaStreamCreate(&stream));
    for (const std::size_t aside : {0, 8, 16, 31})
        for (const std::size_t kept : {8, 16, 24})
            for (const float ratio : {1.0F, 0.5F}) {
                const std::size_t bytes = aside * kMegabyte > static_cast<std::size_t>(most)
                                              ? static_cast<std::size_t>(most)
                                              : aside * kMegabyte;
                CHECK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, bytes));
                cudaStreamAttrValue value{};
                value.accessPolicyWindow.base_ptr = buffer;
                value.accessPolicyWindow.num_bytes = kept * kMegabyte;
                value.accessPolicyWindow.hitRatio = ratio;
                value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
                value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
                CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
                char words[96];
                std::snprintf(words, sizeof words, "persisting %.2f of %zu, aside %zu, most %d, widest %d", ratio, kept,
                              bytes, most, widest);
                run<Ask::kNormal, Ask::kNormal>("L2", 264, kept * kMegabyte, 64 * kMegabyte, words, stream);
            }
    CHECK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0));
    for (const std::size_t others : {24, 48}) {
        cudaStreamAttrValue value{};
        value.accessPolicyWindow.base_ptr = buffer + 64 * kMegabyte;
        value.accessPolicyWindow.num_bytes = others * kMegabyte;
        value.accessPolicyWindow.hitRatio = 1;
        value.accessPolicyWindow.hitProp = cudaAccessPropertyStreaming;
        value.accessPolicyWindow.missProp = cudaAccessPropertyNormal;
        CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
        run<Ask::kNormal, Ask::kNormal>("L2", 264, 8 * kMegabyte, others * kMegabyte, "others streaming", stream);
    }
}

int main(int argc, char** argv) {
    constexpr std::size_t kBytes = 384 * kMegabyte;  // the others begin at 256
    CHECK(cudaMalloc(&buffer, kBytes));
    CHECK(cudaMalloc(&arrived, 64));
    CHECK(cudaMemset(buffer, 0, kBytes));
    const char* part = argc > 1 ? argv[1] : "";
    // All of the second level, or a part of that.
    const bool second = std::strcmp(part, "second") == 0;
    if (second || std::strcmp(part, "sweeps") == 0) {
        sweep_second<Ask::kNormal, Ask::kNormal>();
        sweep_second<Ask::kLast, Ask::kNormal>();
        sweep_second<Ask::kFirst, Ask::kNormal>();
        sweep_second<Ask::kUnchanged, Ask::kNormal>();
        sweep_second<Ask::kNormal, Ask::kFirst>();
        sweep_second<Ask::kNormal, Ask::kLast>();
        sweep_second<Ask::kNormal, Ask::kUnchanged>();
        sweep_second<Ask::kLast, Ask::kLast>();
        sweep_second<Ask::kFirst, Ask::kFirst>();
        sweep_second<Ask::kHalfLast, Ask::kNormal>();
        sweep_second<Ask::kQuarterFirst, Ask::kNormal>();
    }
    if (second || std::strcmp(part, "growth") == 0) {
        grow_second<Ask::kNormal, Ask::kFirst>();
        grow_second<Ask::kLast, Ask::kFirst>();
        grow_second<Ask::kNormal, Ask::kNormal>();
        grow_second<Ask::kLast, Ask::kNormal>();
    }
    if (second || std::strcmp(part, "words") == 0) {
        few_second<Ask::kStreaming, Ask::kNormal>();
        few_second<Ask::kNormal, Ask::kStreaming>();
        few_second<Ask::kNormal, Ask::kLastUse>();
        few_second<Ask::kNormal, Ask::kL1First>();
        few_second<Ask::kNormal, Ask::kL1Last>();
        few_second<Ask::kNormal, Ask::kNoAllocate>();
        few_second<Ask::kStoreLast, Ask::kNormal>();
        few_second<Ask::kNormal, Ask::kStoreStreaming>();
    }
    if (second || std::strcmp(part, "more words") == 0) {
        few_second<Ask::kLastUse, Ask::kNormal>();
        few_second<Ask::kL1First, Ask::kNormal>();
        few_second<Ask::kL1Last, Ask::kNormal>();
        few_second<Ask::kL1Unchanged, Ask::kNormal>();
        few_second<Ask::kNoAllocate, Ask::kNormal>();
        few_second<Ask::kNormal, Ask::kL1Unchanged>();
        few_second<Ask::kStoreNormal, Ask::kNormal>();
        few_second<Ask::kStoreStreaming, Ask::kNormal>();
        few_second<Ask::kStoreFirst, Ask::kNormal>();
        few_second<Ask::kStoreUnchanged, Ask::kNormal>();
        few_second<Ask::kStoreThrough, Ask::kNormal>();
        few_second<Ask::kNormal, Ask::kStoreNormal>();
        few_second<Ask::kNormal, Ask::kStoreFirst>();
        few_second<Ask::kNormal, Ask::kStoreLast>();
    }
    if (std::strcmp(part, "first") == 0) {
        sweep_first<Ask::kNormal, Ask::kNormal>();
        sweep_first<Ask::kStreaming, Ask::kNormal>();
        sweep_first<Ask::kLastUse, Ask::kNormal>();
        sweep_first<Ask::kL1First, Ask::kNormal>();
        sweep_first<Ask::kL1Last, Ask::kNormal>();
        sweep_first<Ask::kL1Unchanged, Ask::kNormal>();
        sweep_first<Ask::kNoAllocate, Ask::kNormal>();
        sweep_first<Ask::kFirst, Ask::kNormal>();
        sweep_first<Ask::kLast, Ask::kNormal>();
        sweep_first<Ask::kNormal, Ask::kStreaming>();
        sweep_first<Ask::kNormal, Ask::kLastUse>();
        sweep_first<Ask::kNormal, Ask::kL1First>();
        sweep_first<Ask::kNormal, Ask::kL1Last>();
        sweep_first<Ask::kNormal, Ask::kL1Unchanged>();
        sweep_first<Ask::kNormal, Ask::kNoAllocate>();
        sweep_first<Ask::kL1Last, Ask::kL1Last>();
        sweep_first<Ask::kL1First, Ask::kL1First>();
        sweep_first<Ask::kL1Last, Ask::kL1First>();
        sweep_first<Ask::kL1First, Ask::kL1Last>();
        grow_first<Ask::kL1Last, Ask::kNormal>();
        grow_first<Ask::kL1Last, Ask::kL1First>();
        grow_first<Ask::kNormal, Ask::kL1First>();
    }
    if (std::strcmp(part, "sizes") == 0) {
        sizes<Size::kNone>();
        sizes<Size::k64>();
        sizes<Size::k128>();
        sizes<Size::k256>();
        sizes<Size::kPrefetchSecond>();
        sizes<Size::kPrefetchFirst>();
        sizes<Size::kPrefetchLast>();
    }
    if (std::strcmp(part, "windows") == 0) windows();
    return 0;
}
