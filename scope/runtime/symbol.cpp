// Device variables, by the shadow that the host has of them.
#include <cstring>

#include "scope/report/format.h"
#include "scope/runtime/guard.h"
#include "scope/runtime/issue.h"
#include "scope/runtime/per_thread.h"
#include "scope/runtime/registry.h"
#include "scope/runtime/spans.h"

namespace tilescope::runtime {
namespace {

enum class Way { kToSymbol, kFromSymbol };

cudaError copy_symbol(Runtime& runtime, Way way, const void* symbol, void* other, std::size_t bytes, std::size_t offset,
                      cudaMemcpyKind kind, const machine::Issue& issue = at_once()) {
    const cudaMemcpyKind across = way == Way::kToSymbol ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
    if (kind != across && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return because(cudaErrorInvalidMemcpyDirection,
                       way == Way::kToSymbol ? "a copy to a variable goes from the host to the device"
                                             : "a copy from a variable goes from the device to the host");
    ModuleVariable variable;
    if (const cudaError error = runtime.registry().find_variable(runtime, symbol, variable); error != cudaSuccess)
        return error;
    if (offset > variable.size || bytes > variable.size - offset) {
        failure().hazard = HazardKind::kOutOfBounds;
        return because(cudaErrorInvalidValue, report::thousands(bytes) + " bytes from byte " +
                                                  report::thousands(offset) + " on pass the end of '" + variable.name +
                                                  "', which has " + report::thousands(variable.size));
    }
    if (bytes == 0) return cudaSuccess;
    const auto lock = runtime.work();
    const machine::Memory& memory = runtime.session().memory();
    const bool reachable =
        kind == cudaMemcpyDeviceToDevice ? device_span(memory, other, bytes) : host_span(memory, other, bytes);
    if (!reachable)
        return refuse_span(memory, way == Way::kToSymbol ? "source" : "target", other, bytes,
                           kind == cudaMemcpyDeviceToDevice);
    const machine::Rows of_variable{variable.address + offset}, of_other{reinterpret_cast<std::uint64_t>(other)};
    runtime.session().observers().on_copy({.target = way == Way::kToSymbol ? of_variable : of_other,
                                           .source = way == Way::kToSymbol ? of_other : of_variable,
                                           .extent = {bytes},
                                           .kind = copy_kind(kind),
                                           .issue = issue});
    std::byte* const storage = memory.bytes(variable.address + offset);
    if (way == Way::kToSymbol) {
        std::memmove(storage, memory.bytes(other), bytes);
    } else {
        std::memmove(memory.bytes(other), storage, bytes);
    }
    runtime.session().observers().on_changed();
    return cudaSuccess;
}

}  // namespace

TILESCOPE_API cudaError cudaMemcpyToSymbol(const void* symbol, const void* source, std::size_t bytes,
                                           std::size_t offset, cudaMemcpyKind kind) {
    return on_device([&](Runtime& runtime) {
        return copy_symbol(runtime, Way::kToSymbol, symbol, const_cast<void*>(source), bytes, offset, kind);
    });
}

TILESCOPE_API cudaError cudaMemcpyFromSymbol(void* target, const void* symbol, std::size_t bytes, std::size_t offset,
                                             cudaMemcpyKind kind) {
    return on_device(
        [&](Runtime& runtime) { return copy_symbol(runtime, Way::kFromSymbol, symbol, target, bytes, offset, kind); });
}

TILESCOPE_API cudaError cudaMemcpyToSymbolAsync(const void* symbol, const void* source, std::size_t bytes,
                                                std::size_t offset, cudaMemcpyKind kind, void* stream) {
    return on_device([&](Runtime& runtime) {
        const auto issue = issue_on(runtime, stream);
        if (!issue) return cudaErrorInvalidResourceHandle;
        return copy_symbol(runtime, Way::kToSymbol, symbol, const_cast<void*>(source), bytes, offset, kind, *issue);
    });
}

TILESCOPE_API cudaError cudaMemcpyFromSymbolAsync(void* target, const void* symbol, std::size_t bytes,
                                                  std::size_t offset, cudaMemcpyKind kind, void* stream) {
    return on_device([&](Runtime& runtime) {
        const auto issue = issue_on(runtime, stream);
        if (!issue) return cudaErrorInvalidResourceHandle;
        return copy_symbol(runtime, Way::kFromSymbol, symbol, target, bytes, offset, kind, *issue);
    });
}

TILESCOPE_API cudaError cudaGetSymbolAddress(void** address, const void* symbol) {
    return on_device([&](Runtime& runtime) -> cudaError {
        ModuleVariable variable;
        if (address == nullptr) return cudaErrorInvalidValue;
        if (const cudaError error = runtime.registry().find_variable(runtime, symbol, variable); error != cudaSuccess)
            return error;
        *address = reinterpret_cast<void*>(variable.address);
        return cudaSuccess;
    });
}

TILESCOPE_API cudaError cudaGetSymbolSize(std::size_t* size, const void* symbol) {
    return on_device([&](Runtime& runtime) -> cudaError {
        ModuleVariable variable;
        if (size == nullptr) return cudaErrorInvalidValue;
        if (const cudaError error = runtime.registry().find_variable(runtime, symbol, variable); error != cudaSuccess)
            return error;
        *size = variable.size;
        return cudaSuccess;
    });
}

TILESCOPE_PER_THREAD(cudaMemcpyToSymbol_ptds, cudaMemcpyToSymbol);
TILESCOPE_PER_THREAD(cudaMemcpyFromSymbol_ptds, cudaMemcpyFromSymbol);
TILESCOPE_PER_THREAD(cudaMemcpyToSymbolAsync_ptsz, cudaMemcpyToSymbolAsync);
TILESCOPE_PER_THREAD(cudaMemcpyFromSymbolAsync_ptsz, cudaMemcpyFromSymbolAsync);

}  // namespace tilescope::runtime
