// The reference race detector: the rules of docs/reference/hazards.md once more, as plainly as they can be written.
//
// Owns: judge(), which holds every access of a trace against every earlier one of each of its bytes. Each thread has a
// full clock, a map of what it knows of every other one; nothing is compressed, forgotten or shortened. It shares no
// code with scope/observers/hazards. Guarantees: all pairs of instructions that race in this trace. Does not model:
// values, hence no hazard is mild. It is slow: a trace of many accesses of one byte takes their square.
#pragma once

#include <compare>
#include <cstdint>
#include <set>

#include "tests/hazards/reference/trace.h"

namespace tilescope::reference {

// Two instructions, the lower one first.
struct Race {
    machine::Space space = machine::Space::kGlobal;
    std::uint32_t op = 0, other_op = 0;
    auto operator<=>(const Race&) const = default;
};

struct Verdict {
    bool is_judged = true;  // false: it would have taken too long
    std::set<Race> races;
    // Of each byte that has races: which. A checker that keeps less finds one of each set at least.
    std::set<std::set<Race>> by_byte;
};

// Looks at no more than `most` pairs of accesses.
Verdict judge(const Trace& trace, std::uint64_t most);

}  // namespace tilescope::reference
