#include "scope/machine/sm.h"

#include <algorithm>

namespace tilescope::machine {

SmArray::SmArray(std::uint32_t count, std::uint64_t blocks_per_sm)
    : blocks_per_sm_(blocks_per_sm), resident_(std::max(1u, count)) {
    for (std::uint32_t sm = 0; sm < resident_.size(); ++sm) by_load_.insert({0, sm});
}

std::optional<std::uint32_t> SmArray::place() {
    const auto [load, sm] = *by_load_.begin();
    if (blocks_per_sm_ != 0 && load >= blocks_per_sm_) return std::nullopt;
    by_load_.erase(by_load_.begin());
    by_load_.insert({++resident_[sm], sm});
    return sm;
}

void SmArray::leave(std::uint32_t sm) {
    by_load_.erase({resident_[sm], sm});
    by_load_.insert({--resident_[sm], sm});
}

}  // namespace tilescope::machine
