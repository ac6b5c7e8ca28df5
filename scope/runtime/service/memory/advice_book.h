// What programs said of managed memory (cuMemAdvise, cuMemPrefetchAsync), for those that ask it back.
//
// Owns: AdviceBook. Guarantees: exact to the byte; a range is answered for as a whole, as CUDA does: what does not hold
// for all of it does not hold. Does not model: that the driver remembers by pages.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>

namespace tilescope::runtime {

// Places as CUDA numbers devices: the host, or nowhere.
inline constexpr int kOnHost = -1, kNoPlace = -2;

struct Advice {
    bool is_read_mostly = false;
    int preferred = kNoPlace, prefetched = kNoPlace;
    bool by_device = false, by_host = false;
    bool operator==(const Advice&) const = default;
};

class AdviceBook {
public:
    // One per process, never destroyed.
    static AdviceBook& get();

    // change(Advice&) of every byte.
    template <class Change>
    void note(std::uint64_t base, std::uint64_t bytes, Change&& change) {
        const std::lock_guard lock(mutex_);
        split(base);
        split(base + bytes);
        for (auto one = parts_.lower_bound(base); one != parts_.end() && one->first < base + bytes; ++one)
            change(one->second);
    }
    // What holds for all of it.
    Advice of(std::uint64_t base, std::uint64_t bytes);
    // The memory is no more.
    void forget(std::uint64_t base, std::uint64_t bytes) {
        note(base, bytes, [](Advice& advice) { advice = {}; });
    }

private:
    void split(std::uint64_t at);

    std::mutex mutex_;
    std::map<std::uint64_t, Advice> parts_{{0, {}}};  // each up to the next
};

}  // namespace tilescope::runtime
