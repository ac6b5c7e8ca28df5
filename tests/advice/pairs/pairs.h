// What the programs of this folder share: arrays of device memory, the comparison of results, the stopwatch.
//
// Every program makes a Suite, gives it its pairs (two kernels that shall give the same, one of them with a fault) or
// its good kernels, and returns status(). A result is compared with its partner's in full and with the host's in
// samples; it says "ok NAME", or what differs and 1 at the end. SCALE, 1, 2 or 4, divides every size: for a look
// that need not take long.
//
// With --time or PAIRS_TIME=1 the kernels are timed, too: 5 warm-ups, then 21 launches one by one between two events.
// L2 stays as the last launch left it: warm. Each launch waits behind a kernel that spins, so that all three are queued
// before the first event passes and the host's own time is not in the figure; what an empty kernel then takes is told
// as `floor`. Lines for programs, in microseconds:
//
//     time floor MEDIAN MIN
//     time NAME_before MEDIAN MIN
//     wall NAME_before MEDIAN MIN      (by the host's clock, all launches and copies, where the pair is about those)
//
// PAIRS_ROUNDS=2 launches everything twice, with nothing between but the results of the first launch being read: the
// second finds L2 warm, as those that are timed do. Frequencies and the state of the card are not its business.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#ifndef SCALE
#define SCALE 1
#endif
static_assert(SCALE == 1 || SCALE == 2 || SCALE == 4, "sizes are whole tiles at these");

#define PAIRS_CHECK(call)                                                                        \
    do {                                                                                         \
        cudaError_t error_ = (call);                                                             \
        if (error_ != cudaSuccess) {                                                             \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_)); \
            std::exit(1);                                                                        \
        }                                                                                        \
    } while (0)

__global__ void pairs_spin(long long cycles) {
    long long start = clock64();
    while (clock64() - start < cycles) {
    }
}
__global__ void pairs_nothing() {}

namespace pairs {

inline int scaled(int size) { return size / SCALE; }
inline int blocks(int work, int each) { return (work + each - 1) / each; }

// The same numbers on every machine.
inline unsigned hash(unsigned i) {
    i = (i ^ 61u) ^ (i >> 16);
    i *= 9u;
    i ^= i >> 4;
    i *= 0x27d4eb2du;
    return i ^ (i >> 15);
}
inline float unit(unsigned i) { return static_cast<float>(hash(i) >> 8) / 16777216.0f; }  // 0 to 1

template <class T>
class Array {
public:
    explicit Array(size_t size) : host_(size) { allocate(); }
    template <class Value>
    Array(size_t size, Value value) : host_(size) {
        for (size_t i = 0; i < size; ++i) host_[i] = static_cast<T>(value(static_cast<int>(i)));
        allocate();
        PAIRS_CHECK(cudaMemcpy(device_, host_.data(), size * sizeof(T), cudaMemcpyHostToDevice));
    }
    explicit Array(const std::vector<T>& values) : host_(values) {
        allocate();
        PAIRS_CHECK(cudaMemcpy(device_, host_.data(), bytes(), cudaMemcpyHostToDevice));
    }
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;
    ~Array() { cudaFree(device_); }

    operator T*() const { return device_; }
    template <class As>
    As* as() const {
        return reinterpret_cast<As*>(device_);
    }
    const T& at(size_t i) const { return host_[i]; }
    const std::vector<T>& host() const { return host_; }
    size_t size() const { return host_.size(); }
    size_t bytes() const { return host_.size() * sizeof(T); }
    void clear() { PAIRS_CHECK(cudaMemset(device_, 0, bytes())); }
    std::vector<T> fetch() const {
        std::vector<T> values(host_.size());
        PAIRS_CHECK(cudaMemcpy(values.data(), device_, bytes(), cudaMemcpyDeviceToHost));
        return values;
    }

private:
    void allocate() { PAIRS_CHECK(cudaMalloc(&device_, bytes())); }
    std::vector<T> host_;
    T* device_ = nullptr;
};

class Suite {
public:
    Suite(int argc, char** argv) {
        std::setvbuf(stdout, nullptr, _IOLBF, 0);  // what was measured is told, whatever happens to the rest
        const char* asked = std::getenv("PAIRS_TIME");
        timing_ = asked && std::strcmp(asked, "1") == 0;
        const char* rounds = std::getenv("PAIRS_ROUNDS");
        if (rounds) rounds_ = std::max(1, std::atoi(rounds));
        for (int i = 1; i < argc; ++i) {
            if (std::strcmp(argv[i], "--time") == 0) timing_ = true;
        }
        if (timing_) measure("floor", [] { pairs_nothing<<<1, 32>>>(); });
    }

    // Both launches write `out`, which is zero before; reference(i) is what the host says of out[i].
    template <class T, class Before, class After, class Reference>
    void pair(const char* name, Array<T>& out, Before before, After after, Reference reference,
              double tolerance = 1e-4) {
        if (!agree(name, out, before, after, reference, tolerance)) return;
        if (!timing_) return;
        measure(std::string(name) + "_before", before);
        measure(std::string(name) + "_after", after);
    }

