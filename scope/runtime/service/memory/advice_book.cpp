#include "scope/runtime/service/memory/advice_book.h"

namespace tilescope::runtime {

AdviceBook& AdviceBook::get() {
    static auto* const kept = new AdviceBook;
    return *kept;
}

void AdviceBook::split(std::uint64_t at) {
    const auto above = parts_.upper_bound(at);
    parts_.try_emplace(at, std::prev(above)->second);
}

Advice AdviceBook::of(std::uint64_t base, std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    auto one = std::prev(parts_.upper_bound(base));
    Advice all = one->second;
    for (++one; one != parts_.end() && one->first - base < bytes; ++one) {
        const Advice& next = one->second;
        all.is_read_mostly = all.is_read_mostly && next.is_read_mostly;
        all.by_device = all.by_device && next.by_device;
        all.by_host = all.by_host && next.by_host;
        if (all.preferred != next.preferred) all.preferred = kNoPlace;
        if (all.prefetched != next.prefetched) all.prefetched = kNoPlace;
    }
    return all;
}

}  // namespace tilescope::runtime
