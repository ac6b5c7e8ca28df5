// Launches a random kernel, runs its reference, and holds one against the other bit by bit.
//
// A generated file includes this, defines programs as namespaces, and ends with main_over() of them. It prints one line
// for each program that fails and a last line with the count; its status is the number of failures, at most 100. With
// RANDOM_SHOWS each program has a line with a checksum of its results and of those that it should have.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "meaning_on_both.h"
#include "meaning_on_host.h"
#if defined(RANDOM_HALF)
#include "halves_on_host.h"  // behind same_bits()
#endif
#include "contracted.h"

namespace harness {

// Numbers that make arithmetic stumble, and ordinary ones between them.
inline unsigned long long next(unsigned long long& state) {
    unsigned long long x = state += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}
template <class T>
T drawn(unsigned long long& state) {
    const unsigned long long a = next(state), b = next(state);
    if (a % 8 == 0) return static_cast<T>(b % 2 != 0 ? ~0ull : 0ull);
    if (a % 8 == 1) return static_cast<T>(1ull << (b % (8 * sizeof(T))));
    if (a % 8 < 5) return static_cast<T>(b % 100);
    return static_cast<T>(b);
}
template <class T>
T drawn_real(unsigned long long& state) {
    const unsigned long long a = next(state), b = next(state);
    if (a % 16 == 0) return b % 2 != 0 ? T(0) : -T(0);
    if (a % 16 == 1) return std::numeric_limits<T>::infinity() * (b % 2 != 0 ? T(1) : T(-1));
    if (a % 16 == 2) return std::numeric_limits<T>::denorm_min() * T(b % 1000);
    if (a % 16 == 3) return std::ldexp(T(b % 65536), static_cast<int>(a / 16 % 150) - 40);
    if (a % 16 < 8) return T(static_cast<long long>(b % 201) - 100);
    return T(static_cast<long long>(b % 2000001) - 1000000) / T(1024);
}
template <>
inline float drawn<float>(unsigned long long& state) {
    return drawn_real<float>(state);
}
template <>
inline double drawn<double>(unsigned long long& state) {
    return drawn_real<double>(state);
}
#if defined(RANDOM_HALF)
template <class H>
H drawn_half(unsigned long long& state, unsigned infinity) {
    const unsigned long long a = next(state), b = next(state);
    const unsigned sign = b % 2 != 0 ? 0x8000u : 0;
    unsigned pattern = static_cast<unsigned>(b >> 8 & 0xffff);
    if (a % 16 == 0) pattern = sign;
    if (a % 16 == 1) pattern = sign | infinity;
    if (a % 16 == 2) pattern = sign | (pattern & 0x7f);  // subnormal, or nearly
    if (a % 16 == 3) pattern = sign | (infinity - 1 - (pattern & 3));
    if (a % 16 >= 4 && a % 16 < 12)
        return reference::nearest_to<H>(reference::exact(drawn_real<float>(state)));  // whole numbers and fractions
    return reference::same_bits<H>(static_cast<unsigned short>(pattern));
}
template <>
inline __half drawn<__half>(unsigned long long& state) {
    return drawn_half<__half>(state, 0x7c00);
}
template <>
inline __half2 drawn<__half2>(unsigned long long& state) {
    const __half low = drawn<__half>(state), high = drawn<__half>(state);
    return reference::pair_of<__half2>(low, high);
}
#endif
#if defined(RANDOM_BFLOAT16)
template <>
inline __nv_bfloat16 drawn<__nv_bfloat16>(unsigned long long& state) {
    return drawn_half<__nv_bfloat16>(state, 0x7f80);
}
template <>
inline __nv_bfloat162 drawn<__nv_bfloat162>(unsigned long long& state) {
    const __nv_bfloat16 low = drawn<__nv_bfloat16>(state), high = drawn<__nv_bfloat16>(state);
    return reference::pair_of<__nv_bfloat162>(low, high);
}
#endif

// The same elements on the device and on the host.
template <class T>
class Twin {
public:
    explicit Twin(std::size_t count) : host_(count), count_(count) { cudaMalloc(&device_, count * sizeof(T)); }
    ~Twin() { cudaFree(device_); }
    Twin(const Twin&) = delete;
    Twin& operator=(const Twin&) = delete;
    T* device() { return device_; }
    T* host() { return host_.data(); }
    Twin& fill(unsigned long long seed) {
        for (std::size_t i = 0; i < count_; ++i) host_[i] = drawn<T>(seed);
        return send();
    }
    Twin& set(T value) {
        for (std::size_t i = 0; i < count_; ++i) host_[i] = value;
        return send();
    }
    Twin& send() {
        cudaMemcpy(device_, host_.data(), count_ * sizeof(T), cudaMemcpyHostToDevice);
        return *this;
    }
    std::vector<T> fetched() {
        std::vector<T> copy(count_);
        cudaMemcpy(copy.data(), device_, count_ * sizeof(T), cudaMemcpyDeviceToHost);
        return copy;
    }

private:
    std::vector<T> host_;
    T* device_ = nullptr;
    std::size_t count_;
};

class Trial {
public:
    explicit Trial(unsigned long long seed) : seed_(seed) {}

