// Stream-ordered allocation. Work is done when it is issued, so it takes and gives back memory like any other; the one
// pool is the device's default, and its settings are kept and given back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "scope/runtime/service/runtime.h"

namespace tilescope::runtime {

class Pool {
public:
    // Its address is the handle that programs hold.
    static Pool& get();
    static bool is(const void* handle) { return handle == &get(); }

    // What memory may be given again behind; all on at first, as in CUDA.
    enum class Reuse : std::uint8_t { kFollowEvents, kOpportunistic, kInternal };
    int reuse(Reuse which);
    void set_reuse(Reuse which, int value);
    std::uint64_t release_threshold();
    void set_release_threshold(std::uint64_t bytes);
    // The most that was ever in use, `now` included.
    std::uint64_t high_water(std::uint64_t now);
    void note_use(std::uint64_t now);
    void reset_high_water();

private:
    std::mutex mutex_;
    std::array<int, 3> reuse_ = {1, 1, 1};
    std::uint64_t threshold_ = 0, high_ = 0;
};

// `name`: of the call, for the message that refuses it in a stream that captures.
Status allocate_async(Runtime& runtime, std::size_t bytes, void* stream, void*& base, const char* name);
Status release_async(Runtime& runtime, void* base, void* stream, const char* name);

}  // namespace tilescope::runtime
