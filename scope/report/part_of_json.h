// A profile's JSON as far as somebody wants it, read from a stream: profiles may be larger than the memory.
//
// Owns: part_of_json(). Guarantees: of each list of hazards so many errors and so many others, the first of each; all
// else as it is. No exception and no crash on any bytes. Does not model: what the keys mean.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <nlohmann/json.hpp>

#include "scope/report/json.h"

namespace tilescope::report {

// Discarded where the text is no JSON. `passed_over`: hazards that are not in it.
nlohmann::json part_of_json(std::istream& text, const ReadLimits& limits, std::uint64_t& passed_over);

}  // namespace tilescope::report