    // The same, for what is between the host and the card: by the host's clock, until the card is done.
    template <class T, class Before, class After, class Reference>
    void wall_pair(const char* name, Array<T>& out, Before before, After after, Reference reference,
                   double tolerance = 1e-4) {
        if (!agree(name, out, before, after, reference, tolerance)) return;
        if (!timing_) return;
        measure_wall(std::string(name) + "_before", before);
        measure_wall(std::string(name) + "_after", after);
    }

    template <class T, class Launch, class Reference>
    void good(const char* name, Array<T>& out, Launch launch, Reference reference, double tolerance = 1e-4) {
        std::vector<T> result = run(out, launch);
        if (!as_the_host(name, result, reference, tolerance)) return;
        std::printf("ok %s\n", name);
        if (timing_) measure(name, launch);
    }

    int status() const { return failed_ ? 1 : 0; }

private:
    static constexpr int kWarmUps = 5, kLaunches = 21, kSamples = 97;
    static constexpr long long kSpin = 60000;  // cycles, some 30 us

    static bool close(double a, double b, double tolerance) {
        return std::fabs(a - b) <= tolerance * std::max(1.0, std::max(std::fabs(a), std::fabs(b)));
    }

    // What the first launch leaves in `out`; later ones may add to that.
    template <class T, class Launch>
    std::vector<T> run(Array<T>& out, Launch launch) {
        std::vector<T> results;
        out.clear();
        for (int round = 0; round < rounds_; ++round) {
            launch();
            PAIRS_CHECK(cudaGetLastError());
            PAIRS_CHECK(cudaDeviceSynchronize());
            if (round == 0) results = out.fetch();
        }
        return results;
    }

    template <class T, class Reference>
    bool as_the_host(const char* name, const std::vector<T>& result, Reference reference, double tolerance) {
        size_t samples = std::min<size_t>(kSamples, result.size());
        for (size_t s = 0; s < samples; ++s) {
            size_t i = samples > 1 ? s * (result.size() - 1) / (samples - 1) : 0;
            double expected = static_cast<double>(reference(static_cast<int>(i)));
            if (!close(static_cast<double>(result[i]), expected, tolerance)) {
                std::printf("WRONG %s: [%zu] is %.9g, the host says %.9g\n", name, i, static_cast<double>(result[i]),
                            expected);
                failed_ = true;
                return false;
            }
        }
        return true;
    }

    template <class T, class Before, class After, class Reference>
    bool agree(const char* name, Array<T>& out, Before before, After after, Reference reference, double tolerance) {
        std::vector<T> first = run(out, before), second = run(out, after);
        for (size_t i = 0; i < first.size(); ++i) {
            if (!close(static_cast<double>(first[i]), static_cast<double>(second[i]), tolerance)) {
                std::printf("WRONG %s: [%zu] is %.9g before and %.9g after\n", name, i, static_cast<double>(first[i]),
                            static_cast<double>(second[i]));
                failed_ = true;
                return false;
            }
        }
        if (!as_the_host(name, first, reference, tolerance)) return false;
        std::printf("ok %s\n", name);
        return true;
    }

    static void tell(const char* kind, const std::string& name, std::vector<double> times) {
        std::sort(times.begin(), times.end());
        std::printf("%s %s %.3f %.3f\n", kind, name.c_str(), times[times.size() / 2], times.front());
    }

    template <class Launch>
    void measure(const std::string& name, Launch launch) {
        cudaEvent_t start, stop;
        PAIRS_CHECK(cudaEventCreate(&start));
        PAIRS_CHECK(cudaEventCreate(&stop));
        std::vector<double> times;
        for (int i = 0; i < kWarmUps + kLaunches; ++i) {
            pairs_spin<<<1, 1>>>(kSpin);
            PAIRS_CHECK(cudaEventRecord(start));
            launch();
            PAIRS_CHECK(cudaEventRecord(stop));
            PAIRS_CHECK(cudaEventSynchronize(stop));
            PAIRS_CHECK(cudaGetLastError());
            float milliseconds = 0;
            PAIRS_CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
            if (i >= kWarmUps) times.push_back(milliseconds * 1e3);
        }
        PAIRS_CHECK(cudaEventDestroy(start));
        PAIRS_CHECK(cudaEventDestroy(stop));
        tell("time", name, times);
    }

    template <class Work>
    void measure_wall(const std::string& name, Work work) {
        std::vector<double> times;
        for (int i = 0; i < kWarmUps + kLaunches; ++i) {
            PAIRS_CHECK(cudaDeviceSynchronize());
            auto start = std::chrono::steady_clock::now();
            work();
            PAIRS_CHECK(cudaDeviceSynchronize());
            std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
            if (i >= kWarmUps) times.push_back(took.count());
        }
        tell("wall", name, times);
    }

    bool timing_ = false, failed_ = false;
    int rounds_ = 1;
};

}  // namespace pairs
