// What the lessons' programs share: calls that may fail, buffers there and back, launches, and the check of the result.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
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

inline bool is(const char* argument, const char* name) { return std::strcmp(argument, name) == 0; }

// Device storage for n elements.
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

// A number that a claim can look at.
inline void figure(const char* name, double value) { std::printf("%s: %.9g\n", name, value); }

// Runs what starts a kernel, once, and waits for it. With LESSON_REPEATS=N in the environment, as on a GPU whose times
// are wanted, N times more, and prints how long the first launch took and how long the others took on average: the
// first one also pays for what the driver does only once.
template <class Start>
void launch(const char* name, Start start) {
    const char* wanted = std::getenv("LESSON_REPEATS");
    const int repeats = wanted == nullptr ? 0 : std::atoi(wanted);
    if (repeats <= 0) {
        start();
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize());
        return;
    }
    cudaEvent_t begin, first, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&first));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaEventRecord(begin));
    start();
    CHECK(cudaEventRecord(first));
    for (int i = 0; i < repeats; ++i) start();
    CHECK(cudaEventRecord(end));
    CHECK(cudaGetLastError());
    CHECK(cudaEventSynchronize(end));
    float once = 0, others = 0;
    CHECK(cudaEventElapsedTime(&once, begin, first));
    CHECK(cudaEventElapsedTime(&others, first, end));
    std::printf("%s first launch microseconds: %.3f\n", name, once * 1000.0);
    std::printf("%s microseconds: %.3f\n", name, others * 1000.0 / repeats);
}

// Collects the outcomes of a lesson's program.
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
        that(what, wrong == 0);
        if (wrong == 0) return;
        std::printf("  %zu of %zu elements differ, the first at [%zu]\n", wrong, want.size(), first);
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
