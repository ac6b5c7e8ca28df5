#include "scope/report/counters.h"

namespace tilescope {
namespace {

constexpr std::array<CounterInfo, kCounterCount> kInfo = {{
#define TILESCOPE_COUNTER_INFO(id, name, unit, text) {name, unit, text},
    TILESCOPE_COUNTERS(TILESCOPE_COUNTER_INFO)
#undef TILESCOPE_COUNTER_INFO
}};

}  // namespace

const CounterInfo& info(Counter counter) { return kInfo[static_cast<std::size_t>(counter)]; }

std::optional<Counter> counter_by_name(std::string_view name) {
    for (std::size_t i = 0; i < kCounterCount; ++i)
        if (kInfo[i].name == name) return static_cast<Counter>(i);
    return std::nullopt;
}

}  // namespace tilescope
