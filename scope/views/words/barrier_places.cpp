#include "scope/views/words/barrier_places.h"

#include <fmt/format.h>

#include "scope/views/words/hazard_parts.h"

namespace tilescope::views::words {

std::string place_of_barrier(const Hazard& hazard, std::string_view what) {
    const HazardFacts& facts = hazard.facts;
    const std::string at = line_of(hazard), other = other_line_of(hazard);
    const bool is_one_line = hazard.file == hazard.other_file && hazard.line == hazard.other_line;
    const bool is_of_warp = facts.remedy == Remedy::kWarpBarrier;
    std::string by_all;
    if (facts.is_conditional)
        by_all = is_of_warp               ? " where all lanes of the warp come by"
                 : facts.parted.line == 0 ? " where all threads come by"
                                          : fmt::format(" where all threads come by, outside the condition at {}",
                                                        line_text(facts.parted.file, facts.parted.line, hazard.file));
    const std::string behind = by_all.empty() ? "" : "," + by_all;
    switch (facts.place) {
        case RemedyPlace::kLines:
            return fmt::format("add {} between line {} and line {}", what, facts.first_line, facts.last_line);
        case RemedyPlace::kCalls:
            return fmt::format("add {} after {} and before {}, between the calls of their functions", what, other, at);
        case RemedyPlace::kLoop:
            return fmt::format("add {} after {}, before the loop comes round to {}{}{}", what, other, at, behind,
                               is_one_line ? "; if several threads update one element there, use an atomic" : "");
        case RemedyPlace::kWithin:
            return fmt::format(
                "{} both reads and writes: read into a variable, add {}{}, then write; if several threads update one "
                "element there, use an atomic",
                at, what, by_all);
        case RemedyPlace::kNextTime:
            return fmt::format("add {} after {}, before {} comes again{}", what, other, at, behind);
        case RemedyPlace::kBetween:
        case RemedyPlace::kBetweenTurned:
        case RemedyPlace::kNone: break;
    }
    const bool is_turned = facts.place == RemedyPlace::kBetweenTurned;
    return fmt::format("add {} between {} and {}{}", what, is_turned ? at : other, is_turned ? other : at, behind);
}

// One lane of a warp synchronizes with another warp, and its other lanes do not.
std::string hand_over(const Hazard& hazard) {
    const HazardFacts& facts = hazard.facts;
    const std::string place = facts.hands_on_act ? line_of(hazard) : other_line_of(hazard);
    if (facts.is_behind)
        return fmt::format(
            "add __syncwarp() after {}, before another lane of that warp lets the other warp go on: nothing orders the "
            "two lanes",
            place);
    return fmt::format(
        "add __syncwarp() before {}, behind the wait of another lane of that warp: nothing orders the two lanes",
        place);
}

}  // namespace tilescope::views::words
