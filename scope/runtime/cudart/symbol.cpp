// Device variables, by the shadow that the host has of them.
#include "scope/runtime/cudart/convert.h"
#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/cudart/per_thread.h"
#include "scope/runtime/service/memory/variables.h"

namespace tilescope::runtime {
TILESCOPE_API cudaError cudaMemcpyToSymbol(const void* symbol, const void* source, std::size_t bytes,
                                           std::size_t offset, cudaMemcpyKind kind) {
    return on_device(
        [&](Runtime& runtime) { return copy_variable(runtime, to_symbol(symbol, source, bytes, offset, kind)); });
}

TILESCOPE_API cudaError cudaMemcpyFromSymbol(void* target, const void* symbol, std::size_t bytes, std::size_t offset,
                                             cudaMemcpyKind kind) {
    return on_device(
        [&](Runtime& runtime) { return copy_variable(runtime, from_symbol(target, symbol, bytes, offset, kind)); });
}

TILESCOPE_API cudaError cudaMemcpyToSymbolAsync(const void* symbol, const void* source, std::size_t bytes,
                                                std::size_t offset, cudaMemcpyKind kind, void* stream) {
    return on_device([&](Runtime& runtime) {
        return copy_variable(runtime, to_symbol(symbol, source, bytes, offset, kind), stream);
    });
}

TILESCOPE_API cudaError cudaMemcpyFromSymbolAsync(void* target, const void* symbol, std::size_t bytes,
                                                  std::size_t offset, cudaMemcpyKind kind, void* stream) {
    return on_device([&](Runtime& runtime) {
        return copy_variable(runtime, from_symbol(target, symbol, bytes, offset, kind), stream);
    });
}

TILESCOPE_API cudaError cudaGetSymbolAddress(void** address, const void* symbol) {
    return on_device([&](Runtime& runtime) {
        ModuleVariable variable;
        if (address == nullptr) return Status::kInvalidValue;
        if (const Status status = runtime.modules().find(runtime, variable_at(symbol), variable); status != Status::kOk)
            return status;
        *address = reinterpret_cast<void*>(variable.address);
        return Status::kOk;
    });
}

TILESCOPE_API cudaError cudaGetSymbolSize(std::size_t* size, const void* symbol) {
    return on_device([&](Runtime& runtime) {
        ModuleVariable variable;
        if (size == nullptr) return Status::kInvalidValue;
        if (const Status status = runtime.modules().find(runtime, variable_at(symbol), variable); status != Status::kOk)
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
