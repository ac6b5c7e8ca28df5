// What one traced thread did, as statements, each in the column of the table where it belongs.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "scope/observers/trace_values.h"

namespace tilescope::observers {

enum class ColumnKeyKind : std::uint8_t { kLoad, kStoreShared, kCompute, kStoreGlobal, kAtomic, kOther };

// Order of the kinds is the order of the columns.
struct ColumnKey {
    std::uint32_t interval = 0;
    ColumnKeyKind kind = ColumnKeyKind::kLoad;
    std::size_t array = 0;  // index into TraceNames::arrays; their number for none
    bool operator==(const ColumnKey&) const = default;
    bool operator<(const ColumnKey& other) const {
        return std::tie(interval, kind, array) < std::tie(other.interval, other.kind, other.array);
    }
};

struct TraceStatement {
    ColumnKey column;
    std::uint64_t order = 0;  // within a cell
    PhaseStatement shown;
    std::uint32_t op = 0;
};

// thread: index into the record's. By column, then in the order to show.
std::vector<TraceStatement> trace_statements(const machine::Program& program, const TraceRecord& record,
                                             const TraceNames& names, const TraceValues& values, std::size_t thread);

}  // namespace tilescope::observers
