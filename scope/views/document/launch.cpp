// The section of one launch: what ran, then its rows in the order in which they are read.
#include "scope/report/format.h"
#include "scope/views/document/parts.h"

namespace tilescope::views {
namespace {

std::uint64_t blocks_of(const LaunchProfile& launch) {
    return std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
}

// "(30 times)"; of launches that differ, the shape beside it is that of the largest.
std::string times_of(const LaunchProfile& launch, std::size_t count) {
    if (launch.folded > 1)
        return "(" + counted(launch.folded, "launch", "launches") +
               (launch.folded_shapes > 1 ? " of " + thousands(launch.folded_shapes) + " shapes, the largest:)" : ")");
    return count > 1 ? "(" + thousands(count) + " times)" : "";
}

void add_facts(const LaunchProfile& launch, Section& section) {
    section.facts = {{"grid", dimensions(launch.grid), Unit::kText, {}, "grid"},
                     {"block", dimensions(launch.block), Unit::kText, {}, "block"}};
    if (launch.registers_per_thread != 0)
        section.facts.push_back({"registers",
                                 std::uint64_t{launch.registers_per_thread},
                                 Unit::kRegisters,
                                 {},
                                 launch.registers_from == RegistersFrom::kEstimate ? "about" : ""});
    if (const auto shared = launch.static_shared_bytes + launch.dynamic_shared_bytes; shared != 0)
        section.facts.push_back({"shared_bytes", shared, Unit::kSharedBytes});
}

void add_sampled(const LaunchProfile& launch, std::vector<Row>& rows) {
    if (!launch.sampled) return;
    const std::string all = launch.folded > 1 ? " blocks in all" : " of " + thousands(blocks_of(launch)) + " blocks";
    rows.push_back({.key = "sampled",
                    .label = "sampled",
                    .text = "counts are scaled from " + thousands(launch.blocks_run) + all,
                    .values = {{"blocks_run", launch.blocks_run, Unit::kBlocks}},
                    .source = RowSource::kEstimated});
}

}  // namespace

Section launch_section(DocumentContext& context, const LaunchGroup& group) {
    const LaunchProfile& launch = *group.launch;
    Section section{SectionKind::kLaunch, printable(launch.kernel), times_of(launch, group.count), group.index};
    add_facts(launch, section);
    std::vector<Row>& rows = section.rows;
    add_sampled(launch, rows);
    // A launch that ended in a fault has no counts: how far its blocks came is a matter of chance.
    if (launch.hazards.empty() || !launch.counters.empty()) {
        add_lead(launch, rows);
        add_hazards(launch, rows);
        add_time(launch, rows);
        add_intensity(context, launch, rows);
        add_caches(launch, rows);
        add_global_requests(launch, rows);
        add_local_requests(launch, rows);
        add_shared_requests(launch, rows);
        add_constant_requests(launch, rows);
        add_texel_requests(launch, rows);
        add_energy(launch, rows);
        add_instructions(launch, rows);
        add_lanes(launch, rows);
        add_occupancy(launch, rows);
        add_variables(launch, rows);
    } else {
        add_hazards(launch, rows);
    }
    add_hot_lines(context, launch, rows);
    add_advice(launch.advice, launch.time ? std::optional(launch.time->microseconds) : std::nullopt, rows);
    return section;
}

}  // namespace tilescope::views
