// The C++ library: kernels run on the CPU from a test, and what they did to memory is read as figures. Installed as
// <tilescope/tilescope.h>; `find_package(tilescope)` gives the target tilescope::tilescope. C++17.
//
//   namespace ts = tilescope::library;
//   auto session = ts::Session::create({});
//   auto module = session->load("copy.cu");
//   auto in = session->buffer(std::vector<float>(4096, 1)), out = session->buffer<float>(4096);
//   auto launch = session->launch(*module->kernel("copy"), {{16}, {256}}, *in, *out, 4096);
//   EXPECT_LE(*launch->value("global_load_sectors_per_request"), 4);
//
// Owns: Session and what belongs to one. Guarantees: no global state, so sessions of several threads know nothing of
// each other; errors are a Result, and no exception leaves the library; results and counts are the same for any number
// of jobs. Modules, kernels and buffers keep their session alive. Does not model: a host program: no stream, no copy
// that takes time. What a session's own members do is serialised.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#ifdef TILESCOPE_LIBRARY_BUILD
#include "scope/library/result.h"
#else
#include <tilescope/result.h>
#endif

#define TILESCOPE_LIBRARY_API __attribute__((visibility("default")))

namespace tilescope::library {

struct Extent {
    unsigned x = 1, y = 1, z = 1;
};

// As the options of `tilescope launch` of the same names.
struct Options {
    std::string device = "h200";               // a name that `tilescope devices` lists, or a JSON file
    std::string compiler = "auto";             // of .cu files: auto, clang, nvcc, clang-16, or a path
    std::vector<std::string> compile_flags{};  // of .cu files, as nvcc spells them
    std::vector<std::string> checks{};         // memory, leaks, races, barriers, init, or all
    bool caches = true;                        // model L1, L2, DRAM and time
    bool whole_caches = false;                 // of all of a long launch
    unsigned jobs = 0;                         // worker threads; 0: one for each core
    std::uint64_t max_instructions = 0;        // warp instructions of the session; 0: no limit
    std::uint64_t memory_limit = 0;            // bytes; 0: no limit
    double time_limit = 0;                     // seconds of the session; 0: no limit
    bool ptxas = true;                         // asked for registers, where it is installed
};

struct Place {
    std::string file;
    unsigned line = 0;  // 0: not known
};

struct Hazard {
    std::string kind;  // "race", "out-of-bounds", ...
    std::string message, hint, kernel;
    Place at, other;  // of a race, its second end
    std::uint64_t count = 0;
    Extent block{0, 0, 0}, thread{0, 0, 0};  // of an example
    bool is_error = true;                    // else a warning
};

struct Advice {
    std::string rule, message;
    Place at;
    double speedup = 1;                        // of the launch, modelled
    std::optional<double> saves_microseconds;  // modelled
};

struct Line {
    Place at;
    std::map<std::string, std::uint64_t, std::less<>> counters;  // those that are not 0
};

// A launch that ran.
struct TILESCOPE_LIBRARY_API Launch {
    std::string kernel, entry;
    Extent grid, block;
    unsigned registers = 0;
    std::map<std::string, std::uint64_t, std::less<>> counters;  // all that were counted
    std::map<std::string, double, std::less<>> figures;          // ratios and facts that have a value
    std::optional<double> microseconds;                          // modelled; nothing without caches
    std::string bound;                                           // what takes the largest part of them
    std::vector<Line> lines;
    std::vector<Hazard> hazards;
    std::vector<Advice> advice;

    // A counter, ratio or fact by our name or the profiler's. An unknown name is "library-no-metric", one that has no
    // value here "library-no-value".
    Result<double> value(std::string_view name) const;
};

struct Shape {
    Extent grid, block;
    std::uint64_t shared_bytes = 0;  // dynamic, of a block
};

struct State;

// A stretch of the device's memory.
class TILESCOPE_LIBRARY_API Memory {
public:
    Memory() = default;
    Memory(Memory&& other) noexcept;
    Memory& operator=(Memory&& other) noexcept;
    ~Memory();  // frees it, where it is a buffer's

    std::uint64_t address() const { return address_; }
    std::uint64_t bytes() const { return bytes_; }
    // Nothing is read or written where that would leave it ("library-range").
    Status write(const void* from, std::uint64_t bytes, std::uint64_t offset = 0);
    Status read(void* to, std::uint64_t bytes, std::uint64_t offset = 0) const;

private:
    friend class Session;
    friend class Module;
    Memory(std::shared_ptr<State> state, std::uint64_t address, std::uint64_t bytes, bool is_owned);

