// What a hazard is made of: both ends, the memory that they meet at, what mends it. views/words makes sentences of it.
//
// Guarantees: names are final, as the source has them; no address shows, but places within a variable or an allocation.
// Blocks, threads and lines of the two ends are the hazard's own (profile.h).
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "scope/report/hazard_enums.h"

namespace tilescope {

// A place of a source; line 0: not known.
struct SourceSpot {
    std::string file;
    std::uint32_t line = 0;
    bool operator==(const SourceSpot&) const = default;
};

struct HazardMemory {
    MemoryNaming naming = MemoryNaming::kNone;
    std::string name;
    std::uint64_t index = 0;  // of the element, or of the argument
    std::uint64_t byte = 0;   // within it
    std::uint64_t bytes = 0;  // that it has; 0 where that does not matter, and of dynamic shared memory
    MemoryKind kind = MemoryKind::kDevice;
    SourceSpot allocated, freed;  // by the host
    bool operator==(const HazardMemory&) const = default;
};

// One end.
struct HazardAct {
    Deed deed = Deed::kNone;
    Doer doer = Doer::kThread;
    std::string function;      // kernel, or function of the host, where it is not the hazard's kernel
    std::uint32_t stream = 0;  // of work on one
    std::uint32_t graph = 0;   // the launch of a graph that it is part of, from 1; 0: of none
    std::uint32_t number = 0;  // of the thread within its block, or of the lane within its warp
    SourceSpot at;             // where it is not the hazard's own line
    bool operator==(const HazardAct&) const = default;
};

struct HazardFacts {
    HazardCase what = HazardCase::kNone;
    HazardAct act, other;
    HazardAct stored;     // of an undefined value: what last stored it
    HazardMemory memory;  // that the two meet at
    HazardMemory from;    // what the address counts from, or what an undefined value was read from
    Remedy remedy = Remedy::kNone;
    RemedyPlace place = RemedyPlace::kNone;
    std::uint32_t first_line = 0, last_line = 0;  // of RemedyPlace::kLines
    bool is_conditional = false;                  // the remedy is of use only where all threads come by
    SourceSpot parted;                            // the condition that keeps some threads of the block from there

    std::uint64_t bytes = 0;      // of the access or the copy, or leaked
    std::uint64_t undefined = 0;  // of these
    std::int64_t beyond = 0;      // bytes past the end, or before the beginning where negative
    bool is_across = false;       // it begins within and ends outside
    bool is_volatile = false;     // both ends are volatile accesses, which orders them no more
    bool is_same_value = false;   // the write changes nothing, or both write the same
    bool is_met = false;          // only four warps that wait for each other order the two: an H200 does so, not PTX
    bool is_computed = false;     // the undefined value was computed of others, rather than copied as it was
    bool is_from_lane = false;    // the undefined value came from a lane that takes no part in a shuffle
    bool is_one_line = false;     // both barriers are of one line
    bool is_there = false;        // the lane that was asked lives
    bool only_decides = false;    // the value that was read reaches nothing but comparisons
    bool is_texture = false;      // a texture read it
    bool is_before = false;       // kStaleRead: the read comes before the write, in order
    bool hands_on_act = false;    // Remedy::kWarpHandOver: the missing order is at `act`, else at `other`
    bool is_behind = false;       // ... and behind that line, else before it

    std::uint32_t barrier = 0;                 // its number
    std::uint64_t came = 0, expected = 0;      // threads at a barrier, and those that it is for
    std::array<std::uint32_t, 3> missing{};    // one that did not come
    std::uint32_t lanes = 0, other_lanes = 0;  // masks: that went on, and that are missing

    std::int64_t row = 0, other_row = 0;   // of a buffer whose shape was given
    std::uint64_t rows = 0, elements = 0;  // that it has, and of one row
    std::string option;                    // that gave it; empty: the program's own index says it
    std::uint64_t reaches = 0, limit = 0;  // what an index comes to, and what it may
    bool operator==(const HazardFacts&) const = default;
};

}  // namespace tilescope
