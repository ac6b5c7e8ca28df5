// A profile's JSON as far as somebody wants it, read from a stream: profiles may be larger than the memory.
//
// Owns: part_of_json(). Guarantees: of each list of hazards so many errors and so many others, the first of each; all
// else as it is. No exception and no crash on any bytes. Does not model: what the keys mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "scope/report/json.h"

namespace tilescope::report {

// Hazards that a part has not.
struct PassedOver {
    std::uint64_t of_run = 0;
    std::vector<std::pair<std::size_t, std::uint64_t>> of_launches;  // by place in the list of launches
};

// Discarded where the text is no JSON.
nlohmann::json part_of_json(std::istream& text, const ReadLimits& limits, PassedOver& passed_over);

}  // namespace tilescope::report
