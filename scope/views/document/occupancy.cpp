// Rows on what is on an SM at a time, on the launch's time, and on the kernel's variables.
#include <algorithm>
#include <cstdlib>

#include "scope/report/format.h"
#include "scope/views/document/parts.h"

namespace tilescope::views {
namespace {

constexpr unsigned kWarpLanes = 32;  // geometry: of a warp

std::uint64_t magnitude(std::int64_t change) { return static_cast<std::uint64_t>(std::abs(change)); }

std::string change_text(const OccupancyChange& change) {
    const std::string direction = change.change < 0 ? " fewer" : " more";
    if (change.resource == SmResource::kRegisters)
        return counted(magnitude(change.change), "register") + direction + " per thread";
    if (change.resource == SmResource::kShared)
        return thousands(magnitude(change.change)) + " B of shared memory" + direction + " per block";
    if (change.resource == SmResource::kThreads)
        return counted(magnitude(change.change), "thread") + direction + " per block";
    return thousands(magnitude(change.change)) + " " + std::string(name_of(change.resource)) + direction;
}

// "3 registers fewer per thread: 8 blocks, 100 %"; empty at high occupancy, or when no single change helps.
std::string next_step_text(const LaunchProfile& launch) {
    if (!launch.occupancy_profile || !models::is_occupancy_low(launch.occupancy)) return {};
    for (const OccupancyStep& step : launch.occupancy_profile->next)
        if (step.changes.size() == 1)
            return change_text(step.changes.front()) + ": " + counted(step.blocks_per_sm, "block") + ", " +
                   percent(step.fraction);
    return {};
}

std::string limiters_text(const std::vector<SmResource>& limiters) {
    std::string text;
    for (std::size_t i = 0; i < limiters.size(); ++i)
        text += (i == 0                     ? "; limited by "
                 : i + 1 == limiters.size() ? " and "
                                            : ", ") +
                std::string(report::words_of(limiters[i]));
    return text;
}

// How even the SMs have it. Of what was written before that was counted there is nothing to say.
void add_spread(const LaunchProfile& launch, std::vector<Row>& rows) {
    if (!launch.replay || launch.replay->sms == 0 || launch.replay->cycles <= 0) return;
    const ReplayClock& clock = *launch.replay;
    const double least = clock.least_active_cycles / clock.cycles, most = clock.most_active_cycles / clock.cycles;
    const double average = clock.active_cycles / clock.cycles / static_cast<double>(clock.sms);
    const bool is_even = clock.least_blocks == clock.most_blocks;
    rows.push_back({.key = "spread",
                    .label = "SM balance",
                    .text = (is_even ? "" : thousands(clock.least_blocks) + " to ") +
                            counted(clock.most_blocks, "block") + " per SM, busy " + percent(least) + " to " +
                            percent(most) + " of the time, average " + percent(average),
                    .values = {{"least_blocks", clock.least_blocks, Unit::kBlocks},
                               {"most_blocks", clock.most_blocks, Unit::kBlocks},
                               {"least_busy", least, Unit::kShare},
                               {"average_busy", average, Unit::kShare},
                               {"most_busy", most, Unit::kShare}},
                    .source = RowSource::kModelled});
}

void add_residents(const LaunchProfile& launch, std::vector<Row>& rows) {
    const OccupancyProfile& occupancy = *launch.occupancy_profile;
    const std::uint64_t threads = occupancy.threads_per_sm;
    const std::uint64_t lanes = std::uint64_t{kWarpLanes} * launch.warps_per_sm;
    if (threads != 0 && threads < lanes) {
        const double working = static_cast<double>(threads) / static_cast<double>(lanes);
        rows.push_back({.key = "resident_lanes",
                        .label = "",
                        .text = "its warps have " + thousands(threads) + " threads in " + thousands(lanes) +
                                " lanes: " + percent(working) + " of the lanes work",
                        .is_part = true,
                        .values = {{"working", working, Unit::kShare}}});
    }
    const std::uint64_t blocks = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
    if (const auto& waves = occupancy.waves)
        rows.push_back({.key = "waves",
                        .label = "waves",
                        .text = counted(blocks, "block") + ": " + waves_text(*waves),
                        .values = {{"blocks", blocks, Unit::kBlocks},
                                   {"at_once", waves->blocks_at_once, Unit::kBlocks},
                                   {"idle_sms", std::uint64_t{waves->idle_sms}, Unit::kNone}}});
}

}  // namespace

void add_occupancy(const LaunchProfile& launch, std::vector<Row>& rows) {
    if (launch.blocks_per_sm == 0) return;
    const std::string achieved =
        launch.achieved_occupancy ? ", " + percent(*launch.achieved_occupancy) + " achieved (modeled)" : "";
    rows.push_back({.key = "occupancy",
                    .label = "occupancy",
                    .text = counted(launch.blocks_per_sm, "block") + ", " + counted(launch.warps_per_sm, "warp") +
                            " per SM: " + percent(launch.occupancy) + " theoretical" + achieved +
                            limiters_text(launch.limiters),
                    .values = {{"blocks_per_sm", std::uint64_t{launch.blocks_per_sm}, Unit::kBlocks},
                               {"warps_per_sm", std::uint64_t{launch.warps_per_sm}, Unit::kWarpsPerSm},
                               {"occupancy", launch.occupancy, Unit::kShare}}});
    if (launch.occupancy_profile) add_residents(launch, rows);
    add_spread(launch, rows);
    if (std::string step = next_step_text(launch); !step.empty())
        rows.push_back({.key = "next_step", .label = "", .text = std::move(step), .is_part = true});
}

}  // namespace tilescope::views
