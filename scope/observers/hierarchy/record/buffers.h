// BufferMap: the owner of each line.
//
// Guarantees: numbers follow the order of allocation. Local memory and memory from malloc in kernels come last.
#pragma once

#include <cstdint>
#include <vector>

#include "scope/machine/memory.h"
#include "scope/observers/hierarchy/line_notes.h"

namespace tilescope::observers {

class BufferMap {
public:
    struct Range {
        std::uint64_t from = 1, lines = 0;
        std::uint32_t buffer = 0;

        bool holds(std::uint64_t line) const { return line - from < lines; }
    };
    struct Buffer {
        machine::Allocation allocation;
        std::uint64_t first_line = 0, end_line = 0;
        bool operator==(const Buffer& other) const {
            return first_line == other.first_line && end_line == other.end_line;
        }
    };

    BufferMap() = default;
    // By their first lines.
    explicit BufferMap(std::vector<Buffer> buffers);

    const std::vector<Buffer>& buffers() const { return buffers_; }
    // Whether lines are of the same numbers; what is allocated there may be something else.
    bool operator==(const BufferMap&) const = default;
    std::uint32_t local() const { return static_cast<std::uint32_t>(buffers_.size()); }
    std::uint32_t others() const { return local() + 1; }
    std::uint32_t count() const { return local() + 2; }
    // Lines around this one that are the same buffer's.
    Range find(std::uint64_t line) const;

private:
    std::vector<Buffer> buffers_;
};

}  // namespace tilescope::observers
