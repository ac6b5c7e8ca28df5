// What examples, lessons and bench/hardware share: calls that may fail, buffers there and back, checks of results.
//
// Each example computes the right answer on the host as well, in the plainest way, prints PASS or FAIL for each kernel
// and returns 1 if anything failed.
#pragma once

#include <cuda_runtime.h>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

// Every CUDA call returns a status. Ignoring one turns a clear message into a wrong number much later.
#define CHECK(call)                                                                               \
    do {                                                                                          \
        const cudaError_t status_ = (call);                                                       \
        if (status_ != cudaSuccess) {                                                             \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_)); \
            std::exit(1);                                                                         \
        }                                                                                         \
    } while (0)

// A launch returns nothing: cudaGetLastError() says whether it could start, the synchronisation whether it ended well.
inline void finish_launch() {
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
}

// Device storage for n elements. Give it back with cudaFree.
template <class T>
T* device_buffer(std::size_t n) {
    T* device = nullptr;
    CHECK(cudaMalloc(reinterpret_cast<void**>(&device), n * sizeof(T)));
    return device;
}

template <class T>
T* to_device(const std::vector<T>& host) {
    T* device = device_buffer<T>(host.size());
    CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    return device;
}

template <class T>
std::vector<T> to_host(const T* device, std::size_t n) {
    std::vector<T> host(n);
    CHECK(cudaMemcpy(host.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
}

// n floats from -1 to 1 in steps of 1/8. Products are multiples of 1/64, so sums of up to some 200,000 of them are
// exact in single precision: whatever order a kernel adds in, the right answer is one bit pattern.
inline std::vector<float> eighths(std::size_t n, unsigned seed = 1) {
    std::vector<float> values(n);
    unsigned state = seed * 2654435761u + 1;
    for (float& value : values) {
        state = state * 1664525u + 1013904223u;
        value = static_cast<float>(static_cast<int>(state >> 16) % 17 - 8) / 8.0f;
    }
    return values;
}

// Collects the outcomes of an example.
class Verdict {
public:
    // Prints PASS, or FAIL with the first element that differs.
    template <class T>
    void equal(const char* what, const std::vector<T>& got, const std::vector<T>& want) {
        std::size_t wrong = 0, first = 0;
        for (std::size_t i = 0; i < want.size(); ++i) {
            if (i < got.size() && got[i] == want[i]) continue;
            if (wrong++ == 0) first = i;
        }
        if (wrong == 0) {
            std::printf("PASS %s\n", what);
            return;
        }
        failed_ = true;
        std::printf("FAIL %s: %zu of %zu elements differ, the first at [%zu]", what, wrong, want.size(), first);
        if (first < got.size())
            std::printf(": %g instead of %g", static_cast<double>(got[first]), static_cast<double>(want[first]));
        std::printf("\n");
    }

    void that(const char* what, bool holds) {
        std::printf("%s %s\n", holds ? "PASS" : "FAIL", what);
        failed_ = failed_ || !holds;
    }

    // What main() returns.
    int status() const { return failed_ ? 1 : 0; }

private:
    bool failed_ = false;
};
