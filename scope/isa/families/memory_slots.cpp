#include "scope/isa/families/memory_slots.h"

#include "scope/isa/families/memory_move.h"
#include "scope/isa/table/memory_flags.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

using machine::OpFn;
using machine::TILESCOPE_TARGET::write_lanes;

// Parameters that the lowering placed in slots: a load or store of them is a move.
void move_slots(Warp& warp, const Op& op) {
    const auto& list = *static_cast<const ElementList*>(op.extra);
    // Pairs: target, source.
    for (unsigned k = 0; k + 1 < list.count * 2; k += 2) {
        const machine::Operand to = list.registers[k], from = list.registers[k + 1];
        switch (list.register_bytes[k]) {
            case 2:
                write_lanes(warp.exec, warp.target<std::uint16_t>(to),
                            [&](unsigned i) { return warp.source<std::uint16_t>(from)[i]; });
                break;
            case 4:
                write_lanes(warp.exec, warp.target<std::uint32_t>(to),
                            [&](unsigned i) { return warp.source<std::uint32_t>(from)[i]; });
                break;
            case 8:
                write_lanes(warp.exec, warp.target<std::uint64_t>(to),
                            [&](unsigned i) { return warp.source<std::uint64_t>(from)[i]; });
                break;
            default:
                write_lanes(warp.exec, warp.target<Wide>(to), [&](unsigned i) { return warp.source<Wide>(from)[i]; });
                break;
        }
    }
}

// A scalar parameter of a device function by way of a narrower type: compilers pass chars and shorts in 32 bits, store
// the whole and load the part. The low bytes travel.
template <class E>
void move_part(Warp& warp, const Op& op) {
    const auto& list = *static_cast<const ElementList*>(op.extra);
    alignas(64) E values[kWarpSize];
    read_register(warp, list.registers[1], list.register_bytes[1], values);
    write_register(warp, list.registers[0], list.register_bytes[0], op.flags & kSignExtend, values);
}

OpFn bind_part(Binding& binding, const BoundOperand& to, const BoundOperand& from, unsigned bytes) {
    if (to.bytes < bytes || from.bytes < bytes) {
        binding.fail("a register is narrower than the element it holds");
        return nullptr;
    }
    ElementList list;
    list.registers[0] = to.slot;
    list.registers[1] = from.slot;
    list.register_bytes[0] = to.bytes;
    list.register_bytes[1] = from.bytes;
    binding.op.extra = binding.keep(list);
    if (is_signed(binding.type())) binding.op.flags |= kSignExtend;
    switch (bytes) {
        case 1: return &move_part<std::uint8_t>;
        case 2: return &move_part<std::uint16_t>;
        default: return &move_part<std::uint32_t>;
    }
}

}  // namespace

machine::OpFn bind_slots(Binding& binding, const BoundOperand& value, const BoundOperand& slots, bool store) {
    ElementList list;
    const bool many = value.kind == BoundKind::kVector;
    const std::size_t count = many ? value.elements.size() : 1;
    if (count > 4) {
        binding.fail("a parameter access of more than four elements");
        return nullptr;
    }
    const BoundOperand& whole = slots.elements[0];
    const BoundOperand& held = many ? value.elements[0] : value;
    const unsigned bytes = bytes_of(binding.type());
    if (whole.of_function && held.kind == BoundKind::kValue && (bytes < whole.bytes || held.bytes != whole.bytes))
        return store ? bind_part(binding, whole, held, bytes) : bind_part(binding, held, whole, bytes);
    unsigned at = 0;
    for (std::size_t k = 0; k < count; ++k) {
        const BoundOperand& reg = many ? value.elements[k] : value;
        if (reg.kind == BoundKind::kAbsent) continue;
        const BoundOperand& slot = slots.elements[k];
        list.registers[at] = store ? slot.slot : reg.slot;
        list.registers[at + 1] = store ? reg.slot : slot.slot;
        list.register_bytes[at] = store ? slot.bytes : reg.bytes;
        at += 2;
    }
    list.count = at / 2;
    binding.op.extra = binding.keep(list);
    return &move_slots;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
