// What the pages of one profile begin with, however much of it they then hold.
//
// Owns: PageSource. Guarantees: made once for each page; wall times are gone, so that one run has one page; hazards
// that nobody could read through are gone, and counted. Does not model: anything.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "scope/report/profile.h"
#include "scope/views/page/page_limits.h"

namespace tilescope::views::page {

struct PageSource {
    const Profile& whole;
    // As the report shows it: past a screenful, all launches of a kernel as one. Of launches that the report shows with
    // the one before, only what makes them alike.
    Profile shown;
    Profile counted;  // its launches one by one, without lines, buffers and findings
    bool is_folded = false;
    LeftOut left;
};

PageSource page_source(const Profile& profile);

// Errors before warnings, in the order in which they were found.
void keep_hazards(std::vector<Hazard>& hazards, std::size_t most, std::string_view what, LeftOut& left);

}  // namespace tilescope::views::page
