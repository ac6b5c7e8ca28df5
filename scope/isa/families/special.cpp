// Instructions that a functional machine takes notice of and does nothing for.
#include "scope/isa/families/lane_functions.h"
#include "scope/isa/table/binding.h"
#include "scope/isa/table/family_list.h"
#include "scope/machine/worker.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

// Grids run one after another, so that there is nothing to do but to tell.
template <bool kWaits>
void tell_dependency(Warp& warp, const Op& op) {
    if (!warp.worker->audience.wants(machine::Event::kGridDependency)) return;
    machine::GridDependency dependency;
    machine::fill(dependency, warp, op);
    dependency.waits = kWaits;
    warp.worker->audience.tell(dependency);
}

OpFn bind_dependency(Binding& binding) {
    return binding.has("wait") ? &tell_dependency<true> : &tell_dependency<false>;
}

constexpr Class kControl = Class::kControl;
constexpr Row kSpecialRows[] = {
    {.syntax = "nanosleep.u32",
     .operands = "u32",
     .kind = kControl,
     .effect = effect::kPause,
     .bind = &bind_nothing,
     .needs = {63, 70},
     .note = "sleeps no time: PTX allows any duration from zero"},
    {.syntax = "pmevent{.mask}",
     .operands = "u32",
     .kind = kControl,
     .bind = &bind_nothing,
     .needs = {30, 50},
     .note = "no performance monitor listens"},
    {.syntax = "griddepcontrol.[launch_dependents wait]",
     .operands = "",
     .kind = Class::kSync,
     .bind = &bind_dependency,
     .needs = {78, 90},
     .note = "grids run one after another, so what it waits for has happened"},
    {.syntax = "setmaxnreg.[inc dec]~.sync.aligned.u32",
     .operands = "u32",
     .kind = kControl,
     .bind = &bind_nothing,
     .needs = {80, 90},
     .note = "registers are not a limited pool here"},
};

}  // namespace

const Family& special_family() {
    static constexpr Family kFamily{"special", "hints and events without an effect", kSpecialRows,
                                    std::size(kSpecialRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
