#include "tests/models/advice_cases.h"

#include <gtest/gtest.h>

#include "scope/views/words/advice.h"

namespace tilescope::models {
namespace {

using C = Counter;

}  // namespace

const Device& h200() {
    static const Device device = load_device("h200").value();
    return device;
}

LaunchProfile copy() {
    LaunchProfile launch;
    launch.kernel = "copy(float const*, float*)";
    launch.grid = {4096, 1, 1};
    launch.block = {256, 1, 1};
    launch.registers_per_thread = 16;
    launch.registers_from = RegistersFrom::kCubin;
    CounterSet& c = launch.counters;
    c[C::kInstructions] = 400'000;
    c[C::kThreadInstructions] = 12'800'000;
    c[C::kGlobalLoadRequests] = c[C::kGlobalStoreRequests] = 32'768;
    c[C::kGlobalLoadSectors] = c[C::kGlobalLoadIdealSectors] = 131'072;
    c[C::kGlobalStoreSectors] = c[C::kGlobalStoreIdealSectors] = 131'072;
    c[C::kGlobalLoadBytesRequested] = c[C::kGlobalStoreBytesRequested] = 4'194'304;
    launch.tiling = Tiling{};
    launch.tiling->requested_bytes = launch.tiling->unique_bytes_per_block = 4'194'304;
    return launch;
}

LaunchProfile with_line(LaunchProfile launch) {
    LineProfile line;
    line.file = "kernel.cu";
    line.line = 7;
    line.counters = launch.counters;
    line.tiling = launch.tiling;
    launch.lines = {line};
    return launch;
}

std::vector<Advice> of_rule(const LaunchProfile& launch, const std::string& rule, const Device& device) {
    std::vector<Advice> found;
    for (Advice& advice : advise(launch, device)) {
        if (advice.rule != report::by_name<AdviceKind>(rule).value()) continue;
        EXPECT_TRUE(advice.message.empty()) << "models are mute";
        advice.message = views::advice_message(advice, device.name);
        found.push_back(advice);
    }
    return found;
}
bool fires(const LaunchProfile& launch, const std::string& rule) { return !of_rule(launch, rule).empty(); }

}  // namespace tilescope::models
