// The figures of a device that the models of time go by: their keys, and where each goes.
#include <cmath>
#include <limits>
#include <type_traits>

#include "scope/models/device_figures.h"

namespace tilescope::models {
namespace {

// Far beyond any device's: of a wait in cycles, of a wait in microseconds, of work under way.
constexpr double kMaxWait = 1 << 16, kMaxMicroseconds = 1e6, kMaxQueue = 1 << 20;
constexpr double kNoMax = std::numeric_limits<double>::infinity();
// Shares and rates that are divided by: what is below is a slip of whoever wrote the file.
constexpr double kLeastShare = 0.01, kLeastRate = 1e6;

template <class Part, class T>
FigureRow row(FigureSpec spec, Part Device::*part, T Part::*field, double max = kNoMax) {
    return {spec, 1,
            [part, field](Device& device, const FigureValues& values) {
                double value = 0;
                if (!put(value, values[0])) return false;
                if constexpr (std::is_integral_v<T>)
                    if (value != std::floor(value)) return false;
                device.*part.*field = static_cast<T>(value);
                return true;
            },
            max};
}

// One that every device has: a description that does not say it has its compute capability's.
template <class Part, class T>
FigureRow rule(FigureSpec spec, Part Device::*part, T Part::*field, double min, double max) {
    FigureRow made = row(spec, part, field, max);
    made.min = min;
    made.is_rule = true;
    return made;
}

void add_paces(std::vector<FigureRow>& rows) {
    const auto pace = [&](const char* key, const char* unit, double Pace::*field, const char* description,
                          double max = kNoMax) {
        rows.push_back(row({key, unit, Theme::kTime, false, description}, &Device::pace, field, max));
    };
    pace("dram_read_wait", "cycles", &Pace::dram_read_wait, "of a read, times share of reads / share free", kMaxWait);
    pace("dram_write_wait", "cycles", &Pace::dram_write_wait, "likewise, share of writes", kMaxWait);
    pace("latency_dram_warp", "cycles", &Pace::dram_warp, "beyond latency_dram, until a warp's slowest word", kMaxWait);
    pace("launch_overhead", "cycles", &Pace::launch, "before and behind all instructions of a launch");
    pace("block_overhead", "cycles", &Pace::block, "of a block, to begin and to end");
    pace("block_interval", "cycles", &Pace::block_interval, "from one block that begins to the next");
    pace("request_interval", "cycles", &Pace::request_interval, "from one request of an SM to L2 to the next",
         kMaxWait);
    pace("sector_interval", "cycles", &Pace::sector_interval, "of that way, for each whole sector stored", kMaxWait);
    pace("part_interval", "cycles", &Pace::part_interval, "likewise, for each sector stored in part", kMaxWait);
    pace("constant_interval", "cycles", &Pace::constant_interval, "from one constant address to the next");
    pace("atomic_interval", "cycles", &Pace::atomic_interval, "from one update by a part of L2 to the next");
    pace("atomic_float_interval", "cycles", &Pace::atomic_float, "likewise, sums of floats in one sector");
    pace("shared_swap_interval", "cycles", &Pace::shared_swap_next, "from one swap of a loop in a word to the next",
         kMaxWait);
    pace("shared_swap_try", "cycles", &Pace::shared_swap, "from one attempt to swap in shared memory on", kMaxWait);
    pace("store_interval", "cycles", &Pace::store_interval, "from one store to a line to the next");
    pace("lookup_bytes", "bytes", &Pace::lookup_bytes, "of L2's bandwidth that looking up a line takes");
}

void add_time_rules(std::vector<FigureRow>& rows) {
    const auto add = [&](const char* key, const char* unit, double TimeRules::*field, const char* description,
                         double min, double max) {
        rows.push_back(rule({key, unit, Theme::kTime, false, description}, &Device::time, field, min, max));
    };
    const auto share = [&](const char* key, double TimeRules::*field, const char* description) {
        add(key, "", field, description, kLeastShare, 1);
    };
    const auto cycles = [&](const char* key, double TimeRules::*field, const char* description) {
        add(key, "cycles", field, description, 0, kMaxWait);
    };
    constexpr double kMaxInstructions = 1 << 16, kMaxPower = 64;
    share("time_dram_read_share", &TimeRules::dram_read_share, "of DRAM's peak that reading reaches");
    share("time_dram_write_share", &TimeRules::dram_write_share, "likewise, for each byte written");
    share("time_l1_share", &TimeRules::l1_share, "of a wavefront of L1 each cycle that is reached");
    share("time_slot_share", &TimeRules::slot_share, "of a slot each cycle that a scheduler fills");
    cycles("time_access_interval", &TimeRules::access_interval, "from one access of a scheduler to its next");
    share("time_read_request", &TimeRules::read_request, "of a store's way to L2 that a read takes");
    share("time_reduction_way", &TimeRules::reduction_way, "of an atomic's way, of one without a result");
    cycles("time_barrier", &TimeRules::barrier, "of a barrier, warps in step");
    add("time_warp_instructions", "instructions", &TimeRules::warp_instructions,
        "that each warp runs to begin and to end", 0, kMaxInstructions);
    add("time_pipe_norm", "", &TimeRules::pipe_norm, "power by which a scheduler's pipes add up", 1, kMaxPower);
    cycles("time_atomic_result", &TimeRules::atomic_result, "an atomic's result behind a read of L2");
    cycles("time_block_resident", &TimeRules::block_resident, "that a block's warps are there beside their work");
    add("time_in_step", "", &TimeRules::in_step, "of a launch's warps that are in step at least", 0, 1);
    cycles("time_constant_pass", &TimeRules::constant_pass, "of a constant address, for the least time");
    add("time_least_launch", "microseconds", &TimeRules::least_launch, "of a launch with next to nothing to do", 0,
        kMaxMicroseconds);
}

void add_host_rules(std::vector<FigureRow>& rows) {
    const auto add = [&](const char* key, const char* unit, auto HostLinkRules::*field, const char* description,
                         double min, double max) {
        rows.push_back(rule({key, unit, Theme::kHost, false, description}, &Device::host, field, min, max));
    };
    const auto wait = [&](const char* key, double HostLinkRules::*field, const char* description) {
        add(key, "microseconds", field, description, 0, kMaxMicroseconds);
    };
    const auto rate = [&](const char* key, double HostLinkRules::*field, const char* description) {
        add(key, "bytes/s", field, description, kLeastRate, kNoMax);
    };
    add("host_copy_share", "", &HostLinkRules::copy_share, "of the link that copies of pinned memory reach",
        kLeastShare, 1);
    rate("host_pageable_bandwidth", &HostLinkRules::pageable_bandwidth, "copies of pageable memory");
    wait("host_copy_start", &HostLinkRules::copy_start, "least time of a copy");
    wait("host_set_start", &HostLinkRules::set_start, "least time of a set");
    wait("host_call_launch", &HostLinkRules::call_launch, "of the host, for the call of a launch");
    wait("host_call_copy", &HostLinkRules::call_copy, "likewise, of a copy");
    wait("host_call_set", &HostLinkRules::call_set, "likewise, of a set");
    wait("host_call_wait", &HostLinkRules::call_wait, "likewise, with nothing to wait for");
    wait("host_call_graph", &HostLinkRules::call_graph, "likewise, of a graph's launch");
    wait("graph_step", &HostLinkRules::graph_step, "from one kernel of a graph's chain to the next");
    add("host_queue_depth", "launches", &HostLinkRules::queue_depth, "that the host may be ahead of the device", 1,
        kMaxQueue);
    rate("host_link_estimate", &HostLinkRules::link_estimate, "link, of a device that names none");
    rate("dram_bandwidth_estimate", &HostLinkRules::dram_estimate, "DRAM, of a device that names none");
    rows.push_back(rule({"page_fault", "microseconds", Theme::kHost, false, "of a page fault of managed memory"},
                        &Device::pages, &PageRules::fault, 0, kMaxMicroseconds));
    rows.push_back(rule({"page_bandwidth", "bytes/s", Theme::kHost, false, "of what page faults bring"}, &Device::pages,
                        &PageRules::bandwidth, kLeastRate, kNoMax));
}

}  // namespace

void add_time_figures(std::vector<FigureRow>& rows) {
    add_paces(rows);
    add_time_rules(rows);
    add_host_rules(rows);
}

}  // namespace tilescope::models
