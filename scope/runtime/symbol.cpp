// Device variables, by the shadow that the host has of them.
#include <cstring>

#include "scope/runtime/guard.h"
#include "scope/runtime/handles.h"
#include "scope/runtime/registry.h"
#include "scope/runtime/spans.h"

namespace tilescope::runtime {
namespace {

enum class Way { kToSymbol, kFromSymbol };

cudaError copy_symbol(Runtime& runtime, Way way, const void* symbol, void* other, std::size_t bytes, std::size_t offset,
                      cudaMemcpyKind kind) {
    const cudaMemcpyKind across = way == Way::kToSymbol ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
    if (kind != across && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    ModuleVariable variable;
    if (const cudaError error = runtime.registry().find_variable(runtime, symbol, variable); error != cudaSuccess)
        return error;
    if (offset > variable.size || bytes > variable.size - offset) return cudaErrorInvalidValue;
    if (bytes == 0) return cudaSuccess;
    void* const storage = reinterpret_cast<void*>(variable.address + offset);
    const auto lock = runtime.work();
    const machine::Memory& memory = runtime.session().memory();
    const bool reachable =
        kind == cudaMemcpyDeviceToDevice ? device_span(memory, other, bytes) : host_span(memory, other, bytes);
    if (!reachable) return cudaErrorInvalidValue;
    if (way == Way::kToSymbol) {
        std::memmove(storage, other, bytes);
    } else {
        std::memmove(other, storage, bytes);
    }
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
        if (!runtime.handles().is_stream(stream)) return cudaErrorInvalidResourceHandle;
        return copy_symbol(runtime, Way::kToSymbol, symbol, const_cast<void*>(source), bytes, offset, kind);
    });
}

TILESCOPE_API cudaError cudaMemcpyFromSymbolAsync(void* target, const void* symbol, std::size_t bytes,
                                                  std::size_t offset, cudaMemcpyKind kind, void* stream) {
    return on_device([&](Runtime& runtime) {
        if (!runtime.handles().is_stream(stream)) return cudaErrorInvalidResourceHandle;
        return copy_symbol(runtime, Way::kFromSymbol, symbol, target, bytes, offset, kind);
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

TILESCOPE_ALIAS(cudaMemcpyToSymbol_ptds, cudaMemcpyToSymbol);
TILESCOPE_ALIAS(cudaMemcpyFromSymbol_ptds, cudaMemcpyFromSymbol);
TILESCOPE_ALIAS(cudaMemcpyToSymbolAsync_ptsz, cudaMemcpyToSymbolAsync);
TILESCOPE_ALIAS(cudaMemcpyFromSymbolAsync_ptsz, cudaMemcpyFromSymbolAsync);

}  // namespace tilescope::runtime
