// The entry points that compiled programs call before main, and after it.
#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/cudart/registration.h"

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

// shadow: as Registration::add_variable() takes it.
void add_variable(void** handle, const void* shadow, const char* name, Variable variable) {
    quietly([&](Runtime& runtime) {
        if (name == nullptr) return;
        variable.name = name;
        Variable* const added = runtime.modules().add_variable(module_of(handle), std::move(variable));
        if (added != nullptr) Registration::get().add_variable(added, shadow);
    });
}

}  // namespace

TILESCOPE_API void** __cudaRegisterFatBinary(void* wrapper) {
    Module* module = nullptr;
    quietly([&](Runtime& runtime) { module = runtime.modules().add(wrapper); });
    return reinterpret_cast<void**>(module);
}

// A module whose managed variables are the host's own is loaded here, before the program can write them: that is what
// gives them their initial values.
TILESCOPE_API void __cudaRegisterFatBinaryEnd(void** handle) {
    if (!Runtime::get().modules().shares_memory(module_of(handle))) return;
    on_device([&](Runtime& runtime) { return runtime.modules().load(runtime, module_of(handle)); });
}

TILESCOPE_API void __cudaUnregisterFatBinary(void** handle) {
    quietly([&](Runtime& runtime) {
        Registration::get().remove(module_of(handle));
        runtime.modules().remove(runtime, module_of(handle));
    });
}

TILESCOPE_API void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, void*, void*,
                                          void*, void*, int*) {
    quietly([&](Runtime& runtime) {
        Function* const added = runtime.modules().add_function(module_of(handle), name);
        if (added != nullptr) Registration::get().add_function(added, host);
    });
}

TILESCOPE_API void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, std::size_t, int, int) {
    add_variable(handle, host, name, {});
}

TILESCOPE_API void __cudaRegisterManagedVar(void** handle, void** slot, char*, const char* name, int, std::size_t, int,
                                            int) {
    add_variable(handle, slot, name, {.managed_slot = slot});
}

// A managed variable of a program that clang compiled: the host's variable is the memory (image/managed_variables.h).
TILESCOPE_API void __cudaTilescopeRegisterManaged(void** handle, char* host, char*, const char* name, int,
                                                  std::size_t size, int, int) {
    add_variable(handle, host, name, {.storage = host, .storage_bytes = size});
}

// Called when host code first touches a managed variable of the module. 1: its address is in place.
TILESCOPE_API char __cudaInitModule(void** handle) {
    return on_device([&](Runtime& runtime) { return runtime.modules().load(runtime, module_of(handle)); }) ==
           cudaSuccess;
}

}  // namespace tilescope::runtime
