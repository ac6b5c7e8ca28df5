// Device variables, by the shadow that the host has of them.
#include <cstring>

#include "scope/report/format.h"
#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/cudart/per_thread.h"
#include "scope/runtime/service/memory/copies.h"
#include "scope/runtime/service/memory/spans.h"
#include "scope/runtime/service/modules/registry.h"
#include "scope/runtime/service/streams/issue.h"

namespace tilescope::runtime {
namespace {

enum class Way { kToSymbol, kFromSymbol };

// The variable's bytes that a copy means.
Status find_bytes(Runtime& runtime, Way way, const void* symbol, std::size_t bytes, std::size_t offset,
                  cudaMemcpyKind kind, std::uint64_t& address) {
    const cudaMemcpyKind across = way == Way::kToSymbol ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
    if (kind != across && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return because(Status::kInvalidDirection, way == Way::kToSymbol
                                                      ? "a copy to a variable goes from the host to the device"
                                                      : "a copy from a variable goes from the device to the host");
    ModuleVariable variable;
    if (const Status status = runtime.registry().find_variable(runtime, symbol, variable); status != Status::kOk)
        return status;
    if (offset > variable.size || bytes > variable.size - offset) {
        failure().hazard = HazardKind::kOutOfBounds;
        return because(Status::kInvalidValue, report::thousands(bytes) + " bytes from byte " +
                                                  report::thousands(offset) + " on pass the end of '" + variable.name +
                                                  "', which has " + report::thousands(variable.size));
    }
    address = variable.address + offset;
    return Status::kOk;
}

Status copy_symbol(Runtime& runtime, Way way, const void* symbol, void* other, std::size_t bytes, std::size_t offset,
                   cudaMemcpyKind kind, const machine::Issue& issue) {
    std::uint64_t address = 0;
    const Status status = find_bytes(runtime, way, symbol, bytes, offset, kind, address);
    if (status != Status::kOk || bytes == 0) return status;
    const auto lock = runtime.work();
    const machine::Memory& memory = runtime.session().memory();
    const bool reachable =
        kind == cudaMemcpyDeviceToDevice ? device_span(memory, other, bytes) : host_span(memory, other, bytes);
    if (!reachable)
        return refuse_span(memory, way == Way::kToSymbol ? "source" : "target", other, bytes,
                           kind == cudaMemcpyDeviceToDevice);
    const machine::Rows of_variable{address}, of_other{reinterpret_cast<std::uint64_t>(other)};
    runtime.session().observers().on_copy({.target = way == Way::kToSymbol ? of_variable : of_other,
                                           .source = way == Way::kToSymbol ? of_other : of_variable,
                                           .extent = {bytes},
                                           .kind = copy_kind(kind),
                                           .issue = issue});
    std::byte* const storage = memory.bytes(address);
    if (way == Way::kToSymbol) {
        std::memmove(storage, memory.bytes(other), bytes);
    } else {
        std::memmove(memory.bytes(other), storage, bytes);
    }
    runtime.session().observers().on_changed();
    return Status::kOk;
}

cudaError copy_symbol_now(Way way, const void* symbol, void* other, std::size_t bytes, std::size_t offset,
                          cudaMemcpyKind kind, const char* name = __builtin_FUNCTION(),
                          const void* from = __builtin_return_address(0)) {
    return on_device(
        [&](Runtime& runtime) {
            return at_once(runtime, [&](const machine::Issue& issue) {
                return copy_symbol(runtime, way, symbol, other, bytes, offset, kind, issue);
            });
        },
        name, from);
}

cudaError copy_symbol_async(Way way, const void* symbol, void* other, std::size_t bytes, std::size_t offset,
                            cudaMemcpyKind kind, void* stream, const char* name = __builtin_FUNCTION(),
                            const void* from = __builtin_return_address(0)) {
    return on_device(
        [&](Runtime& runtime) {
            return on_stream(
                runtime, stream,
                [&](const machine::Issue& issue) {
                    return copy_symbol(runtime, way, symbol, other, bytes, offset, kind, issue);
                },
                [&](Work& work) {
                    abi::Memcpy3D copy{};
                    const Status status =
                        volume_of_symbol(runtime, way == Way::kToSymbol, symbol, other, bytes, offset, kind, copy);
                    if (bytes != 0) work = copy;
                    return status;
                });
        },
        name, from);
}

}  // namespace

Status volume_of_symbol(Runtime& runtime, bool to_symbol, const void* symbol, void* other, std::size_t bytes,
                        std::size_t offset, cudaMemcpyKind kind, abi::Memcpy3D& out) {
    std::uint64_t address = 0;
    const Status status =
        find_bytes(runtime, to_symbol ? Way::kToSymbol : Way::kFromSymbol, symbol, bytes, offset, kind, address);
    if (status != Status::kOk) return status;
    void* const variable = reinterpret_cast<void*>(address);
    out = to_symbol ? volume_of(variable, other, bytes, kind) : volume_of(other, variable, bytes, kind);
    return check_volume(runtime, out);
}

TILESCOPE_API cudaError cudaMemcpyToSymbol(const void* symbol, const void* source, std::size_t bytes,
                                           std::size_t offset, cudaMemcpyKind kind) {
    return copy_symbol_now(Way::kToSymbol, symbol, const_cast<void*>(source), bytes, offset, kind);
}

TILESCOPE_API cudaError cudaMemcpyFromSymbol(void* target, const void* symbol, std::size_t bytes, std::size_t offset,
                                             cudaMemcpyKind kind) {
    return copy_symbol_now(Way::kFromSymbol, symbol, target, bytes, offset, kind);
}

TILESCOPE_API cudaError cudaMemcpyToSymbolAsync(const void* symbol, const void* source, std::size_t bytes,
                                                std::size_t offset, cudaMemcpyKind kind, void* stream) {
    return copy_symbol_async(Way::kToSymbol, symbol, const_cast<void*>(source), bytes, offset, kind, stream);
}

TILESCOPE_API cudaError cudaMemcpyFromSymbolAsync(void* target, const void* symbol, std::size_t bytes,
                                                  std::size_t offset, cudaMemcpyKind kind, void* stream) {
    return copy_symbol_async(Way::kFromSymbol, symbol, target, bytes, offset, kind, stream);
}

TILESCOPE_API cudaError cudaGetSymbolAddress(void** address, const void* symbol) {
    return on_device([&](Runtime& runtime) -> Status {
        ModuleVariable variable;
        if (address == nullptr) return Status::kInvalidValue;
        if (const Status status = runtime.registry().find_variable(runtime, symbol, variable); status != Status::kOk)
            return status;
        *address = reinterpret_cast<void*>(variable.address);
        return Status::kOk;
    });
}

TILESCOPE_API cudaError cudaGetSymbolSize(std::size_t* size, const void* symbol) {
    return on_device([&](Runtime& runtime) -> Status {
        ModuleVariable variable;
        if (size == nullptr) return Status::kInvalidValue;
        if (const Status status = runtime.registry().find_variable(runtime, symbol, variable); status != Status::kOk)
            return status;
        *size = variable.size;
        return Status::kOk;
    });
}

TILESCOPE_PER_THREAD(cudaMemcpyToSymbol_ptds, cudaMemcpyToSymbol);
TILESCOPE_PER_THREAD(cudaMemcpyFromSymbol_ptds, cudaMemcpyFromSymbol);
TILESCOPE_PER_THREAD(cudaMemcpyToSymbolAsync_ptsz, cudaMemcpyToSymbolAsync);
TILESCOPE_PER_THREAD(cudaMemcpyFromSymbolAsync_ptsz, cudaMemcpyFromSymbolAsync);

}  // namespace tilescope::runtime
