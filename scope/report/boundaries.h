// What becomes of a program when one check of an index is missing, size by size, as plain data.
//
// Owns: Boundaries and its parts. Guarantees: values only. Does not model: how it was found (cli/boundaries.cpp), or
// what is said of it (views/words/boundaries.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scope/report/bounds_checks.h"
#include "scope/report/enums.h"

namespace tilescope {

enum class CheckVerdict : std::uint8_t {
    kFound,     // a hazard is reported that is not there with the check
    kSilent,    // memory, output or status differ, and nothing is reported
    kHarmless,  // nothing differs
    kUnclear,   // something differs, and it does so between two runs with the check, too
};

struct BoundaryHazard {
    HazardKind kind = HazardKind::kTrap;
    std::string file;
    std::uint32_t line = 0;
    std::string message;
};

// One run without the check.
struct BoundaryOutcome {
    CheckVerdict verdict = CheckVerdict::kHarmless;
    std::vector<BoundaryHazard> hazards;  // that are not there with it
    bool memory_differs = false, output_differs = false, status_differs = false;
    bool is_endless = false;  // a limit ended it
};

// The program as it is.
struct BoundarySize {
    std::string size;  // in place of {n}; empty where there is none
    int status = 0;    // of `tilescope run`
    std::uint64_t launches = 0;
    std::vector<BoundaryHazard> hazards;
};

struct BoundaryLine {
    std::string file;
    std::uint32_t line = 0;
    std::string text;                  // of the source, where that is there
    std::vector<std::string> kernels;  // that have it
    CheckKind kind = CheckKind::kGuards;
    std::uint32_t accesses = 0;
    std::vector<BoundaryOutcome> outcomes;  // by size; none where it cannot be taken out
};

struct Boundaries {
    std::string program;
    std::vector<std::string> arguments;
    std::vector<BoundarySize> sizes;
    std::vector<BoundaryLine> lines;  // by file, then line
    std::uint64_t runs = 0;
};

}  // namespace tilescope

namespace tilescope::report {

template <>
inline constexpr NameTable<CheckVerdict, 4> kNames<CheckVerdict> = {{{CheckVerdict::kFound, "found"},
                                                                     {CheckVerdict::kSilent, "silent"},
                                                                     {CheckVerdict::kHarmless, "harmless"},
                                                                     {CheckVerdict::kUnclear, "unclear"}}};

}  // namespace tilescope::report
