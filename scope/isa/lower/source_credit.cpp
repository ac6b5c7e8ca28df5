#include "scope/isa/lower/source_credit.h"

#include <map>
#include <set>
#include <tuple>

#include "scope/base/copy_mark.h"
#include "scope/base/source_paths.h"

namespace tilescope::isa {

std::vector<CreditedLine> credit_lines(const std::vector<ptx::Loc>& locs, const std::vector<ptx::File>& files) {
    std::set<std::uint32_t> libraries;
    for (const ptx::File& file : files)
        if (is_library_source(file.name)) libraries.insert(file.index);
    std::vector<CreditedLine> credited;
    credited.reserve(locs.size());
    // A place at which something is inlined has its own .loc before: the last one of that place is meant.
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, CreditedLine> latest;
    for (const ptx::Loc& loc : locs) {
        CreditedLine line{loc.file, loc.line, loc.file, loc.line};
        const auto caller = latest.find({loc.inlined_file, loc.inlined_line, loc.inlined_column});
        const bool has_caller = !loc.inlined_function.empty() && caller != latest.end();
        if (libraries.count(loc.file) != 0 && !loc.inlined_function.empty()) {
            if (has_caller)
                line = caller->second;
            else if (libraries.count(loc.inlined_file) == 0)
                line = {loc.inlined_file, loc.inlined_line, 0, 0};
        }
        if (!loc.inlined_function.empty()) {
            line.outer_file = has_caller ? caller->second.outer_file : loc.inlined_file;
            line.outer_line = has_caller ? caller->second.outer_line : loc.inlined_line;
        }
        latest[{loc.file, loc.line, column_without_mark(loc.column)}] = line;
        credited.push_back(line);
    }
    return credited;
}

const CreditedLine& credited_line(const std::vector<CreditedLine>& lines, std::size_t loc, bool is_access) {
    if (is_access)
        for (std::size_t before = loc + 1; before-- > 0;)
            if (lines[before].line != 0) return lines[before];
    return lines[loc];
}

}  // namespace tilescope::isa
