// MemoryRows: the open DRAM rows of a slice.
//
// Owns: the most recently requested rows. Guarantees: a request to a closed row takes at least the time of a given
// number of bytes, and other bytes of that row overlap it. Measured on an H200 (bench/hardware/scattered.cu, November
// 2026): 2 million scattered reads of 64 B take 23 ps each, as 104 bytes in a row; writes of 32 B take 38 ps, as a
// whole line. Does not model: banks, channels and refresh. A row is a range of addresses that stays open as long as a
// fetch takes.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "scope/observers/hierarchy/dram/dram_rules.h"
#include "scope/observers/hierarchy/lines.h"

namespace tilescope::observers {

class MemoryRows {
public:
    MemoryRows() = default;
    explicit MemoryRows(const DramRules& rules)
        : cycles_open_(rules.latency),
          line_shift_(static_cast<int>(std::bit_width(std::max(1u, rules.row_bytes >> kLineShift))) - 1) {}

    // How many bytes' time it takes to move `bytes` of a line, where opening a row takes `opening`.
    std::uint32_t cost(std::uint64_t line, std::uint64_t time, std::uint32_t bytes, std::uint32_t opening) {
        const std::uint64_t number = line >> line_shift_;
        if (rows_.empty()) rows_.resize(kRows);
        Row& row = rows_[(number * kHash >> 32) % kRows];  // numeric: the upper half
        const bool opens = row.number != number || time > row.until;
        row.number = number;
        row.until = time + cycles_open_;
        if (opens) {
            row.meanwhile = opening > bytes ? opening - bytes : 0;
            return std::max(bytes, opening);
        }
        const std::uint32_t free = std::min(row.meanwhile, bytes);
        row.meanwhile -= free;
        return bytes - free;
    }
    void clear() { rows_.clear(); }

private:
    static constexpr unsigned kRows = 1024;  // numeric: places of our table

    struct Row {
        std::uint64_t number = ~std::uint64_t{0}, until = 0;
        std::uint32_t meanwhile = 0;  // bytes that can still go while it opens
    };
    std::uint32_t cycles_open_ = 0;
    int line_shift_ = 0;  // from lines to rows, whose size is taken for a power of two
    std::vector<Row> rows_;
};

}  // namespace tilescope::observers
