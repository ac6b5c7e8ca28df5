// Where an address lies against others: as an unknown and a constant, and what is known of it modulo a power of two.
//
// Two registers are one unknown when they were computed alike: by the same operations from the same unknowns, constants
// aside. That is how far ptxas 13.0 sees: (i + 1) << 4 and (i << 4) + 16 are one, (a + b) + c and a + (b + c) are not.
#pragma once

#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "scope/isa/assembler/known_zeros.h"
#include "scope/isa/lower/lowering.h"

namespace tilescope::isa {

inline constexpr std::int32_t kConstantPlace = -1;

// Places are told apart up to here: what counts further from its unknown is an unknown of its own, so that no sum of
// offsets wraps round.
inline constexpr std::int64_t kReach = std::int64_t{1} << 47;

// A register's value is the unknown `id` plus `offset`, which is at most kReach.
struct Place {
    std::int32_t id = kConstantPlace;  // kConstantPlace: it is the constant `offset`
    std::int64_t offset = 0;
    unsigned own_zeros = 0;  // trailing zeros of the value itself
    unsigned zeros = 0;      // the value is `beyond` modulo 2^zeros: what is known before constants were added last
    std::int64_t beyond = 0;
};

// `constant` further on; nothing where that is out of reach.
std::optional<Place> moved(Place place, std::int64_t constant);

// Places of the registers that one instruction alone writes; those of others are unknowns of their own.
class Places {
public:
    explicit Places(const FunctionCode& code);

    const Place& of(std::int32_t reg) const { return by_register_[reg]; }
    // An unknown that is like nothing else.
    Place fresh(unsigned zeros);
    // `offset` from a variable in global memory, if the operand is the address of one: the linker places it.
    std::optional<Place> linked(const OpenOperand& operand, std::int64_t offset);

private:
    friend class PlaceRules;
    std::int32_t unknown(const std::vector<std::int64_t>& made_of);

    std::vector<Place> by_register_;
    std::map<std::vector<std::int64_t>, std::int32_t> unknowns_;
    std::int32_t next_ = 0;
};

// Follows a stretch of code that is run from its beginning to its end, and says where registers are at each point.
class PlaceWalk {
public:
    PlaceWalk(const FunctionCode& code, Places& places) : code_(code), places_(places) {}

    Place of(std::int32_t reg) const;
    Place of(const OpenOperand& operand) const;
    void set(std::int32_t reg, const Place& place) { here_[reg] = place; }
    // `again`: the stretch has run through this instruction before, so its result is another one.
    void step(const Instruction& instruction, bool again);

private:
    const FunctionCode& code_;
    Places& places_;
    std::unordered_map<std::int32_t, Place> here_;
};

}  // namespace tilescope::isa
