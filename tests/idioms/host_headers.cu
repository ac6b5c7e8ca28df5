// Headers of the host's library in one mixture with kernels: none may disturb the other.
// options: --compile-flags=--expt-relaxed-constexpr
#include <algorithm>
#include <atomic>
#include <bitset>
#include <cassert>
#include <chrono>
#include <cmath>
#include <complex>
#include <condition_variable>
#include <deque>
#include <exception>
#include <fstream>
#include <functional>
#include <future>
#include <iomanip>
#include <iostream>
#include <limits>
#include <list>
#include <mutex>
#include <numeric>
#include <optional>
#include <queue>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <valarray>
#include <variant>

#include "idioms.cuh"

class CudaError : public std::runtime_error {
public:
    CudaError(cudaError_t code, const char* what)
        : std::runtime_error(std::string(what) + ": " + cudaGetErrorString(code)) {}
};
inline void check(cudaError_t code, const char* what) {
    if (code != cudaSuccess) throw CudaError(code, what);
}
#define CUDA_CHECK(call) check((call), #call)
__global__ void squares(int* out, int n) {
    if (const int i = thread_index(); i < n) out[i] = i * i;
}
IDIOM(errors_as_exceptions) {
    std::string said;
    try {
        CUDA_CHECK(cudaSetDevice(0));
        CUDA_CHECK(cudaMemcpy(nullptr, nullptr, 8, static_cast<cudaMemcpyKind>(77)));
    } catch (const CudaError& e) {
        said = e.what();
    }
    cudaGetLastError();
    report.bytes(said.data(), said.size());
    report.check(said.find("cudaMemcpy") == 0);
}

IDIOM(launch_from_another_host_thread) {
    Buffer<int> out(128);
    std::exception_ptr failed;
    std::thread worker([&] {
        try {
            CUDA_CHECK(cudaSetDevice(0));
            squares<<<1, 128>>>(out, 128);
            CUDA_CHECK(cudaStreamSynchronize(0));
        } catch (...) {
            failed = std::current_exception();
        }
    });
    worker.join();
    report.check(failed == nullptr);
    report.expect(out, [](int i) { return i * i; });
}

IDIOM(futures_and_locks_around_launches) {
    std::mutex mutex;
    std::vector<std::future<long>> sums;
    for (int k = 0; k < 3; ++k)
        sums.push_back(std::async(std::launch::async, [&mutex, k] {
            Buffer<int> out(32 + k);
            std::lock_guard<std::mutex> lock(mutex);
            squares<<<1, 64>>>(out, 32 + k);
            cudaDeviceSynchronize();
            return std::accumulate(out.get(), out.get() + out.size(), 0l);
        }));
    long total = 0;
    for (auto& sum : sums) total += sum.get();
    report.value(total);
    report.check(total == 10416 + 11440 + 12529);
}

__global__ void complex_parts(const std::complex<float>* in, float* out) {
    const auto* parts = reinterpret_cast<const float*>(in + threadIdx.x);
    out[threadIdx.x] = parts[0] * parts[0] + parts[1] * parts[1];
}
IDIOM(complex_of_the_host_as_two_floats) {
    Buffer<std::complex<float>> in(16);
    Buffer<float> out(16);
    for (int i = 0; i < 16; ++i) in[i] = {1.0f * i, 2.0f};
    complex_parts<<<1, 16>>>(in, out);
    report.expect(out, [&](int i) { return std::norm(in[i]); });
}

struct Less {
    template <class T>
    __host__ __device__ bool operator()(const T& a, const T& b) const {
        return a < b;
    }
};
__global__ void limits_of_types(double* out) {
    out[0] = std::numeric_limits<float>::max(), out[1] = std::numeric_limits<int>::min();
    out[2] = std::numeric_limits<double>::epsilon(), out[3] = Less{}(2, 3),
    out[4] = std::numeric_limits<unsigned char>::max();
}
IDIOM(numeric_limits_in_device_code) {
    Buffer<double> out(5);
    limits_of_types<<<1, 1>>>(out);
    const double expected[] = {std::numeric_limits<float>::max(), -2147483648.0, std::numeric_limits<double>::epsilon(),
                               1, 255};
    report.expect(out, [&](int i) { return expected[i]; });
}

IDIOM(random_input_and_sorted_output) {
    std::mt19937 generator(42);
    std::uniform_int_distribution<int> distribution(0, 99);
    Buffer<int> out(200);
    squares<<<2, 100>>>(out, 200);
    cudaDeviceSynchronize();
    std::vector<unsigned> raw(200);
    std::generate(raw.begin(), raw.end(), std::ref(generator));
    for (int i = 0; i < 200; ++i) out[i] = static_cast<int>(raw[i] % 1000) + out[i] % 7;
    std::sort(out.get(), out.get() + 200);
    report.add(out);
    report.check(std::is_sorted(out.get(), out.get() + 200));
}

IDIOM(strings_and_variants_beside_kernels) {
    std::ostringstream text;
    const std::variant<int, std::string> value = std::string("seven");
    const std::optional<int> none;
    text << std::setw(5) << std::setfill('0') << 42 << ' ' << std::get<std::string>(value) << ' ' << none.value_or(3)
         << std::bitset<8>(0x5a);
    const auto [a, b] = std::make_tuple(1, 2.5);
    text << ' ' << a + b << std::hex << 255;
    report.bytes(text.str().data(), text.str().size());
    report.check(text.str() == "00042 seven 301011010 3.5ff");
}

static std::function<void()> deferred;
IDIOM(launch_in_a_stored_function) {
    Buffer<int> out(32);
    deferred = [&out] { squares<<<1, 32>>>(out, 32); };
    deferred();
    const auto before = std::chrono::steady_clock::now();
    report.expect(out, [](int i) { return i * i; });
    report.check(std::chrono::steady_clock::now() >= before);
    deferred = nullptr;
}
