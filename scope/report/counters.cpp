#include "scope/report/counters.h"

namespace tilescope {

std::optional<Counter> counter_by_name(std::string_view name) {
    for (std::size_t i = 0; i < kCounterCount; ++i)
        if (kCounterInfo[i].name == name) return static_cast<Counter>(i);
    return std::nullopt;
}

}  // namespace tilescope
