// Stream-ordered allocation and its pools. Work is done when it is issued, so memory comes and goes like any other.
//
// Owns: the device's default pool and those that programs make. Guarantees: a handle that was never given out, or whose
// pool was destroyed, is recognised without being followed; a pool gives no more than it may; settings are kept and
// given back. Does not model: memory that a pool keeps for later.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

#include "scope/runtime/service/runtime.h"

namespace tilescope::runtime {

class Pool {
public:
    // The device's own. Its address is the handle that programs hold.
    static Pool& get();
    // most: bytes that it may give at a time; 0: all there are.
    static Pool* make(std::uint64_t most);
    // False: it is the device's own, or none.
    static bool destroy(const void* handle);
    // Null: it is none.
    static Pool* find(const void* handle);
    static bool is(const void* handle) { return find(handle) != nullptr; }
    // All but the device's own are gone.
    static void clear();

    // What memory may be given again behind; all on at first, as in CUDA.
    enum class Reuse : std::uint8_t { kFollowEvents, kOpportunistic, kInternal };
    int reuse(Reuse which);
    void set_reuse(Reuse which, int value);
    std::uint64_t release_threshold();
    void set_release_threshold(std::uint64_t bytes);
    // The most that was ever in use, `now` included.
    std::uint64_t high_water(std::uint64_t now);
    void note_use(std::uint64_t now);
    // What it gave: of the device's own pool all that is in use.
    std::uint64_t used(Runtime& runtime);
    bool has_room(std::uint64_t bytes);
    void note_given(const void* base, std::uint64_t bytes);
    // Whichever pool it came from.
    static void note_taken_back(const void* base);
    void reset_high_water();

private:
    std::mutex mutex_;
    std::array<int, 3> reuse_ = {1, 1, 1};
    std::uint64_t threshold_ = 0, high_ = 0, most_ = 0, given_ = 0;
    std::map<const void*, std::uint64_t> pieces_;  // of a pool that the program made
};

// `name`: of the call, for the message that refuses it in a stream that captures.
Status allocate_async(Runtime& runtime, Pool& pool, std::size_t bytes, void* stream, void*& base, const char* name);
Status release_async(Runtime& runtime, void* base, void* stream, const char* name);

}  // namespace tilescope::runtime
