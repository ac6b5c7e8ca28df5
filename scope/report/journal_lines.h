// The lines of a journal, told apart by who wrote them; private to its reader.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace tilescope::report {

struct JournalLine {
    std::string_view text;
    std::size_t number;  // in the journal
};

// The lines of each process together, in the order in which they began. A line in which its writer ended is left out.
std::vector<std::vector<JournalLine>> lines_by_writer(std::string_view journal);

}  // namespace tilescope::report
