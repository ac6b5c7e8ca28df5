// Any bytes as a budget: a budget or an error. What parses is held against a launch that has everything and against one
// that has nothing, without a crash and the same way twice; the whole of it negated is decided where it is, and the
// other way round.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "scope/report/budget.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tilescope;
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto budget = report::parse_budget(text);
    if (!budget) return 0;
    const std::size_t colon = text.rfind(':');
    const auto negated = report::parse_budget(text.substr(0, colon + 1) + "!(" + text.substr(colon + 1) + ")");
    Profile profile;
    profile.launches.resize(2);
    LaunchProfile& full = profile.launches[0];
    full.counters.modelled = true;
    for (std::size_t i = 0; i < kCounterCount; ++i) full.counters.values[i] = i + 1;
    full.registers_from = RegistersFrom::kPtxas;
    full.blocks_per_sm = 2;
    full.time.emplace().microseconds = 3;
    for (LaunchProfile& launch : profile.launches) {
        launch.kernel = "tiled<16>(float*)";
        const auto kept = report::keeps(*budget, launch);
        if (report::keeps(*budget, launch) != kept) std::abort();
        if (!negated) continue;  // nested too deep, with one more
        const auto other = report::keeps(*negated, launch);
        if (kept.has_value() != other.has_value() || (kept && *kept == *other)) std::abort();
    }
    if (report::check_budgets({*budget}, profile).results.size() != 1) std::abort();
    return 0;
}
