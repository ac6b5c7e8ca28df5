// The time line of a run and the pages of its managed memory, as a profile has them.
//
// Owns: TimelineSpan, TimelineTotals, PageReport and its parts. Guarantees: values only. Does not model: when what ends
// and what moves (models/timeline, models/pages).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scope/report/enums.h"

namespace tilescope {

// A stretch of the modelled time line (docs/reference/timeline.md).
struct TimelineSpan {
    SpanKind kind = SpanKind::kKernel;
    SpanLane lane = SpanLane::kCompute;
    std::uint32_t stream = 0;             // of a wait: the one waited for; 0 when it is for an event or for all
    std::string name;                     // "scale(float*)", "copy HtoD, pinned", "cudaDeviceSynchronize"
    std::optional<std::uint32_t> launch;  // of a kernel: its index
    std::uint32_t graph = 0;              // the launch of a graph that it is part of, counted from 1; 0: of none
    std::uint64_t bytes = 0;
    double begin = 0, microseconds = 0;  // since the host's first call that the line has
};

// What the whole time line comes to, whatever was left out of the list of its spans. Microseconds.
struct TimelineTotals {
    double microseconds = 0;  // from the first call to the end of all work
    double kernels = 0;       // in which a kernel ran, or more than one
    double copies = 0;        // in which a copy or a prefetch crossed the link between host and device
    double hidden = 0;        // both at once
    double host_waits = 0;    // in which the host stood still
    std::uint64_t graph_launches = 0;
    std::uint64_t left_out = 0;          // spans beyond those listed
    std::optional<std::uint32_t> until;  // the launch whose time is not known, before which the line ends
    bool operator==(const TimelineTotals&) const = default;
};

// What cudaEventElapsedTime gave: times of the modelled time line, and estimates of the counts and the device's peaks
// where no time is modelled.
struct EventTimes {
    std::uint64_t modelled = 0, estimated = 0;
    bool operator==(const EventTimes&) const = default;
};

// What happened to the pages of managed memory: modelled, in leaves of 64 KiB (docs/reference/timeline.md).
struct PageMoves {
    std::uint64_t faults = 0;            // leaves that kernels, copies and sets asked for and the device did not have
    std::uint64_t refaults = 0;          // of these: it had had them before
    std::uint64_t refaults_evicted = 0;  // of these: it had given them up for want of room
    std::uint64_t host_faults = 0;       // of the host, for leaves that only the device had
    std::uint64_t to_device_bytes = 0, to_host_bytes = 0;
    std::uint64_t prefetched_in_bytes = 0, prefetched_back_bytes = 0;  // of these, by cudaMemPrefetchAsync
    std::uint64_t evicted_bytes = 0;
    std::uint64_t mapped_bytes = 0;  // that kernels reached across the link, by advice; once for each launch
    // What these faults, and what they moved, took of the time of kernels, copies and sets, and of the host's.
    double device_stall_microseconds = 0, host_stall_microseconds = 0;
    bool operator==(const PageMoves&) const = default;
};

// Of one launch, with what the host did since the one before.
struct LaunchPages {
    std::uint32_t launch = 0;  // its index
    PageMoves moves;
    bool operator==(const LaunchPages&) const = default;
};

struct PageReport {
    std::uint64_t managed_bytes = 0;   // allocated at once, at most
    std::uint64_t touched_bytes = 0;   // by kernels, different ones
    std::uint64_t resident_bytes = 0;  // on the device at once, at most
    std::uint64_t room_bytes = 0;      // that the device has beside what cudaMalloc took, at least
    PageMoves total;
    PageTrouble trouble = PageTrouble::kNone;
    std::string message;                // what is wrong and what to do about it
    std::vector<LaunchPages> launches;  // those with something to tell
    std::uint64_t left_out = 0;         // of these, beyond those listed
    std::uint64_t unseen_bytes = 0;     // of managed variables whose pages cannot be followed
    bool operator==(const PageReport&) const = default;
};

}  // namespace tilescope
