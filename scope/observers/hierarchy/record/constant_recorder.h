// ConstantRecorder: records the constant cache lookups of a worker's blocks.
//
// Owns: the list of loads that look up, and the addresses of variables in their bank. Guarantees: every distinct
// address of a request is a lookup (H200, bench/hardware/constant.cu). If all constants of the program fit into the
// first cache, later lookups of a line by a warp can't miss, and are counted here. Does not model: ptxas' order of
// variables in the bank; here they are in address order, each from a new line on.
#pragma once

#include <cstdint>
#include <vector>

#include "scope/machine/program.h"
#include "scope/observers/counting.h"
#include "scope/observers/hierarchy/record/addresses.h"
#include "scope/observers/hierarchy/record/traffic.h"
#include "scope/observers/hierarchy/rules.h"

namespace tilescope::observers {

class ConstantRecorder {
public:
    ConstantRecorder(const HierarchyRules& rules, const std::vector<LaunchContext::Constant>& constants,
                     const machine::Program& program);

    // Whether an instruction asks the constant caches: those whose address stands in the code do not.
    bool asks(std::uint32_t op) const { return is_indexed_[op] != 0; }
    // Whether it is waited for, if it misses.
    bool stops(std::uint32_t op) const { return stops_[op] != 0; }

    // From a line's number to its place in the bank, for lines of the variable that lies in `range`.
    std::uint64_t to_bank(std::uint64_t address, const CacheAddresses::Range& range) const;
    std::uint64_t line_of(std::uint64_t address) const { return address >> rules_.constants.line_shift; }
    std::uint32_t add_shape(std::vector<std::uint64_t>& words, Shape shape, const machine::Access& access,
                            const CacheAddresses::Range& range, std::uint64_t to_bank) const;

    void begin_block() { seen_.assign(seen_.size(), 0); }
    // Whether the warp has looked up all of a shape's lines before and none can have had to give way; then its lookups
    // are hits. From now on it has.
    bool hits(unsigned warp, const std::uint64_t* shape, std::uint64_t line, std::uint64_t to_bank);
    const std::vector<std::uint64_t>& hit_lookups() const { return hits_; }  // by op
    void merge(const ConstantRecorder& other);

private:
    struct Variable {
        std::uint64_t address = 0, bytes = 0, line = 0;  // in the bank
    };

    const HierarchyRules& rules_;
    std::vector<Variable> variables_;  // by address
    std::vector<char> is_indexed_, stops_;
    std::vector<char> seen_;  // by warp, lines of the bank; empty: they do not all fit
    std::uint64_t bank_lines_ = 0;
    std::vector<std::uint64_t> hits_;
};

}  // namespace tilescope::observers
