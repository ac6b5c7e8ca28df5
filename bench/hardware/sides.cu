// Which half of the L2 a line lives in: the time of an atomic, which is done where the line lives. Prints one JSON line
// a sweep: {"what": "lines", "step", "first": address, "sm", "cycles": [...]} from one SM to lines `step` bytes apart,
// and
// {"what": "sms", "lines": [address...], "cycles": {sm: [...]}} from each SM to a few lines; the least of some tries
// each.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "../../examples/check.h"

__device__ unsigned time_atomic(char* at, int tries) {
    unsigned least = ~0U;
    for (int k = 0; k < tries; ++k) {
        unsigned value = 0;
        const unsigned begin = clock();
        asm volatile("atom.global.add.u32 %0, [%1], 0;" : "=r"(value) : "l"(at) : "memory");
        if (value != 0) __trap();  // the answer has to be there before the clock is read
        least = min(least, static_cast<unsigned>(clock()) - begin);
    }
    return least;
}

__device__ unsigned sm() {
    unsigned number = 0;
    asm("mov.u32 %0, %%smid;" : "=r"(number));
    return number;
}

__global__ void sweep(char* buffer, std::size_t step, unsigned count, int tries, unsigned* cycles) {
    for (unsigned i = 0; i < count; ++i) cycles[i] = time_atomic(buffer + i * step, tries);
    cycles[count] = sm();
}

// One block for each SM, one after the other.
__global__ void from_all(char* buffer, std::size_t step, unsigned count, int tries, unsigned* turn, unsigned* cycles) {
    while (atomicAdd(turn, 0) != blockIdx.x) __nanosleep(1000);
    for (unsigned i = 0; i < count; ++i) cycles[blockIdx.x * (count + 1) + i] = time_atomic(buffer + i * step, tries);
    cycles[blockIdx.x * (count + 1) + count] = sm();
    atomicAdd(turn, 1);
}

std::vector<unsigned> fetch(const unsigned* from, std::size_t count) {
    std::vector<unsigned> values(count);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(values.data(), from, count * sizeof(unsigned), cudaMemcpyDeviceToHost));
    return values;
}

void print(const unsigned* values, unsigned count) {
    for (unsigned i = 0; i < count; ++i) std::printf(i ? ",%u" : "%u", values[i]);
}

int main() {
    constexpr std::size_t kBytes = std::size_t{256} << 20;
    char* buffer = nullptr;
    unsigned* results = nullptr;
    CHECK(cudaMalloc(&buffer, kBytes));
    CHECK(cudaMemset(buffer, 0, kBytes));
    CHECK(cudaMalloc(&results, kBytes));
    CHECK(cudaMemset(results, 0, kBytes));
    const auto first = reinterpret_cast<unsigned long long>(buffer);
    struct {
        std::size_t step;
        unsigned count;
    } const sweeps[] = {{128, 16384}, {4096, 65536}, {4096, 65536}};
    for (const auto& [step, count] : sweeps) {
        sweep<<<1, 1>>>(buffer, step, count, 5, results);
        const auto cycles = fetch(results, count + 1);
        std::printf("{\"what\": \"lines\", \"step\": %zu, \"first\": %llu, \"sm\": %u, \"cycles\": [", step, first,
                    cycles[count]);
        print(cycles.data(), count);
        std::printf("]}\n");
    }
    int sms = 0;
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    constexpr unsigned kLines = 64;
    unsigned* turn = results + kBytes / sizeof(unsigned) / 2;
    constexpr int kWholeSm = 200 * 1024;  // bytes of shared memory: no SM takes two blocks
    CHECK(cudaFuncSetAttribute(from_all, cudaFuncAttributeMaxDynamicSharedMemorySize, kWholeSm));
    from_all<<<sms, 1, kWholeSm>>>(buffer, 4096, kLines, 5, turn, results);
    const auto cycles = fetch(results, sms * (kLines + 1));
    std::printf("{\"what\": \"sms\", \"step\": 4096, \"first\": %llu, \"cycles\": {", first);
    for (int block = 0; block < sms; ++block) {
        const unsigned* row = cycles.data() + block * (kLines + 1);
        std::printf("%s\"%u\": [", block ? ", " : "", row[kLines]);
        print(row, kLines);
        std::printf("]");
    }
    std::printf("}}\n");
    return 0;
}
