#include "scope/observers/hierarchy/record/constant_recorder.h"

#include <algorithm>
#include <array>
#include <bit>

namespace tilescope::observers {

ConstantRecorder::ConstantRecorder(const HierarchyRules& rules, const std::vector<LaunchContext::Constant>& constants,
                                   const machine::Program& program)
    : rules_(rules), is_indexed_(program.ops.size()), stops_(program.ops.size()), hits_(program.ops.size()) {
    std::uint64_t lines = 0;
    for (const auto& constant : constants) {
        variables_.push_back({constant.address, constant.bytes, lines});
        lines += line_of(constant.bytes + (1u << rules_.constants.line_shift) - 1);
    }
    if (lines <= std::uint64_t{rules_.constants.sets} * rules_.constants.ways) seen_.resize(lines * rules_.warps);
    bank_lines_ = lines;
    for (const machine::Site& site : program.sites)
        if (site.is_access && site.space == machine::Space::kConstant &&
            program.ops[site.op].a.bank() == static_cast<unsigned>(machine::Bank::kRegisters))
            is_indexed_[site.op] = 1;
    // Of a basic block's loads as many are waited for as lie on its chain.
    for (std::size_t b = 0; b < program.work.size(); ++b) {
        const machine::BasicBlock& block = program.blocks[b];
        const auto first = is_indexed_.begin() + block.first;
        const auto loads = static_cast<double>(std::count(first, first + block.count, 1));
        double due = 0;
        for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
            if (is_indexed_[i] == 0) continue;
            due += std::min(1.0, program.work[b][Wait::kConstant] / loads);
            stops_[i] = due > 1 - 1e-6 ? 1 : 0;  // numeric: sums are not exact
            due -= stops_[i];
        }
    }
}

std::uint64_t ConstantRecorder::to_bank(std::uint64_t address, const CacheAddresses::Range& range) const {
    const auto next = std::upper_bound(variables_.begin(), variables_.end(), address,
                                       [](std::uint64_t at, const Variable& one) { return at < one.address; });
    if (next == variables_.begin()) return 0;
    const Variable& variable = *std::prev(next);
    return variable.line - line_of(variable.address + range.shift);
}

std::uint32_t ConstantRecorder::add_shape(std::vector<std::uint64_t>& words, Shape shape, const machine::Access& access,
                                          const CacheAddresses::Range& range, std::uint64_t to_bank) const {
    const std::uint64_t first = line_of(access.first + range.shift);
    std::array<std::uint64_t, machine::kWarpSize> addresses;
    std::array<ConstantPiece, machine::kWarpSize> pieces;
    unsigned count = 0;
    for (std::uint32_t left = access.mask; left != 0; left &= left - 1) {
        const std::uint64_t address = access.address(static_cast<unsigned>(std::countr_zero(left))) + range.shift;
        if (std::find(addresses.begin(), addresses.begin() + count, address) != addresses.begin() + count) continue;
        addresses[count++] = address;
        const auto line = static_cast<std::int64_t>(line_of(address) - first);
        const auto end = pieces.begin() + shape.pieces;
        const auto found = std::find_if(pieces.begin(), end, [&](const auto& one) { return one.line == line; });
        if (found != end) {
            ++found->lookups;
            continue;
        }
        pieces[shape.pieces++] = {line, static_cast<unsigned>(to_bank % rules_.constants.sets), 1};
    }
    const auto at = static_cast<std::uint32_t>(words.size());
    words.push_back(shape.packed());
    for (unsigned i = 0; i < shape.pieces; ++i) words.push_back(pieces[i].packed());
    return at;
}

bool ConstantRecorder::hits(unsigned warp, const std::uint64_t* shape, std::uint64_t line, std::uint64_t to_bank) {
    const Shape of = Shape::of(*shape);
    bool all = true;
    std::uint64_t lookups = 0;
    for (unsigned i = 0; i < of.pieces; ++i) {
        const ConstantPiece piece = ConstantPiece::of(shape[1 + i]);
        const std::uint64_t at = line + static_cast<std::uint64_t>(piece.line) + to_bank;
        lookups += piece.lookups;
        if (seen_.empty() || at >= bank_lines_) return false;
        char& seen = seen_[warp * bank_lines_ + at];
        all = all && seen != 0;
        seen = 1;
    }
    if (all) hits_[of.op] += lookups;
    return all;
}

void ConstantRecorder::merge(const ConstantRecorder& other) {
    for (std::size_t i = 0; i < hits_.size(); ++i) hits_[i] += other.hits_[i];
}

}  // namespace tilescope::observers
