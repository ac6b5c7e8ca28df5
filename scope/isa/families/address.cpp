// Addresses: cvta between generic and specific ones, isspacep.
#include <iterator>

#include "scope/isa/families/lane_functions.h"
#include "scope/isa/table/binding.h"
#include "scope/isa/table/family_list.h"
#include "scope/machine/worker.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

using machine::kLocalWindow;
using machine::kSharedWindow;
using machine::kWindowBytes;

// Global, constant and parameter addresses are generic ones already.
std::uint64_t window_of(const Binding& binding) {
    if (binding.form.one_of({"shared", "shared::cta", "shared::cluster"}) != "") return kSharedWindow;
    if (binding.has("local")) return kLocalWindow;
    return 0;
}

void add_window(Warp& warp, const Op& op) {
    const auto* a = warp.source<std::uint64_t>(op.a);
    const auto window = static_cast<std::uint64_t>(op.immediate);
    write_lanes(warp.exec, warp.target<std::uint64_t>(op.dst), [&](unsigned i) { return a[i] + window; });
}

// Compilers may keep addresses of constants in 32 bits.
void widen_constant(Warp& warp, const Op& op) {
    const auto* a = warp.source<std::uint64_t>(op.a);
    const std::uint64_t base = warp.worker->program->constant_base;
    write_lanes(warp.exec, warp.target<std::uint64_t>(op.dst),
                [&](unsigned i) { return a[i] | (a[i] >> 32 == 0 ? base : 0); });
}

// Addresses of shared memory have 32 bits, and their window begins where these are 0: an H200 keeps no other bit of
// them (28 November 2026, bench/hardware/shared_window.cu). So a null pointer stays null on its way to shared memory.
template <std::uint64_t kWindow>
void replace_window(Warp& warp, const Op& op) {
    static_assert(kWindow % kWindowBytes == 0);
    const auto* a = warp.source<std::uint64_t>(op.a);
    write_lanes(warp.exec, warp.target<std::uint64_t>(op.dst),
                [&](unsigned i) { return kWindow | (a[i] & (kWindowBytes - 1)); });
}

bool is_of_shared(const Binding& binding) { return binding.form.one_of({"shared", "shared::cta"}) != ""; }

OpFn bind_cvta(Binding& binding) {
    if (binding.has("const")) return &widen_constant;
    if (is_of_shared(binding)) return &replace_window<kSharedWindow>;
    binding.op.immediate = static_cast<std::int64_t>(window_of(binding));
    return &add_window;
}

OpFn bind_cvta_to(Binding& binding) {
    if (is_of_shared(binding)) return &replace_window<0>;
    binding.op.immediate = -static_cast<std::int64_t>(window_of(binding));
    return &add_window;
}

bool is_constant(const Warp& warp, std::uint64_t address) {
    const machine::Program& program = *warp.worker->program;
    return address - program.constants_at < program.constants_bytes;
}

// What an H200 takes for a block's shared memory, and for a thread's local memory: 16 MiB from the window's start on.
// The rest of the window of shared memory is other blocks' of the cluster.
constexpr std::uint64_t kBlockWindow = 16 << 20;

template <std::uint64_t kBytes>
void is_in_window(Warp& warp, const Op& op) {
    const auto* a = warp.source<std::uint64_t>(op.a);
    const auto window = static_cast<std::uint64_t>(op.immediate);
    warp.set_predicate(op.dst, lanes_where([&](unsigned i) { return a[i] - window < kBytes; }));
}

void is_constant_space(Warp& warp, const Op& op) {
    const auto* a = warp.source<std::uint64_t>(op.a);
    warp.set_predicate(op.dst, lanes_where([&](unsigned i) { return is_constant(warp, a[i]); }));
}

// All the rest; what is constant is not global, as an H200 has it.
void is_global(Warp& warp, const Op& op) {
    const auto* a = warp.source<std::uint64_t>(op.a);
    warp.set_predicate(op.dst, lanes_where([&](unsigned i) {
                           return a[i] - kSharedWindow >= kWindowBytes && a[i] - kLocalWindow >= kBlockWindow &&
                                  !is_constant(warp, a[i]);
                       }));
}

void never(Warp& warp, const Op& op) { warp.set_predicate(op.dst, 0); }

OpFn bind_isspacep(Binding& binding) {
    if (binding.has("global")) return &is_global;
    if (binding.has("const")) return &is_constant_space;
    const std::uint64_t window = window_of(binding);
    if (window == 0) return &never;  // parameters have no window here: their addresses are global
    binding.op.immediate = static_cast<std::int64_t>(window);
    return binding.has("shared::cluster") ? &is_in_window<kWindowBytes> : &is_in_window<kBlockWindow>;
}

constexpr Row kAddressRows[] = {
    {.syntax = "cvta.[global shared shared::cta local const param].u64",
     .operands = "=u64 u64",
     .kind = Class::kInteger,
     .effect = effect::kConvertAddress,
     .bind = &bind_cvta},
    {.syntax = "cvta.to~.[global shared shared::cta local const param].u64",
     .operands = "=u64 u64",
     .kind = Class::kInteger,
     .effect = effect::kConvertAddress,
     .bind = &bind_cvta_to},
    {.syntax = "isspacep.[global shared shared::cta shared::cluster local const param]",
     .operands = "=pred u64",
     .kind = Class::kInteger,
     .bind = &bind_isspacep},
};

}  // namespace

const Family& address_family() {
    static constexpr Family kFamily{"address", "address conversions", kAddressRows, std::size(kAddressRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
