// Functions that the CUDA system provides to device code: malloc, free, vprintf and __assertfail.
#include <bit>
#include <iterator>
#include <string>

#include "scope/isa/families/lane_functions.h"
#include "scope/isa/families/memory_bounds.h"
#include "scope/isa/library/device_print.h"
#include "scope/isa/table/binding.h"
#include "scope/isa/table/family_list.h"
#include "scope/machine/worker.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

void print(Warp& warp, const Op& op) {
    const auto* formats = warp.source<std::uint64_t>(op.a);
    const auto* arguments = warp.source<std::uint64_t>(op.b);
    ++warp.worker->writes;
    alignas(64) std::uint32_t counts[machine::kWarpSize] = {};
    for (std::uint32_t left = warp.exec; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        unsigned used = 0;
        const std::string text = format_print(warp, op, lane, formats[lane], arguments[lane], used);
        warp.worker->print(warp.worker->print_context, text.data(), text.size());
        counts[lane] = used;
    }
    write_lanes(warp.exec, warp.target<std::uint32_t>(op.dst), [&](unsigned i) { return counts[i]; });
}

OpFn bind_print(Binding&) { return &print; }

struct AssertOperands {
    machine::Operand message, file, line, function;
};

void fail_assertion(Warp& warp, const Op& op) {
    const auto& with = *static_cast<const AssertOperands*>(op.extra);
    const auto lane = static_cast<unsigned>(std::countr_zero(warp.exec));
    const std::string message = read_string(warp, op, lane, warp.source<std::uint64_t>(with.message)[lane]);
    const std::string file = read_string(warp, op, lane, warp.source<std::uint64_t>(with.file)[lane]);
    const std::string function = read_string(warp, op, lane, warp.source<std::uint64_t>(with.function)[lane]);
    const std::uint32_t line = warp.source<std::uint32_t>(with.line)[lane];
    machine::raise(warp, op, machine::FaultKind::kAssert, "", lane,
                   "assertion `" + message + "' failed in " + function + " at " + file + ":" + std::to_string(line));
}

OpFn bind_assert(Binding& binding) {
    const auto& operands = binding.operands;
    binding.op.extra =
        binding.keep(AssertOperands{operands[0].slot, operands[1].slot, operands[2].slot, operands[3].slot});
    return &fail_assertion;
}

void allocate(Warp& warp, const Op& op) {
    const auto* sizes = warp.source<std::uint64_t>(op.a);
    ++warp.worker->writes;
    alignas(64) std::uint64_t addresses[machine::kWarpSize] = {};
    for (std::uint32_t left = warp.exec; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        addresses[lane] = warp.worker->memory->heap().allocate(sizes[lane]);
    }
    if (warp.worker->audience.wants(machine::Event::kHeapBlock)) {
        machine::HeapBlock block;
        machine::fill(block, warp, op);
        block.addresses = addresses;
        block.bytes = sizes;
        warp.worker->audience.tell(block);
    }
    write_lanes(warp.exec, warp.target<std::uint64_t>(op.dst), [&](unsigned i) { return addresses[i]; });
}

OpFn bind_allocate(Binding&) { return &allocate; }

std::string why_not_freed(const machine::Memory& memory, std::uint64_t address) {
    using machine::PlaceKind;
    const machine::Place place = memory.classify(address);
    const bool is_heap = place.allocation && place.allocation->kind == machine::AllocationKind::kHeap;
    const bool is_in_one = is_heap && (place.kind == PlaceKind::kFreed || place.kind == PlaceKind::kAllocated);
    if (!is_in_one) return "free of an address that malloc in a kernel did not give";
    const std::string block = "a block of " + std::to_string(place.allocation->size) + " bytes that malloc gave";
    if (const std::uint64_t into = address - place.allocation->base; into != 0)
        return "free of an address " + std::to_string(into) + " bytes into " + block;
    return "second free of " + block;
}

// What an H100's heap (driver 580, November 2026) makes of it: it looks at what stands before the block. A block that
// was given back already ends the kernel; memory that holds anything else goes unnoticed.
Refusal refusal_of_free(const machine::Memory& memory, std::uint64_t address) {
    using machine::FaultKind;
    using machine::PlaceKind;
    constexpr std::uint64_t kHeader = 16, kAlignment = 8;
    Refusal refusal = FaultKind::kInvalidFree;
    refusal.on_card = FaultKind::kTrap;
    const machine::Place place = memory.classify(address);
    const bool is_heap = place.allocation && place.allocation->kind == machine::AllocationKind::kHeap;
    if (is_heap && place.kind == PlaceKind::kFreed && place.allocation->base == address) return refusal;
    if (address % kAlignment != 0) {
        refusal.on_card = FaultKind::kMisaligned;
        return refusal;
    }
    const bool is_shared = address - machine::kSharedWindow < machine::kWindowBytes;
    refusal.is_noticed = !is_heap && !is_shared && !memory.find(address - kHeader);
    refusal.on_card = FaultKind::kOutOfBounds;
    return refusal;
}

void release(Warp& warp, const Op& op) {
    const auto* addresses = warp.source<std::uint64_t>(op.a);
    ++warp.worker->writes;
    for (std::uint32_t left = warp.exec; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        if (addresses[lane] == 0 || warp.worker->memory->heap().release(addresses[lane])) continue;
        refuse(warp, op, refusal_of_free(*warp.worker->memory, addresses[lane]), machine::Space::kGlobal, lane, true,
               [&] { return why_not_freed(*warp.worker->memory, addresses[lane]); });
    }
}

OpFn bind_release(Binding&) { return &release; }

constexpr Row kRows[] = {
    {.syntax = "malloc",
     .operands = "=b64 b64",
     .kind = Class::kControl,
     .effect = effect::kAllocate,
     .bind = &bind_allocate,
     .note = "from a heap of 8 MB, or as cudaDeviceSetLimit says; null when there is no room"},
    {.syntax = "free", .operands = "b64", .kind = Class::kControl, .effect = effect::kAllocate, .bind = &bind_release},
    {.syntax = "vprintf",
     .operands = "=b32 b64 b64",
     .kind = Class::kControl,
     .effect = effect::kPrint,
     .bind = &bind_print,
     .note = "printf, lane by lane"},
    {.syntax = "__assertfail",
     .operands = "b64 b64 b32 b64 b64",
     .kind = Class::kControl,
     .bind = &bind_assert,
     .note = "assert: ends the kernel"},
};

}  // namespace

const Family& system_call_family() {
    static constexpr Family kFamily{"system_call", "system calls", kRows, std::size(kRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
