// Operands for a row's signature, placed in the banks of a fake warp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scope/isa/table/binding.h"
#include "tests/isa/row_harness.h"
#include "tests/isa/row_values.h"

namespace tilescope::isa::test {

inline constexpr std::size_t kBankBytes = 8 * 1024;

struct alignas(64) BankBytes {
    std::byte bytes[kBankBytes];
};

// One token of a signature.
struct Token {
    std::string_view text;    // without `=` and `?`; of a pair, the part before the bar
    std::string_view second;  // the part after the bar; "" when there is none
    bool written = false, optional = false, vector = false;
    SelectorKind selector = SelectorKind::kNone;
    bool may_be_minus = false;
};
std::vector<Token> tokens_of(std::string_view signature);

// One scalar of an operand: what the oracle calls operands[i][j].
struct Place {
    Type type = Type::kNone;  // chooses the values
    machine::Operand slot;
    std::uint8_t bytes = 0;
    bool present = true, written = false, is_immediate = false, negated = false;
    Bits value;  // of an immediate
    Selector selector;
    bool minus = false;
};

// A full set of operands for one spelling.
struct OperandSet {
    std::vector<BoundOperand> operands;
    std::vector<std::vector<Place>> places;
};

class OperandMaker {
public:
    OperandMaker(const Form& form, const std::vector<Token>& tokens, Random& random)
        : form_(form), tokens_(tokens), random_(random) {}
    // A random set; nothing, with a reason, when a token is of a kind this harness has no operands for.
    bool make(OperandSet& set, std::string& reason);

private:
    bool place_of(std::string_view text, bool written, Place& place, std::string& reason);
    machine::Operand new_slot(Place& place);
    Selector selector_of(SelectorKind kind);
    BoundOperand bound(const Place& place) const;

    const Form& form_;
    const std::vector<Token>& tokens_;
    Random& random_;
    std::uint32_t next_register_ = 0, next_constant_ = 0, next_special_ = 0;
    bool immediates_ = false, sharing_ = false;
    std::vector<Place> read_, written_;
};

class TestBinding final : public Binding {
public:
    using Binding::Binding;
    ~TestBinding() override {
        for (auto& [object, destroy] : owned_) destroy(object);
    }

protected:
    void own(const void* object, void (*destroy)(const void*)) override { owned_.emplace_back(object, destroy); }

private:
    std::vector<std::pair<const void*, void (*)(const void*)>> owned_;
};

// Fills op.dst, op.a, op.b and op.c as the lowering does: the first written operand, the first three read ones.
void place_in_op(const std::vector<Token>& tokens, const OperandSet& set, machine::Op& op);

}  // namespace tilescope::isa::test
