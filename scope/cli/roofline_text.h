// What `tilescope roofline` prints of a kernel, as text and as JSON.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scope/models/roofline.h"

namespace tilescope::cli {

// One kernel that was asked for: of a profile, or made of numbers.
struct RooflineSubject {
    std::string name;   // as a heading: the kernel, or what was typed
    std::string brief;  // for the chart
    std::string facts;  // grid, block and how often, or ""
    models::RooflineWork work;
    std::optional<RooflineProfile> roofline;  // nothing without arithmetic
};

// The slopes, in one line.
std::string roofs_text(const models::Roofs& roofs, const std::string& description, std::size_t width);
std::string roofline_text(const models::Roofs& roofs, const RooflineSubject& subject, std::size_t width);
// Every ceiling in units of the kernel's type, and how much of it a kernel of this intensity could reach.
std::string ceilings_text(const models::Roofs& roofs, const RooflineProfile& roofline, std::size_t width);

std::string roofline_json(const models::Roofs& roofs, const std::vector<RooflineSubject>& subjects);

}  // namespace tilescope::cli
