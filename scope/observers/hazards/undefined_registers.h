// UndefinedRegisters: which bits of a warp's registers nobody has defined, and how instructions pass them on.
//
// Owns: a bit for each bit of the warp's frames, made when the first undefined one comes, and for each lane of a
// register that has some the number of the value that it is (UndefinedValues). Guarantees: exact by bit for moves,
// shifts, masks, selections and the like; anything else with an undefined source bit is undefined as a whole.
// Does not model: carries (add.cc) and registers that were never written, which count as defined.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "scope/machine/flow.h"
#include "scope/machine/warp.h"
#include "scope/observers/hazards/undefined_memory.h"

namespace tilescope::observers {

// Bits of one value in each lane, up to 128, and which value it is.
struct LaneBits {
    std::uint64_t low[machine::kWarpSize] = {}, high[machine::kWarpSize] = {};
    std::uint32_t value[machine::kWarpSize] = {};

    // Lanes with an undefined bit.
    std::uint32_t lanes() const {
        std::uint32_t found = 0;
        for (unsigned i = 0; i < machine::kWarpSize; ++i)
            found |= static_cast<std::uint32_t>((low[i] | high[i]) != 0) << i;
        return found;
    }
};

class UndefinedRegisters {
public:
    // All registers are defined from here on; these are the warp's.
    void begin(std::span<const std::byte> registers);
    void forget();
    bool any() const { return marked_ != 0; }

    bool is_marked(const machine::Warp& warp, machine::Operand place, unsigned bytes) const;
    // Whether an op reads or writes a register with undefined bits.
    bool touches(const machine::Warp& warp, const machine::Op& op, const machine::OpFlow& flow) const;
    LaneBits bits(const machine::Warp& warp, machine::Operand place, unsigned bytes) const;
    // Undefined lanes of a predicate, and the value that it is in one of them.
    std::uint32_t predicate(const machine::Warp& warp, machine::Operand place) const;
    std::uint32_t value_of(const machine::Warp& warp, machine::Operand place, unsigned lane) const;
    void set(const machine::Warp& warp, const machine::FlowValue& to, std::uint32_t lanes, const LaneBits& bits);
    void copy(const std::byte* to, const std::byte* from, std::size_t bytes, std::uint32_t predicate_lanes);

    // What the op's results will be, one for each, by the registers as they are.
    std::vector<LaneBits> spread(const machine::Warp& warp, const machine::OpFlow& flow, std::uint32_t lanes,
                                 UndefinedValues& values) const;

private:
    static constexpr unsigned kGranule = 64;  // bytes of a frame that share a mark

    std::size_t offset_of(const machine::Warp& warp, machine::Operand place) const {
        return static_cast<std::size_t>(warp.banks[0] - frames_) + place.offset();
    }
    bool is_marked(std::size_t offset, std::size_t bytes) const;
    void remark(std::size_t offset, std::size_t bytes);

    const std::byte* frames_ = nullptr;
    std::size_t size_ = 0;
    std::unique_ptr<std::byte[]> bits_;
    std::vector<bool> marks_;
    std::size_t marked_ = 0;
    std::unordered_map<std::size_t, std::array<std::uint32_t, machine::kWarpSize>> values_;  // by offset
};

}  // namespace tilescope::observers
