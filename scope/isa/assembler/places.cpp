#include "scope/isa/assembler/places.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <optional>
#include <variant>

#include "scope/isa/assembler/operation.h"

namespace tilescope::isa {
namespace {

using PlaceOf = std::function<Place(std::int32_t)>;

Place constant_place(std::int64_t value) { return {kConstantPlace, value, zeros_of_value(value), kAllZero, value}; }

// In 128 bits, where no sum and no product of two constants of the program wraps round.
__extension__ typedef __int128 Wide;

std::optional<std::int64_t> within_reach(Wide value) {
    if (value < -Wide{kReach} || value > Wide{kReach}) return std::nullopt;
    return static_cast<std::int64_t>(value);
}

std::optional<Place> plus(Place place, std::int64_t constant) {
    std::optional<Place> sum = moved(place, constant);
    if (sum) sum->own_zeros = std::min(place.own_zeros, zeros_of_value(constant));
    return sum;
}

SourceFacts facts_of(const PlaceOf& place_of) {
    return {[&place_of](std::int32_t reg) { return place_of(reg).own_zeros; },
            [&place_of](std::int32_t reg) { return place_of(reg).id == kConstantPlace; }};
}

bool is_immediate(const OpenOperand& operand) { return operand.reg == kNoRegister && operand.bound.is_immediate; }

}  // namespace

std::optional<Place> moved(Place place, std::int64_t constant) {
    const auto offset = within_reach(Wide{place.offset} + constant),
               beyond = within_reach(Wide{place.beyond} + constant);
    if (!offset || !beyond) return std::nullopt;
    place.offset = *offset;
    place.beyond = *beyond;
    return place;
}

// The rules for one instruction.
class PlaceRules {
public:
    PlaceRules(Places& places, const Instruction& instruction, const PlaceOf& place_of)
        : places_(places), instruction_(instruction), operands_(instruction.operands), place_of_(place_of) {}

    // Nothing where the result is an unknown of its own.
    std::optional<Place> result() {
        if (instruction_.guard != kNoRegister || operands_.size() < 2) return std::nullopt;
        switch (operation_of(instruction_)) {
            case Operation::kMove: return moved_from(source(1));
            case Operation::kAdd: return sum(source(1), source(2), operands_[1], operands_[2]);
            case Operation::kSubtract:
                if (source(2).id == kConstantPlace) {
                    const auto negated = within_reach(-Wide{source(2).offset});
                    if (!negated) return std::nullopt;
                    if (is_immediate(operands_[2])) return plus(source(1), *negated);
                    if (source(1).id == kConstantPlace) return constant(Wide{source(1).offset} + *negated);
                }
                return alike({1, 2});
            case Operation::kOr:
                // It sets bits that are clear, which is a sum.
                if (is_immediate(operands_[2]) && operands_[2].bound.value >= 0 &&
                    static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(operands_[2].bound.value))) <=
                        source(1).own_zeros)
                    return known(source(1).id, Wide{source(1).offset} + operands_[2].bound.value);
                return alike({1, 2}, true);
            case Operation::kShiftLeft:
                if (is_immediate(operands_[2]) && operands_[2].bound.value >= 0 && operands_[2].bound.value < 32)
                    return product(source(1), std::int64_t{1} << operands_[2].bound.value);
                return alike({1, 2});
            case Operation::kMultiply:
                if (is_immediate(operands_[2]) && !instruction_.chosen->form.has("wide"))
                    return product(source(1), operands_[2].bound.value);
                return alike({1, 2}, true);
            case Operation::kMultiplyAdd:
                if (is_immediate(operands_[2]) && !instruction_.chosen->form.has("wide")) {
                    OpenOperand made;  // the product stands in no register
                    made.reg = 0;
                    const auto scaled = product(source(1), operands_[2].bound.value);
                    if (!scaled) return std::nullopt;
                    return sum(*scaled, source(3), made, operands_[3]);
                }
                return alike({1, 2, 3});
            case Operation::kAnd:
            case Operation::kXor: return alike({1, 2}, true);
            case Operation::kNegate:
            case Operation::kConvert: return alike({1});
            case Operation::kShiftRight:
            case Operation::kRemainder: return alike({1, 2});
            case Operation::kPack:
            case Operation::kUnpack:
            case Operation::kSelect:
            case Operation::kInsert:
            case Operation::kCompare:
            case Operation::kOther: break;
        }
        return std::nullopt;
    }

