#include "scope/runtime/service/memory/allocate.h"

#include <algorithm>
#include <string>

#include "scope/machine/describe.h"
#include "scope/report/format.h"
#include "scope/runtime/service/capture/capture.h"
#include "scope/runtime/service/memory/advice_book.h"
#include "scope/runtime/service/memory/memory_book.h"
#include "scope/runtime/service/memory/pool.h"
#include "scope/runtime/service/watch/host_hazards.h"

namespace tilescope::runtime {
namespace {

using machine::AllocationKind;

constexpr std::size_t kPitch = 512;  // what an H200 rounds rows to (CUDA 13.0)

// What is wrong with a pointer that is to be freed.
std::string why_not_freed(Runtime& runtime, const std::optional<machine::Allocation>& allocation, const void* base) {
    if (allocation && allocation->base != reinterpret_cast<std::uint64_t>(base))
        return "the pointer is inside an allocation, not at its start";
    if (allocation) return "the memory was allocated in another way than by cudaMalloc";
    if (is_checked(runtime, Check::kMemory)) {
        const machine::Place place = runtime.session().memory().classify(reinterpret_cast<std::uint64_t>(base));
        if (place.kind == machine::PlaceKind::kHost)
            return "it is the host program's own memory, which CUDA never gave";
        if (place.kind == machine::PlaceKind::kFreed) {
            const std::string made = machine::origin_text(origin(runtime, place.allocation->id));
            return "it was freed before: " + report::thousands(place.allocation->size) + " bytes" +
                   (made.empty() ? made : ", " + made);
        }
    }
    return "nothing is allocated there: it was freed before, or never allocated";
}

}  // namespace

Status allocate(Runtime& runtime, std::size_t bytes, AllocationKind kind, void*& base, const machine::Issue& issue) {
    base = nullptr;
    if (bytes == 0) return Status::kOk;
    machine::Memory& memory = runtime.session().memory();
    base = memory.allocate(bytes, kind, issue);
    if (base != nullptr) {
        if (const auto made = memory.find(reinterpret_cast<std::uint64_t>(base)))
            runtime.memory_book().note_site(made->id, CallSite::here());
        return Status::kOk;
    }
    if (const machine::MemoryBudget& budget = memory.budget(); !budget.fits(bytes)) {
        runtime.session().set_outcome(Outcome::kLimit);
        runtime.tell({error(kMemoryLimitCode, {}, budget.refusal(bytes, "an allocation"), kMemoryLimitHint)});
    }
    return because(Status::kOutOfMemory, report::thousands(bytes) + " bytes asked for beside " +
                                             report::thousands(runtime.session().memory().in_use()) + " in use; the " +
                                             runtime.session().device().name + " has " +
                                             report::thousands(runtime.session().memory().capacity()));
}

Status release(Runtime& runtime, void* base, bool (*accepts)(AllocationKind), const machine::Issue& issue) {
    if (base == nullptr) return Status::kOk;
    const auto lock = runtime.work();
    machine::Memory& memory = runtime.session().memory();
    const auto allocation = memory.find(reinterpret_cast<std::uint64_t>(base));
    if (!allocation || allocation->base != reinterpret_cast<std::uint64_t>(base) || !accepts(allocation->kind)) {
        failure().hazard = HazardKind::kInvalidFree;
        return because(Status::kInvalidValue, why_not_freed(runtime, allocation, base));
    }
    runtime.memory_book().note_freed(allocation->id, CallSite::here());
    return memory.release(base, issue) ? Status::kOk : Status::kInvalidValue;
}

Status allocate_device(Runtime& runtime, std::size_t bytes, void*& base) {
    if (const Status status = runtime.captures().forbid_unsafe(); status != Status::kOk) return status;
    return allocate(runtime, bytes, AllocationKind::kDevice, base);
}

Status allocate_managed(Runtime& runtime, std::size_t bytes, void*& base) {
    if (const Status status = runtime.captures().forbid_unsafe(); status != Status::kOk) return status;
    return allocate(runtime, bytes, AllocationKind::kManaged, base);
}

Status allocate_rows(Runtime& runtime, std::size_t width, std::size_t rows, void*& base, std::size_t& pitch) {
    std::size_t padded = 0;
    std::size_t bytes = 0;
    if (__builtin_add_overflow(width, kPitch - 1, &padded)) return Status::kInvalidValue;
    pitch = padded / kPitch * kPitch;
    if (const Status status = runtime.captures().forbid_unsafe(); status != Status::kOk) return status;
    if (__builtin_mul_overflow(pitch, rows, &bytes)) return Status::kInvalidValue;
    return allocate(runtime, bytes, AllocationKind::kDevice, base);
}

Status release_device(Runtime& runtime, void* base) {
    if (const Status status = runtime.captures().forbid_unsafe(); status != Status::kOk) return status;
    const auto going = runtime.session().memory().find(reinterpret_cast<std::uint64_t>(base));
    const Status status = release(runtime, base, [](AllocationKind kind) {
        return kind == AllocationKind::kDevice || kind == AllocationKind::kManaged;
    });
    if (status != Status::kOk || !going) return status;
    if (going->kind == AllocationKind::kManaged)
        AdviceBook::get().forget(going->base, going->size);
    else
        Pool::note_taken_back(base);
    return status;
}

MemoryLeft memory_left(Runtime& runtime) {
    const machine::Memory& memory = runtime.session().memory();
    const machine::MemoryBudget& budget = memory.budget();
    const std::uint64_t total = memory.capacity();
    // What a context takes of an H200 (driver 580.159); no more than a share of a small memory.
    constexpr std::uint64_t kContextBytes = 552'402'944, kLeastShare = 16;
    const std::uint64_t used = memory.in_use() + std::min(kContextBytes, total / kLeastShare);
    std::uint64_t free = used < total ? total - used : 0;
    if (budget.limit() != 0) free = std::min(free, budget.limit() - std::min(budget.limit(), budget.used()));
    return {free, total};
}

MemoryType type_of_memory(Runtime& runtime, const void* pointer) {
    const auto allocation = runtime.session().memory().find(reinterpret_cast<std::uint64_t>(pointer));
    if (!allocation) return MemoryType::kUnknown;
    switch (allocation->kind) {
        case AllocationKind::kDevice:
        case AllocationKind::kHeap:
        case AllocationKind::kArray:
        case AllocationKind::kMapped:
        case AllocationKind::kModule:
        case AllocationKind::kConstant: break;
        case AllocationKind::kManaged: return MemoryType::kManaged;
        case AllocationKind::kPinned:
        case AllocationKind::kRegistered: return MemoryType::kHost;
    }
    return MemoryType::kDevice;
}

}  // namespace tilescope::runtime
