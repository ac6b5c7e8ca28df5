// Idioms that people write in CUDA programs, many to a file: each fills buffers and gives their bytes, which must be
// the same through every compiler, and may say what the host expects. Holds main(): it runs every idiom of the file in
// order and prints a line of each, "name digest" and PASS or FAIL where something was checked.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <vector>

namespace idioms {

// Managed memory of zeros that frees itself.
template <class T>
class Buffer {
public:
    explicit Buffer(int count) : count_(count) {
        cudaMallocManaged(&data_, count * sizeof(T));
        std::memset(static_cast<void*>(data_), 0, count * sizeof(T));
    }
    ~Buffer() { cudaFree(data_); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    operator T*() { return data_; }
    T* get() { return data_; }
    int size() const { return count_; }

private:
    T* data_ = nullptr;
    int count_;
};

class Report {
public:
    void bytes(const void* data, size_t count) {
        const unsigned char* p = static_cast<const unsigned char*>(data);
        for (size_t i = 0; i < count; ++i) hash_ = (hash_ ^ p[i]) * 0x100000001b3ull;
    }
    // Waits for the kernel that fills the buffer first.
    template <class T>
    void add(Buffer<T>& buffer) {
        cudaDeviceSynchronize();
        bytes(buffer.get(), buffer.size() * sizeof(T));
    }
    template <class T>
    void value(const T& value) {
        bytes(&value, sizeof value);
    }
    void check(bool holds) {
        checked_ = true;
        failed_ = failed_ || !holds;
    }
    // Each element is what the host's function says of its index.
    template <class T, class F>
    void expect(Buffer<T>& buffer, F expected) {
        add(buffer);
        for (int i = 0; i < buffer.size(); ++i) check(buffer.get()[i] == static_cast<T>(expected(i)));
    }
    bool print(const char* name) {
        const bool ran = cudaDeviceSynchronize() == cudaSuccess && cudaGetLastError() == cudaSuccess;
        failed_ = failed_ || !ran;
        std::printf("%s %016llx%s\n", name, hash_, failed_ ? " FAIL" : checked_ ? " PASS" : "");
        return !failed_;
    }

private:
    unsigned long long hash_ = 0xcbf29ce484222325ull;
    bool checked_ = false;
    bool failed_ = false;
};

struct Idiom {
    const char* name;
    void (*run)(Report&);
};
inline std::vector<Idiom>& all() {
    static std::vector<Idiom> list;
    return list;
}
struct Registered {
    Registered(const char* name, void (*run)(Report&)) { all().push_back({name, run}); }
};

}  // namespace idioms

using idioms::Buffer;
using idioms::Report;

#define IDIOM(name)                                                 \
    static void name(Report& report);                               \
    static const idioms::Registered name##_registered(#name, name); \
    static void name(Report& report)

__device__ inline int thread_index() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

int main() {
    bool well = true;
    for (const idioms::Idiom& idiom : idioms::all()) {
        Report report;
        idiom.run(report);
        well = report.print(idiom.name) && well;
    }
    return well ? 0 : 1;
}
