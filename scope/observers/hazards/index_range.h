// Which numbers an index takes over a whole launch, and what its form says of rows.
//
// Guarantees: ranges hold for every thread of the grid, whatever conditions keep it away; nothing where a factor is not
// known before the launch. Does not model: carries.
#pragma once

#include <cstdint>
#include <optional>

#include "scope/machine/index_facts.h"
#include "scope/observers/hazards/hazards.h"

namespace tilescope::observers {

struct IndexRange {
    __int128 low = 0, high = 0;
};
std::optional<IndexRange> range_of(const machine::IndexForm& form, const HazardContext& launch);

// An integer among the launch's parameters; nothing where it is not there.
std::optional<std::int64_t> parameter_value(const machine::IndexAtom& atom, const HazardContext& launch);

// The parameter that is the length of a row, in elements as wide as the access: all that rows of threads, blocks and
// turns of loops are multiplied with, while neighbouring threads have neighbouring elements.
std::optional<machine::IndexAtom> row_length_of(const machine::AccessIndex& access);

// Rows of buffers as the indices of this program say; none where two of them disagree. Names are left empty.
std::vector<ShapedRows> rows_by_index(const machine::Program& program, const HazardContext& launch);

}  // namespace tilescope::observers
