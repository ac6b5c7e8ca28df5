// ConstantLevel: the constant cache of one SM.
//
// Owns: its lines. Guarantees: set-associative with LRU replacement (bench/hardware/constant.cu on an H200, November
// 2026). Does not model: kernel parameters and immediate constants, which use another cache.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace tilescope::observers {

class ConstantLevel {
public:
    struct Line {
        std::uint64_t line = ~std::uint64_t{0};
        std::uint64_t ready = 0;  // when it comes: what is under way is missed, too
    };

    ConstantLevel(std::uint32_t sets, std::uint32_t ways) : sets_(sets), ways_(ways), lines_(sets * ways) {}

    // The place of a line, which is there from now on, and whether it was. `set`: counted on from the line's own.
    std::pair<Line&, bool> look_up(std::uint64_t line, unsigned set) {
        const auto first = lines_.begin() + static_cast<std::ptrdiff_t>((line + set) % sets_) * ways_;
        const auto found = std::find_if(first, first + ways_, [&](const Line& one) { return one.line == line; });
        const bool is_there = found != first + ways_;
        const auto taken = is_there ? found : std::prev(found);
        if (!is_there) *taken = {line, 0};
        std::rotate(first, taken, std::next(taken));
        return {*first, is_there};
    }

private:
    std::uint32_t sets_;
    std::ptrdiff_t ways_;
    std::vector<Line> lines_;  // by set, those used last first
};

}  // namespace tilescope::observers
