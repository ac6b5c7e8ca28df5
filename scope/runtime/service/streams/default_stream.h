// What a null stream is in the call under way on this thread: the legacy default stream, or the thread's own, as entry
// points of programs say that were built with --default-stream per-thread.
//
// Does not model: what a function of the host that a stream calls within such a call calls itself, which CUDA forbids.
#pragma once

namespace tilescope::runtime {

// While one lives, it is the thread's own.
class PerThreadDefault {
public:
    explicit PerThreadDefault(const void* from) noexcept : before_(from_) { from_ = from; }
    ~PerThreadDefault() { from_ = before_; }
    PerThreadDefault(const PerThreadDefault&) = delete;
    PerThreadDefault& operator=(const PerThreadDefault&) = delete;

    static bool is_on() noexcept { return from_ != nullptr; }
    // The address behind the program's call, if the one that returns to `from` is a twin's own.
    static const void* caller(const void* from) noexcept { return is_on() ? from_ : from; }

private:
    static inline thread_local const void* from_ = nullptr;
    const void* before_;
};

}  // namespace tilescope::runtime
