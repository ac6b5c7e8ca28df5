// Instructions that a functional machine takes notice of and does nothing for.
#include "scope/isa/families/lane_functions.h"
#include "scope/isa/table/binding.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

void nothing(Warp&, const Op&) {}
OpFn bind_nothing(Binding&) { return &nothing; }

// A policy for the second-level cache is 64 bits that programs must not look into. There is no cache to follow it.
void give_policy(Warp& warp, const Op& op) {
    write_lanes(warp.exec, warp.target<std::uint64_t>(op.dst), [](unsigned) { return std::uint64_t{0}; });
}
OpFn bind_policy(Binding&) { return &give_policy; }

#define PRIORITIES \
    ".[L2::evict_last L2::evict_normal L2::evict_first L2::evict_unchanged]{.[L2::evict_first L2::evict_unchanged]}"
#define POLICY \
    .kind = Class::kMove, .bind = &bind_policy, .needs = {74, 80}, .note = "policies change no value and no count"

constexpr Class kControl = Class::kControl;
constexpr Row kRows[] = {
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
     .bind = &bind_nothing,
     .needs = {78, 90},
     .note = "grids run one after another, so what it waits for has happened"},
    {.syntax = "setmaxnreg.[inc dec].sync.aligned.u32",
     .operands = "u32",
     .kind = kControl,
     .bind = &bind_nothing,
     .needs = {80, 90},
     .note = "registers are not a limited pool here"},
    {.syntax = "createpolicy.fractional" PRIORITIES ".b64", .operands = "=b64 f32?", POLICY},
    {.syntax = "createpolicy.range{.global}" PRIORITIES ".b64", .operands = "=b64 [] b32 b32", POLICY},
    {.syntax = "createpolicy.cvt.L2.b64", .operands = "=b64 b64", POLICY},
};

}  // namespace

const Family& special_family() {
    static constexpr Family kFamily{"special", "hints and events without an effect", kRows, std::size(kRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