    // After the launch: what went wrong, if anything.
    void launched() {
        cudaError_t status = cudaGetLastError();
        if (status == cudaSuccess) status = cudaDeviceSynchronize();
        if (status != cudaSuccess) fail("the launch failed: %s", cudaGetErrorString(status));
    }

    // Every block in turn.
    template <class Body>
    void refer(dim3 grid, dim3 block, Body body) {
        for (unsigned z = 0; z < grid.z; ++z)
            for (unsigned y = 0; y < grid.y; ++y)
                for (unsigned x = 0; x < grid.x; ++x)
                    reference::run_block({x, y, z}, {block.x, block.y, block.z}, {grid.x, grid.y, grid.z}, body);
    }

    // `columns` names what each thread stored, in turn; empty for an array of the program's own.
    template <class T>
    void compare(const char* what, const T* got, const T* wanted, std::size_t count,
                 const std::vector<const char*>& columns = {}) {
        if (failed_) return;
        for (std::size_t i = 0; i < count; ++i) {
            const unsigned long long left = both::bits(got[i]), right = both::bits(wanted[i]);
            got_ = (got_ ^ left) * 1099511628211ull;
            wanted_ = (wanted_ ^ right) * 1099511628211ull;
            if (left == right) continue;
            const std::size_t width = columns.empty() ? 1 : columns.size();
            const char* column = columns.empty() ? "" : columns[i % width];
            fail("%s%s%s of %zu is 0x%llx, not 0x%llx", what, columns.empty() ? "" : ".", column, i / width, left,
                 right);
            return;
        }
    }

    bool passed() const {
#if defined(RANDOM_SHOWS)
        std::printf("RESULT program %llu: %016llx, should be %016llx\n", seed_, got_, wanted_);
#endif
        return !failed_;
    }

private:
    template <class... Values>
    void fail(const char* format, Values... values) {
        if (!failed_) {
            std::printf("WRONG program %llu: ", seed_);
            std::printf(format, values...);
            std::printf("\n");
            std::fflush(stdout);
        }
        failed_ = true;
    }

    unsigned long long seed_, got_ = 0, wanted_ = 0;
    bool failed_ = false;
};

struct Entry {
    unsigned long long seed;
    bool (*run)();
};

// All programs of a file, or those whose seeds are the arguments.
inline int main_over(const std::vector<Entry>& entries, int count, char** arguments) {
    // A card's frames are larger than what the programs declare: of 200 programs on an H100 one overflowed 1,024 bytes.
    cudaDeviceSetLimit(cudaLimitStackSize, 16 << 10);
    int programs = 0, wrong = 0;
    for (const Entry& entry : entries) {
        bool chosen = count < 2;
        for (int i = 1; i < count; ++i) chosen = chosen || std::strtoull(arguments[i], nullptr, 10) == entry.seed;
        if (!chosen) continue;
        ++programs;
        wrong += entry.run() ? 0 : 1;
    }
    std::printf("%s: %d of %d programs wrong\n", wrong == 0 ? "OK" : "FAILED", wrong, programs);
    return wrong < 100 ? wrong : 100;
}

}  // namespace harness
