// Which source line an instruction counts for.
//
// What a library's header does (cooperative groups, cp.async, half precision) is told at the user's line that called
// it, found by the inlining that PTX notes with its .loc directives.
// Guarantees: one answer for each .loc; where no user's line is known it is the .loc itself.
// Does not model: functions of libraries that are called rather than inlined.
#pragma once

#include <cstdint>
#include <vector>

#include "scope/ptx/module.h"

namespace tilescope::isa {

struct CreditedLine {
    std::uint32_t file = 0;  // index of a .file directive
    std::uint32_t line = 0;
    std::uint32_t outer_file = 0,
                  outer_line = 0;  // of the call that everything around it was inlined at; else the same
};

// For each of the function's locs.
std::vector<CreditedLine> credit_lines(const std::vector<ptx::Loc>& locs, const std::vector<ptx::File>& files);

// That of one loc. Compilers merge the accesses of an if and its else into one without a line (.loc 1 0 0), behind the
// code of both: such an access gets the line before it.
const CreditedLine& credited_line(const std::vector<CreditedLine>& lines, std::size_t loc, bool is_access);

}  // namespace tilescope::isa
