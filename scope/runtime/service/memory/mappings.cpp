#include "scope/runtime/service/memory/mappings.h"

#include <bit>

#include "scope/report/format.h"
#include "scope/runtime/service/capture/capture.h"

namespace tilescope::runtime {
namespace {

using machine::VirtualMemory;

VirtualMemory& virtual_memory(Runtime& runtime) { return runtime.session().memory().virtual_memory(); }

Status check_size(std::size_t bytes) {
    if (bytes != 0 && bytes % VirtualMemory::kGrain == 0) return Status::kOk;
    return because(Status::kInvalidValue, report::thousands(bytes) + " bytes are no multiple of the granularity, " +
                                              report::thousands(VirtualMemory::kGrain) +
                                              " (cuMemGetAllocationGranularity)");
}

}  // namespace

Status reserve_addresses(Runtime& runtime, std::size_t bytes, std::size_t alignment, std::uint64_t wanted,
                         std::uint64_t& base) {
    if (const Status status = check_size(bytes); status != Status::kOk) return status;
    if (alignment != 0 && !std::has_single_bit(alignment))
        return because(Status::kInvalidValue, "the alignment is no power of two");
    const auto lock = runtime.work();
    const std::uint64_t found = virtual_memory(runtime).reserve(bytes, alignment, wanted);
    if (found == 0) return because(Status::kOutOfMemory, "there are no " + report::thousands(bytes) + " addresses");
    base = found;
    return Status::kOk;
}

Status free_addresses(Runtime& runtime, std::uint64_t base, std::size_t bytes) {
    const auto lock = runtime.work();
    return virtual_memory(runtime).free_addresses(base, bytes)
               ? Status::kOk
               : because(Status::kInvalidValue, "that is no whole range that is reserved, or memory is mapped there");
}

Status make_physical(Runtime& runtime, std::size_t bytes, std::uint64_t& handle) {
    if (const Status status = check_size(bytes); status != Status::kOk) return status;
    const auto lock = runtime.work();
    machine::Memory& memory = runtime.session().memory();
    const std::uint64_t made = memory.virtual_memory().create(bytes);
    if (made != 0) {
        handle = made;
        return Status::kOk;
    }
    if (const machine::MemoryBudget& budget = memory.budget(); !budget.fits(bytes)) {
        runtime.session().set_outcome(Outcome::kLimit);
        runtime.tell({error(kMemoryLimitCode, {}, budget.refusal(bytes, "physical memory"), kMemoryLimitHint)});
    }
    return because(Status::kOutOfMemory, report::thousands(bytes) + " bytes asked for beside " +
                                             report::thousands(memory.in_use()) + " in use");
}

Status release_physical(Runtime& runtime, std::uint64_t handle) {
    const auto lock = runtime.work();
    return virtual_memory(runtime).release(handle)
               ? Status::kOk
               : because(Status::kInvalidValue, "nobody holds this memory: it was released before, or never made");
}

Status physical_at(Runtime& runtime, std::uint64_t address, std::uint64_t& handle) {
    const auto lock = runtime.work();
    const std::uint64_t found = virtual_memory(runtime).hold_at(address);
    if (found == 0) return because(Status::kInvalidValue, "no physical memory is mapped there");
    handle = found;
    return Status::kOk;
}

Status map_memory(Runtime& runtime, std::uint64_t at, std::size_t bytes, std::size_t offset, std::uint64_t handle) {
    const auto lock = runtime.work();
    VirtualMemory& all = virtual_memory(runtime);
    const auto size = all.size_of(handle);
    const auto range = all.reserved_around(at);
    if (bytes == 0) return because(Status::kInvalidValue, "there is nothing to map");
    if (!size) return because(Status::kInvalidValue, "nobody holds this memory: it was released, or never made");
    if (!range || bytes > range->size - (at - range->base))
        return because(Status::kInvalidValue, "not all of these addresses are reserved");
    if (bytes != *size || offset != 0)
        return because(Status::kNotSupported, "a piece of physical memory is mapped as a whole: it has " +
                                                  report::thousands(*size) + " bytes");
    return all.map(at, handle) ? Status::kOk
                               : because(Status::kInvalidValue,
                                         "memory is mapped there already, or the address is no multiple of 2 MiB");
}

Status unmap_memory(Runtime& runtime, std::uint64_t at, std::size_t bytes) {
    const auto lock = runtime.work();
    if (bytes == 0) return because(Status::kInvalidValue, "there is nothing to unmap");
    return virtual_memory(runtime).unmap(at, bytes)
               ? Status::kOk
               : because(Status::kInvalidValue, "these addresses are not reserved, or a mapping lies there in part");
}

Status allow_access(Runtime& runtime, std::uint64_t at, std::size_t bytes, MappedAccess access) {
    const auto lock = runtime.work();
    if (bytes == 0) return because(Status::kInvalidValue, "there is nothing to give access to");
    return virtual_memory(runtime).allow(at, bytes, access)
               ? Status::kOk
               : because(Status::kInvalidValue, "not all of it is mapped, or a mapping lies there in part");
}

}  // namespace tilescope::runtime
