// Instructions that no program spells: the lowering puts them where PTX leaves the work to the machine.
#include <iterator>

#include "scope/isa/families/lane_functions.h"
#include "scope/isa/table/binding.h"
#include "scope/isa/table/family_list.h"
#include "scope/machine/worker.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

// The address of a variable in the running function's stack frame.
template <class T>
void frame_address(Warp& warp, const Op& op) {
    const T address = static_cast<T>(static_cast<std::uint64_t>(op.immediate) + warp.local_frame);
    write_lanes(warp.exec, warp.target<T>(op.dst), [&](unsigned) { return address; });
}

OpFn bind_frame_address(Binding& binding) {
    binding.op.immediate = binding.operands[1].value;
    return bytes_of(binding.type()) == 8 ? &frame_address<std::uint64_t> : &frame_address<std::uint32_t>;
}

// The clock ticks once per executed warp instruction: it grows, repeats between runs, and measures nothing. It jumps
// where a block does nothing but look at it, or at what nobody changes.
template <class T>
void read_clock(Warp& warp, const Op& op) {
    const T now = static_cast<T>(warp.worker->executed + warp.worker->clock_lead);
    write_lanes(warp.exec, warp.target<T>(op.dst), [&](unsigned) { return now; });
}

OpFn bind_clock(Binding& binding) {
    return bytes_of(binding.type()) == 8 ? &read_clock<std::uint64_t> : &read_clock<std::uint32_t>;
}

constexpr Row kInternalRows[] = {
    {.syntax = "%frame_address.[u32 u64]", .operands = "=T0 u64", .kind = Class::kMove, .bind = &bind_frame_address},
    {.syntax = "%read_clock.u32",
     .operands = "=T0 u64",
     .kind = Class::kMove,
     .effect = effect::kReadsClock,
     .bind = &bind_clock},
    {.syntax = "%read_clock64.u64",
     .operands = "=T0 u64",
     .kind = Class::kMove,
     .effect = effect::kReadsClock,
     .bind = &bind_clock},
    {.syntax = "%read_globaltimer.u64",
     .operands = "=T0 u64",
     .kind = Class::kMove,
     .effect = effect::kReadsClock,
     .bind = &bind_clock},
    {.syntax = "%read_globaltimer_lo.u32",
     .operands = "=T0 u64",
     .kind = Class::kMove,
     .effect = effect::kReadsClock,
     .bind = &bind_clock},
};

}  // namespace

const Family& internal_family() {
    static constexpr Family kFamily{"internal", "instructions of the machine's own", kInternalRows,
                                    std::size(kInternalRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
