// Binding: what a row's bind function sees and fills.
//
// Guarantees: operands have been checked against the row's signature and placed: the first written operand in op.dst,
// the first three read ones in op.a, op.b, op.c; all of them, in order, in operands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "scope/isa/table/form.h"
#include "scope/isa/table/row.h"
#include "scope/isa/table/selectors.h"
#include "scope/machine/op.h"

namespace tilescope::isa {

enum class BoundKind : std::uint8_t {
    kAbsent,   // an optional one that is not there, or the sink `_`
    kValue,    // register, immediate or special register: slot and bytes
    kAddress,  // [base + offset]: slot and bytes of the base (4 or 8), offset
    kVector,   // elements
};

// One operand after resolution.
struct BoundOperand {
    BoundKind kind = BoundKind::kAbsent;
    machine::Operand slot;
    std::uint8_t bytes = 0;  // width of the register; 0 for a predicate
    bool is_immediate = false;
    bool negated = false;         // !p
    bool minus = false;           // -r, where the row lets it
    Selector selector;            // likewise r.b0
    bool frame_relative = false;  // addresses: counts from the running function's stack frame
    bool of_function = false;     // a device function's parameter, or an address of one
    std::int64_t value = 0;       // immediates: bit pattern, sign-extended; addresses: the constant offset
    std::vector<BoundOperand> elements;
};

class Binding {
public:
    Binding(const Form& form, machine::Op& op, std::vector<BoundOperand>& operands)
        : form(form), op(op), operands(operands) {}
    virtual ~Binding() = default;

    const Form& form;
    machine::Op& op;
    std::vector<BoundOperand>& operands;  // in the order of the instruction's text, absent optional ones included

    Type type(unsigned n = 0) const { return form.type(n); }
    bool has(std::string_view word) const { return form.has(word); }

    // How often the instruction does what its row counts as operations.
    std::uint32_t times = 1;

    // Puts a value under the Program's ownership and returns its final address: for op.extra.
    template <class X>
    const X* keep(X value) {
        auto* held = new X(std::move(value));
        own(held, [](const void* p) { delete static_cast<const X*>(p); });
        return held;
    }
    // Says why the form cannot be bound; bind then returns nullptr.
    void fail(std::string message, std::string hint = {}) {
        message_ = std::move(message);
        hint_ = std::move(hint);
    }
    const std::string& failure() const { return message_; }
    const std::string& failure_hint() const { return hint_; }

protected:
    virtual void own(const void* object, void (*destroy)(const void*)) = 0;

private:
    std::string message_, hint_;
};

}  // namespace tilescope::isa
