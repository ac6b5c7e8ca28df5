#include "scope/session/code_order.h"

#include <algorithm>

namespace tilescope {
namespace {

using machine::Program;
using machine::SourcePlace;

std::uint32_t block_of(const Program& program, std::uint32_t op) {
    const auto behind = std::upper_bound(program.blocks.begin(), program.blocks.end(), op,
                                         [](std::uint32_t at, const auto& block) { return at < block.first; });
    return behind == program.blocks.begin() ? 0 : static_cast<std::uint32_t>(behind - program.blocks.begin()) - 1;
}

// The blocks of the function that holds one, [first, second). Functions lie one behind the other.
std::pair<std::uint32_t, std::uint32_t> blocks_of_function(const Program& program, std::uint32_t block) {
    std::pair<std::uint32_t, std::uint32_t> blocks{0, static_cast<std::uint32_t>(program.blocks.size())};
    for (const machine::Function& function : program.functions)
        if (function.entry <= block)
            blocks.first = std::max(blocks.first, function.entry);
        else
            blocks.second = std::min(blocks.second, function.entry);
    return blocks;
}

bool is_same(const SourcePlace& one, const SourcePlace& other) {
    return one.file == other.file && one.line == other.line;
}

// Where its source is not known, its line in the PTX.
SourcePlace source_place_of(const machine::OpFacts& facts) {
    constexpr std::uint32_t kNoFile = ~0u;
    return facts.place.line != 0 ? facts.place : SourcePlace{kNoFile, facts.text_line};
}

// Whether an op of that line stands in a range.
bool any_of_line(const Program& program, const SourcePlace& place, std::uint32_t begin, std::uint32_t end) {
    const auto from = program.facts.begin() + begin, to = program.facts.begin() + end;
    return std::any_of(from, to, [&](const machine::OpFacts& facts) {
        return facts.memory != Counter::kCount && is_same(source_place_of(facts), place);
    });
}

}  // namespace

std::pair<std::uint32_t, std::uint32_t> ops_of_function(const Program& program, std::uint32_t op) {
    const auto [entry, end] = blocks_of_function(program, block_of(program, op));
    return {program.blocks[entry].first,
            end < program.blocks.size() ? program.blocks[end].first : static_cast<std::uint32_t>(program.facts.size())};
}

CodeOrder code_order(const Program& program, std::uint32_t first, std::uint32_t second) {
    const auto last = static_cast<std::uint32_t>(program.facts.size()) - 1;
    first = std::min(first, last);
    second = std::min(second, last);
    CodeOrder order;
    const std::uint32_t one = block_of(program, first), other = block_of(program, second);
    const auto [entry, end] = blocks_of_function(program, one);
    order.is_one_function = other >= entry && other < end;
    if (!order.is_one_function) return order;
    const std::uint32_t low = std::min(one, other), high = std::max(one, other);
    for (std::uint32_t i = high; i < end; ++i) {
        const machine::Terminator& leaves = program.blocks[i].end;
        const auto goes_back = [&, entry = entry](std::uint32_t target) { return target >= entry && target <= low; };
        order.is_in_one_loop |= goes_back(leaves.target) || goes_back(leaves.next);
    }
    const SourcePlace here = source_place_of(program.facts[first]), there = source_place_of(program.facts[second]);
    if (first < second && !is_same(here, there)) {
        const auto [begin, behind] = ops_of_function(program, first);
        order.is_repeated = any_of_line(program, there, begin, first) || any_of_line(program, here, second + 1, behind);
    }
    const SourcePlace &outer = program.facts[first].outer, &other_outer = program.facts[second].outer;
    const bool is_called = !is_same(outer, other_outer) && outer.line != 0 && other_outer.line != 0;
    const SourcePlace &from = is_called ? outer : here, &to = is_called ? other_outer : there;
    order.is_upwards = from.file == to.file && to.line < from.line;
    return order;
}

}  // namespace tilescope
