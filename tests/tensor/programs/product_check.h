// What the programs of this folder share: numbers that are the same everywhere, memory on both sides, and the verdict.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include <cuda_runtime.h>

struct Random {
    std::uint32_t state;
    std::uint32_t bits() { return (state = state * 1664525u + 1013904223u) >> 8; }
    float between_halves() { return static_cast<float>(bits()) / 16777216.0f - 0.5f; }
};

template <class T>
T* to_device(const std::vector<T>& host) {
    T* device = nullptr;
    cudaMalloc(&device, host.size() * sizeof(T));
    cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    return device;
}

template <class T>
std::vector<T> to_host(const T* device, std::size_t count) {
    std::vector<T> host(count);
    cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost);
    return host;
}

template <class T>
std::uint32_t digest_of(const std::vector<T>& values) {
    std::uint32_t digest = 0;
    for (const T& value : values) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &value, sizeof value);
        digest = digest * 1000003u ^ static_cast<std::uint32_t>(bits) ^ static_cast<std::uint32_t>(bits >> 32);
    }
    return digest;
}

// Prints PASS where all values are near enough to the reference and no call failed. `exact`: the digest is printed.
template <class T, class Reference>
int judge(const std::vector<T>& values, const Reference& reference, double tolerance, bool exact = true) {
    double worst = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double off = std::fabs(static_cast<double>(values[i]) - reference(i));
        if (!(off <= worst)) worst = off;
    }
    const cudaError_t error = cudaDeviceSynchronize();
    const bool passes = error == cudaSuccess && worst <= tolerance;
    std::printf("%s: %s, off by %s %g", passes ? "PASS" : "FAIL", cudaGetErrorString(error),
                passes ? "no more than" : "up to", passes ? tolerance : worst);
    if (exact) std::printf(", digest %08x", digest_of(values));
    std::printf("\n");
    return passes ? 0 : 1;
}
