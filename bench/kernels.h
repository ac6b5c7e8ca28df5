// The committed kernels and what the benchmarks need to launch them.
//
// Owns: texts of bench/kernels and KernelRun, a session with one module and its buffers. Guarantees: a benchmark that
// cannot run ends with the reason; nothing is measured by accident. Does not model: results, which the tests check.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "scope/session/session.h"

namespace tilescope::bench {

// Text of bench/kernels/NAME.ptx.
std::string kernel_text(const std::string& name);

// The value, or the end of the program with the errors on standard error.
template <class T>
T required(Result<T> result) {
    if (result) return std::move(result).value();
    std::cerr << render(result.errors());
    std::exit(1);
}

class KernelRun {
public:
    KernelRun(const std::string& file, const std::string& entry, unsigned jobs);

    // Device memory of n floats, all of them `value`; released with the session.
    float* floats(std::size_t n, float value);
    // Device memory that holds these values.
    template <class T>
    T* copied(const std::vector<T>& values) {
        T* const device = static_cast<T*>(storage(values.size() * sizeof(T)));
        overwrite(device, values);
        return device;
    }
    // The values again, for kernels that change their input.
    template <class T>
    void overwrite(T* device, const std::vector<T>& values) {
        std::memcpy(session_->memory().bytes(device), values.data(), values.size() * sizeof(T));
    }

    // Arguments in the order of the kernel's parameters, each of its parameter's size.
    template <class... Arguments>
    void arguments(Arguments... values) {
        const std::vector<KernelParameter>& places = session_->kernel_info(kernel_).parameters;
        parameters_.assign(session_->kernel_info(kernel_).parameter_bytes, std::byte{0});
        std::size_t next = 0;
        (place(places.at(next++), &values, sizeof values), ...);
    }

    void launch(Dim3 grid, Dim3 block);

    // Of the last launch.
    std::uint64_t counted(Counter counter) const;

private:
    void* storage(std::size_t bytes);
    void place(const KernelParameter& at, const void* value, std::size_t size);

    std::unique_ptr<Session> session_;
    KernelId kernel_ = 0;
    std::vector<std::byte> parameters_;
};

}  // namespace tilescope::bench
