// The entry points that compiled programs call before main, and after it.
#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/service/modules/registry.h"

namespace tilescope::runtime {
namespace {

// Registration gives no error back: what is wrong with a fat binary surfaces when something in it is used.
template <class Body>
void quietly(Body&& body) noexcept {
    call([&] {
        body(Runtime::get());
        return Status::kOk;
    });
}

Module* module_of(void** handle) { return reinterpret_cast<Module*>(handle); }

}  // namespace

TILESCOPE_API void** __cudaRegisterFatBinary(void* wrapper) {
    Module* module = nullptr;
    quietly([&](Runtime& runtime) { module = runtime.registry().add_module(wrapper); });
    return reinterpret_cast<void**>(module);
}

// A module whose managed variables are the host's own is loaded here, before the program can write them: that is what
// gives them their initial values.
TILESCOPE_API void __cudaRegisterFatBinaryEnd(void** handle) {
    if (!Runtime::get().registry().shares_memory(module_of(handle))) return;
    on_device([&](Runtime& runtime) { return runtime.registry().load(runtime, module_of(handle)); });
}

TILESCOPE_API void __cudaUnregisterFatBinary(void** handle) {
    quietly([&](Runtime& runtime) { runtime.registry().remove_module(runtime, module_of(handle)); });
}

TILESCOPE_API void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, void*, void*,
                                          void*, void*, int*) {
    quietly([&](Runtime& runtime) { runtime.registry().add_function(module_of(handle), host, name); });
}

TILESCOPE_API void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, std::size_t, int, int) {
    quietly([&](Runtime& runtime) { runtime.registry().add_variable(module_of(handle), host, nullptr, name); });
}

TILESCOPE_API void __cudaRegisterManagedVar(void** handle, void** slot, char*, const char* name, int, std::size_t, int,
                                            int) {
    quietly([&](Runtime& runtime) { runtime.registry().add_variable(module_of(handle), nullptr, slot, name); });
}

// A managed variable of a program that clang compiled: the host's variable is the memory (image/managed_variables.h).
TILESCOPE_API void __cudaTilescopeRegisterManaged(void** handle, char* host, char*, const char* name, int,
                                                  std::size_t size, int, int) {
    quietly([&](Runtime& runtime) { runtime.registry().add_variable(module_of(handle), host, nullptr, name, size); });
}

// Called when host code first touches a managed variable of the module. 1: its address is in place.
TILESCOPE_API char __cudaInitModule(void** handle) {
    return on_device([&](Runtime& runtime) { return runtime.registry().load(runtime, module_of(handle)); }) ==
           cudaSuccess;
}

}  // namespace tilescope::runtime
