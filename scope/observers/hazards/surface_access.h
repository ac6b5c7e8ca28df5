// What lanes do to a surface, as the access to global memory that it is: an array lies there as any other allocation
// does.
#pragma once

#include <bit>

#include "scope/machine/access.h"
#include "scope/machine/events.h"
#include "scope/machine/program.h"

namespace tilescope::observers {

class SurfaceAccess {
public:
    // Of an event that touches a surface.
    SurfaceAccess(const machine::Texels& event, const machine::Program& program) {
        static constexpr machine::AccessKind kKinds[] = {machine::AccessKind::kLoad, machine::AccessKind::kStore};
        access_.block = event.block;
        access_.clock = event.clock;
        access_.op = event.op;
        access_.site = program.ops[event.op].site;
        access_.kind = event.is_atomic ? machine::AccessKind::kReduction
                                       : kKinds[event.kind == machine::TexelsKind::kSurfaceWrite ? 1 : 0];
        access_.width = event.width;
        if (event.is_atomic) {
            access_.order = machine::Order::kRelaxed;
            access_.scope = machine::Scope::kGpu;
        }
        access_.mask = event.touching;
        access_.thread = event.thread;
        access_.first = event.addresses[std::countr_zero(event.touching)];
        for (unsigned i = 0; i < machine::kWarpSize; ++i)
            if ((event.touching >> i & 1) != 0)
                deltas_[i] = static_cast<std::int64_t>(event.addresses[i] - access_.first);
        access_.deltas = deltas_;
    }
    SurfaceAccess(const SurfaceAccess&) = delete;

    const machine::Access& access() const { return access_; }
    // Whether an event is one: textures are read only, and what is beyond the bounds is nowhere.
    static bool is_one(const machine::Texels& event) { return event.touching != 0 && event.addresses != nullptr; }

private:
    machine::Access access_;
    std::int64_t deltas_[machine::kWarpSize] = {};
};

}  // namespace tilescope::observers
