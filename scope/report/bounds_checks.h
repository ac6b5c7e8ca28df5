// The conditions that keep a kernel's threads from memory, and what memory holds when its launch is over: what
// `tilescope boundaries` compares, as a profile has it.
//
// Owns: CheckedLine, BoundsProfile. Guarantees: values only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scope/report/enums.h"

namespace tilescope {

enum class CheckKind : std::uint8_t {
    kGuards,     // it can be taken out
    kEndsLoop,   // a loop ends by it and by nothing else
    kEitherWay,  // it chooses between two accesses
};

// All checks of one line.
struct CheckedLine {
    std::string file;
    std::uint32_t line = 0;
    CheckKind kind = CheckKind::kGuards;
    std::uint32_t accesses = 0;  // places in the code that they guard
    bool is_out = false;         // the kernel ran without them
    bool operator==(const CheckedLine&) const = default;
};

struct BoundsProfile {
    std::vector<CheckedLine> checks;  // by file, then line
    std::string memory;               // a digest of what all allocations hold
    bool operator==(const BoundsProfile&) const = default;
};

}  // namespace tilescope

namespace tilescope::report {

template <>
inline constexpr NameTable<CheckKind, 3> kNames<CheckKind> = {
    {{CheckKind::kGuards, "guards"}, {CheckKind::kEndsLoop, "ends-loop"}, {CheckKind::kEitherWay, "either-way"}}};

}  // namespace tilescope::report