private:
    unsigned zeros_now() const { return zeros_after(instruction_, 0, facts_of(place_of_)); }

    static std::optional<Place> constant(Wide value) {
        const auto offset = within_reach(value);
        return offset ? std::optional(constant_place(*offset)) : std::nullopt;
    }

    // The value is made here: what is known of it is what follows from the operation.
    std::optional<Place> known(std::int32_t id, Wide from_it) const {
        if (id == kConstantPlace) return constant(from_it);
        const auto offset = within_reach(from_it);
        const unsigned zeros = zeros_now();
        return offset ? std::optional(Place{id, *offset, zeros, zeros, 0}) : std::nullopt;
    }

    Place source(std::size_t i) const {
        const OpenOperand& operand = operands_[i];
        if (operand.reg != kNoRegister) return place_of_(operand.reg);
        if (operand.bound.is_immediate) return constant_place(operand.bound.value);
        // A special register, a parameter.
        return {places_.unknown({-2, operand.bound.slot.bits, operand.bound.bytes}), 0, 0, 0, 0};
    }

    std::optional<Place> product(const Place& place, std::int64_t factor) const {
        const Wide offset = Wide{place.offset} * factor;
        if (place.id == kConstantPlace) return constant(offset);
        return known(places_.unknown({-3, place.id, factor}), offset);
    }

    std::optional<Place> sum(const Place& a, const Place& b, const OpenOperand& of_a, const OpenOperand& of_b) const {
        if (b.id == kConstantPlace) return plus_constant(a, b, of_b);
        if (a.id == kConstantPlace) return plus_constant(b, a, of_a);
        const auto [low, high] = std::minmax(a.id, b.id);
        return known(places_.unknown({-4, low, high}), Wide{a.offset} + b.offset);
    }

    // Of the address of a variable in shared memory no more is known than how it is aligned, of one in global memory
    // nothing, however it is declared: the linker places it.
    std::optional<Place> moved_from(Place place) const {
        if (place.id == kConstantPlace && !within_reach(place.offset)) return std::nullopt;
        if (const auto linked = places_.linked(operands_[1], place.offset)) return linked;
        const bool named = instruction_.text != nullptr && instruction_.text->operands.size() == 2 &&
                           std::holds_alternative<ptx::Symbol>(instruction_.text->operands[1].value);
        if (place.id != kConstantPlace || operands_[1].reg != kNoRegister || !named) return place;
        place.zeros = place.own_zeros;
        place.beyond = 0;
        return place;
    }

    // An immediate is folded into the address. What stands in a register is not: what the other is known to be by
    // itself counts then.
    static std::optional<Place> plus_constant(Place place, const Place& constant, const OpenOperand& by) {
        if (by.reg == kNoRegister) return plus(place, constant.offset);
        const auto offset = within_reach(Wide{place.offset} + constant.offset);
        if (!offset) return std::nullopt;
        place.offset = *offset;
        place.zeros = std::min(place.own_zeros, constant.zeros);
        place.beyond = constant.beyond;
        place.own_zeros = std::min(place.own_zeros, constant.own_zeros);
        return place;
    }

    // One unknown for each operation on the same sources.
    std::optional<Place> alike(std::initializer_list<std::size_t> sources, bool commutes = false) const {
        std::vector<std::pair<std::int64_t, std::int64_t>> from;
        for (std::size_t i : sources) from.emplace_back(source(i).id, source(i).offset);
        if (commutes && from[1] < from[0]) std::swap(from[0], from[1]);
        std::vector<std::int64_t> made_of{-5, static_cast<std::int64_t>(operation_of(instruction_)),
                                          static_cast<std::int64_t>(instruction_.chosen->form.type(0)),
                                          static_cast<std::int64_t>(instruction_.chosen->form.type(1)),
                                          instruction_.chosen->form.has("wide")};
        for (const auto& [id, offset] : from) made_of.insert(made_of.end(), {id, offset});
        return known(places_.unknown(made_of), 0);
    }

    Places& places_;
    const Instruction& instruction_;
    const std::vector<OpenOperand>& operands_;
    const PlaceOf& place_of_;
};

Places::Places(const FunctionCode& code) : next_(static_cast<std::int32_t>(code.registers.size())) {
    const KnownZeros zeros(code);
    for (std::size_t reg = 0; reg < code.registers.size(); ++reg) {
        const unsigned known = zeros.of(static_cast<std::int32_t>(reg));
        by_register_.push_back({static_cast<std::int32_t>(reg), 0, known, known, 0});
    }
    const PlaceOf place_of = [&](std::int32_t reg) { return by_register_[reg]; };
    for (const Instruction& instruction : code.instructions) {
        if (instruction.operands.empty()) continue;
        const std::int32_t reg = instruction.operands[0].reg;
        if (reg == kNoRegister || !instruction.operands[0].writes || !code.writes_alone(instruction, reg)) continue;
        if (const auto place = PlaceRules(*this, instruction, place_of).result()) by_register_[reg] = *place;
    }
}

Place Places::fresh(unsigned zeros) { return {next_++, 0, zeros, zeros, 0}; }

std::int32_t Places::unknown(const std::vector<std::int64_t>& made_of) {
    const auto [entry, is_new] = unknowns_.try_emplace(made_of, next_);
    if (is_new) ++next_;
    return entry->second;
}

std::optional<Place> Places::linked(const OpenOperand& operand, std::int64_t offset) {
    if (operand.reg != kNoRegister || operand.origin < kFirstPointer) return std::nullopt;
    return Place{unknown({-6, operand.origin}), offset, 0, 0, 0};
}

Place PlaceWalk::of(std::int32_t reg) const {
    const auto found = here_.find(reg);
    return found != here_.end() ? found->second : places_.of(reg);
}

Place PlaceWalk::of(const OpenOperand& operand) const {
    if (operand.reg != kNoRegister) return of(operand.reg);
    return places_.linked(operand, 0).value_or(constant_place(0));
}

void PlaceWalk::step(const Instruction& instruction, bool again) {
    const PlaceOf place_of = [&](std::int32_t reg) { return of(reg); };
    std::size_t result = 0;
    std::vector<std::pair<std::int32_t, Place>> made;
    for_each_result(instruction, [&](std::int32_t reg) {
        std::optional<Place> place;
        if (result == 0 && !instruction.operands.empty() && instruction.operands[0].reg == reg)
            place = PlaceRules(places_, instruction, place_of).result();
        if (!place && !again && code_.definitions[reg].count == 1) place = places_.of(reg);
        if (!place) {
            unsigned zeros = zeros_after(instruction, result, facts_of(place_of));
            if (instruction.guard != kNoRegister) zeros = std::min(zeros, of(reg).own_zeros);
            place = places_.fresh(zeros);
        }
        ++result;
        made.emplace_back(reg, *place);
    });
    for (const auto& [reg, place] : made) set(reg, place);
}

}  // namespace tilescope::isa
