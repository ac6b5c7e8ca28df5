// LessonOutcome: what came of a lesson's claims, as plain data.
//
// Owns: LessonOutcome and what it holds. Guarantees: values only, as they are to be shown. Does not model: how a claim
// was checked (scope/lessons) or printed (views/lesson_text).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scope/base/diagnostic.h"

namespace tilescope {

enum class ClaimVerdict : std::uint8_t {
    kHolds,
    kRefuted,  // a claim that texts make and that is wrong, and what is true was found
    kFails,
    kUnknown,  // it could not be checked: `problem` says why
};

struct ClaimOutcome {
    std::vector<std::string> rows;  // of concepts.json
    std::string says, truth;        // truth: of a wrong claim
    std::string source, origin;     // origin: "modelled" or "estimated" where it is no count
    std::string run, value;         // whose value, and the expression
    std::string expected, found, claimed;
    bool exercise = false;
    ClaimVerdict verdict = ClaimVerdict::kHolds;
    std::string problem;
};

// A command that was run, as it can be typed.
struct LessonCommand {
    std::string run, line;
    int status = 0;
    double seconds = 0;
};

// A time on a GPU beside the modelled one, in microseconds.
struct LessonTime {
    std::string says;
    std::optional<double> first, measured, modelled;
    std::optional<double> h200;  // what one H200 gave, on `date`
    std::string date, problem;
};

struct LessonOutcome {
    std::string folder, title, question;  // folder: "01_intensity"
    std::vector<std::string> rows;        // that its claims prove
    std::vector<ClaimOutcome> claims;
    std::vector<std::string> remember;
    std::vector<LessonCommand> commands;
    std::vector<LessonTime> times;
    std::string gpu;  // that the times were measured on; "" for none
    double seconds = 0;
    Diagnostics diagnostics;  // what kept it from being checked at all

    std::size_t count(ClaimVerdict verdict) const {
        std::size_t found = 0;
        for (const ClaimOutcome& claim : claims)
            if (claim.verdict == verdict) ++found;
        return found;
    }
    bool met() const {
        return diagnostics.empty() && count(ClaimVerdict::kFails) == 0 && count(ClaimVerdict::kUnknown) == 0;
    }
};

}  // namespace tilescope
