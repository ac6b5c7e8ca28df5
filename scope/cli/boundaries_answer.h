// What `tilescope boundaries` prints: text and JSON. Guarantees: pure functions of what was found.
#pragma once

#include <string>

#include "scope/report/boundaries.h"

namespace tilescope::cli {

struct BoundariesTextOptions {
    bool color = false;
    bool verbose = false;  // hazards in their own words
};

std::string boundaries_text(const Boundaries& boundaries, const BoundariesTextOptions& options);
std::string boundaries_json(const Boundaries& boundaries);

}  // namespace tilescope::cli
