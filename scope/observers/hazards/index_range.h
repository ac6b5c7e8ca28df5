// Which numbers an index takes over a whole launch, and what its form says of rows.
//
// Guarantees: ranges hold for every thread of the grid, whatever conditions keep it away; nothing where a factor is not
// known before the launch. Does not model: carries.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "scope/machine/index_facts.h"
#include "scope/observers/hazards/hazards.h"

namespace tilescope::observers {

struct IndexRange {
    __int128 low = 0, high = 0;
};
std::optional<IndexRange> range_of(const machine::IndexForm& form, const HazardContext& launch);

// An integer among the launch's parameters; nothing where it is not there.
std::optional<std::int64_t> parameter_value(const machine::IndexAtom& atom, const HazardContext& launch);

// An address as rows of a buffer and columns within: all that rows of threads, blocks and turns of loops are multiplied
// with is one integer parameter, while neighbouring threads have neighbouring elements.
struct RowShape {
    machine::IndexAtom length;
    std::int64_t scale = 0;     // bytes of a row for each of the length
    machine::IndexForm row;     // in rows, but for constants
    machine::IndexForm column;  // in elements, but for constants
};
std::optional<RowShape> row_shape_of(const machine::AccessIndex& access);

// Whether the program compares that column with something that has nothing to do with the length of a row: it knows of
// another end then, as windows do that are wider than their step.
bool has_other_end(const RowShape& shape, const std::vector<machine::IndexComparison>& comparisons);

// Rows of buffers as the indices of this program say; none where two of them disagree, and where the grid does not go
// to the buffer's last row. Names are left empty.
std::vector<ShapedRows> rows_by_index(const machine::Program& program, const HazardContext& launch);

}  // namespace tilescope::observers
