// What the programs of this folder share beyond what those of tests/idioms do: numbers that are the same each time,
// device memory that goes by itself, and results told as one number, so that any bit that differs is seen.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "../../idioms/programs/program.cuh"

template <class T>
struct Buffer {
    explicit Buffer(std::size_t n) : count(n) {
        CHECK(cudaMalloc(&at, n * sizeof(T)));
        CHECK(cudaMemset(at, 0, n * sizeof(T)));
    }
    explicit Buffer(const std::vector<T>& host) : at(to_device(host)), count(host.size()) {}
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() { cudaFree(at); }
    operator T*() const { return at; }
    std::vector<T> host() const {
        CHECK(cudaGetLastError());
        return to_host(at, count);
    }

    T* at = nullptr;
    std::size_t count = 0;
};

// From low to high, both of them included where T is whole.
template <class T>
std::vector<T> numbers(std::size_t count, double low, double high, unsigned seed = 1) {
    std::vector<T> made(count);
    for (T& each : made) {
        seed = seed * 1664525u + 1013904223u;
        const double part = (seed >> 8) / 16777216.0;
        each = static_cast<T>(std::is_integral_v<T> ? std::floor(low + part * (high - low + 1))
                                                    : low + part * (high - low));
    }
    return made;
}

template <class T>
void tell(const char* what, const std::vector<T>& values) {
    std::uint64_t digest = 14695981039346656037u;
    const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
    for (std::size_t i = 0; i < values.size() * sizeof(T); ++i) digest = (digest ^ bytes[i]) * 1099511628211u;
    std::printf("%s %016llx\n", what, static_cast<unsigned long long>(digest));
}

template <class T>
int same(const char* what, const std::vector<T>& found, const std::vector<T>& expected) {
    tell(what, found);
    return verdict(what, found == expected);
}

// As far as the order of roundings goes.
template <class T>
int near(const char* what, const std::vector<T>& found, const std::vector<T>& expected, double tolerance = 1e-4) {
    tell(what, found);
    bool holds = found.size() == expected.size();
    for (std::size_t i = 0; holds && i < found.size(); ++i) {
        const double error = std::fabs(double(found[i]) - double(expected[i]));
        holds = error <= tolerance * (1 + std::fabs(double(expected[i])));
    }
    return verdict(what, holds);
}
