// The words and measures that all drawings of a phase table share.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scope/report/profile.h"

namespace tilescope::views {

inline constexpr std::size_t kAllTerms = ~std::size_t{0};
inline constexpr std::size_t kShownTerms = 8;       // geometry: of a sum, where not everything is asked for
inline constexpr std::size_t kShownStatements = 8;  // geometry: of a cell, likewise

// "M[0][0] → Mds[0][0]", "P += a·b + c·d"; longer sums keep their first two terms and the last.
std::string statement_text(const PhaseStatement& statement, std::size_t max_terms);
// The statements of a cell, one line each; the last says what was left out.
std::vector<std::string> cell_lines(const PhaseCell& cell, bool everything);
// "to Mds", "computes", with the source lines behind.
std::string column_title(const PhaseColumn& column);
// Broken before arrows and signs; further lines are indented.
std::vector<std::string> wrap_statement(const std::string& text, std::size_t width);
// The least width at which wrap_statement() leaves nothing over.
std::size_t narrowest(const std::string& text);
// "3" in one dimension, else "x, y" or "x, y, z".
std::string thread_name(std::uint32_t thread, const Dim3& block);
std::string thread_heading(const Dim3& block);
// "4 global loads, 1 global store, ..."; ranges where least and most differ. "nothing" when all are 0.
std::string counts_text(const PhaseCounts& least, const PhaseCounts& most);
std::string counts_text(const PhaseCounts& counts);
// "phase 1 of 2", "phases 3 to 9", "after the last phase"
std::string phase_title(const Phase& phase, const PhaseTable& table);
// Kernel, launch, block.
std::string table_title(const PhaseTable& table);
// "M[4][4], N[4][4] in global memory; Mds[2][2] in shared memory": those with a shape or anything in them.
std::vector<std::string> array_lines(const PhaseTable& table);
// "each thread: ..., in 2 phases"
std::string summary(const PhaseTable& table);

}  // namespace tilescope::views