    std::shared_ptr<State> state_;
    std::uint64_t address_ = 0, bytes_ = 0;
    bool is_owned_ = false;
};

template <class T>
class Buffer {
    static_assert(std::is_trivially_copyable_v<T>, "what a kernel sees is bytes");

public:
    explicit Buffer(Memory memory) : memory_(std::move(memory)) {}

    std::size_t size() const { return memory_.bytes() / sizeof(T); }
    std::uint64_t address() const { return memory_.address(); }
    Status write(const std::vector<T>& values, std::size_t first = 0) {
        return memory_.write(values.data(), values.size() * sizeof(T), first * sizeof(T));
    }
    // All of it.
    Result<std::vector<T>> read() const {
        std::vector<T> values(size());
        const Status done = memory_.read(values.data(), values.size() * sizeof(T));
        if (!done) return done.error();
        return values;
    }

private:
    Memory memory_;
};

// What a parameter of a kernel is given: the bytes of a value, or a buffer's address.
class Argument {
public:
    template <class T>
    Argument(const Buffer<T>& buffer) : Argument(buffer.address()) {  // NOLINT(google-explicit-constructor)
        is_buffer_ = true;
    }
    template <class T, class = std::enable_if_t<std::is_trivially_copyable_v<T>>>
    Argument(const T& value) : bytes_(sizeof value) {  // NOLINT(google-explicit-constructor): as a call's arguments are
        std::memcpy(bytes_.data(), &value, sizeof value);
    }

    const std::vector<unsigned char>& bytes() const { return bytes_; }
    bool is_buffer() const { return is_buffer_; }

private:
    std::vector<unsigned char> bytes_;
    bool is_buffer_ = false;
};

class TILESCOPE_LIBRARY_API Kernel {
public:
    const std::string& name() const { return name_; }

private:
    friend class Module;
    friend class Session;
    std::shared_ptr<State> state_;
    std::uint32_t id_ = 0;
    std::string name_;
};

class TILESCOPE_LIBRARY_API Module {
public:
    std::vector<std::string> kernels() const;  // as the source calls them
    // By its name, with or without its parameters, or as the PTX has it. "library-no-kernel" names those that there
    // are.
    Result<Kernel> kernel(std::string_view name) const;
    // A __device__ or __constant__ variable.
    Result<Memory> variable(std::string_view name) const;

private:
    friend class Session;
    std::shared_ptr<State> state_;
    std::uint32_t id_ = 0;
    std::string file_;
};

class TILESCOPE_LIBRARY_API Session {
public:
    static Result<Session> create(const Options& options);

    // A .ptx file, a .cu file, which is compiled, or a fat binary.
    Result<Module> load(const std::string& path);
    // `name` is for messages.
    Result<Module> load_ptx(std::string_view text, const std::string& name = "PTX");

    // Zero-filled.
    Result<Memory> memory(std::uint64_t bytes);
    template <class T>
    Result<Buffer<T>> buffer(std::size_t count) {
        if (count > UINT64_MAX / sizeof(T)) return Error{"library-memory", "the buffer is too large", "", "", 0};
        Result<Memory> made = memory(count * sizeof(T));
        if (!made) return made.error();
        return Buffer<T>(std::move(*made));
    }
    template <class T>
    Result<Buffer<T>> buffer(const std::vector<T>& values) {
        Result<Buffer<T>> made = buffer<T>(values.size());
        if (!made) return made;
        const Status written = made->write(values);
        if (!written) return written.error();
        return made;
    }

    // Runs to its end. An error where it could not be launched, faulted ("library-fault", at the line that did it) or
    // met a limit ("library-limit"); what --check would find is in the launch.
    template <class... T>
    Result<Launch> launch(const Kernel& kernel, const Shape& shape, const T&... arguments) {
        return launch(kernel, shape, std::vector<Argument>{Argument(arguments)...});
    }
    Result<Launch> launch(const Kernel& kernel, const Shape& shape, const std::vector<Argument>& arguments);

    // The profile of all launches so far, as `tilescope launch --json` writes it and `tilescope report` reads it.
    Result<std::string> json() const;

private:
    std::shared_ptr<State> state_;
};

// "0.1.0"
TILESCOPE_LIBRARY_API const char* version();

}  // namespace tilescope::library
