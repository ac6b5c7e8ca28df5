// Modules and libraries: code that the program hands over, and its kernels and variables by name.
//
// Both are modules here (service/modules), and a kernel of a library is a function: one device has one of each.
#include <algorithm>
#include <cstring>

#include "scope/runtime/cuda/guard.h"
#include "scope/runtime/cuda/jit_options.h"
#include "scope/runtime/service/modules/handed_code.h"
#include "scope/runtime/service/modules/modules.h"

namespace tilescope::runtime::driver {
namespace {

constexpr int kLibraryOptionCount = 2;

bool are_library_options(const int* names, void** values, unsigned count) {
    if (count == 0) return true;
    return names != nullptr && values != nullptr &&
           std::all_of(names, names + count, [](int name) { return name >= 0 && name < kLibraryOptionCount; });
}

Code load_data(void** out, const void* code, const JitOptions& options, const char* name = __builtin_FUNCTION(),
               const void* from = __builtin_return_address(0)) {
    return on_context(
        [&](Runtime& runtime) -> Status {
            if (out == nullptr || code == nullptr || !options.is_valid()) return Status::kInvalidValue;
            Module* made = nullptr;
            const Status status =
                load_handed_code(runtime, code, std::nullopt, "code of " + Runtime::program_name(), made);
            if (status == Status::kOk) *out = made;
            options.write(kInfoBuffer, kInfoBytes, "");
            options.write(kErrorBuffer, kErrorBytes, status == Status::kOk ? std::string() : failure().reason);
            return status;
        },
        name, from);
}

Code load_file(void** out, const char* path, const JitOptions& options, const char* name = __builtin_FUNCTION(),
               const void* from = __builtin_return_address(0)) {
    return on_context(
        [&](Runtime& runtime) -> Status {
            if (out == nullptr || path == nullptr || !options.is_valid()) return Status::kInvalidValue;
            Module* made = nullptr;
            const Status status = load_code_file(runtime, path, made);
            if (status == Status::kFileNotFound) return status;
            if (status == Status::kOk) *out = made;
            options.write(kInfoBuffer, kInfoBytes, "");
            options.write(kErrorBuffer, kErrorBytes, status == Status::kOk ? std::string() : failure().reason);
            return status;
        },
        name, from);
}

Code unload(void* module, const char* name = __builtin_FUNCTION(), const void* from = __builtin_return_address(0)) {
    return on_context(
        [&](Runtime& runtime) -> Status {
            auto* const known = static_cast<Module*>(module);
            if (!runtime.modules().is_module(known))
                return because(Status::kInvalidHandle, "the module was never loaded, or is unloaded already");
            runtime.modules().remove(runtime, known);
            return Status::kOk;
        },
        name, from);
}

Code give_function(void** out, void* module, const char* entry, const char* name = __builtin_FUNCTION(),
                   const void* from = __builtin_return_address(0)) {
    return on_context(
        [&](Runtime& runtime) -> Status {
            if (out == nullptr || entry == nullptr) return Status::kInvalidValue;
            Function* function = nullptr;
            const Status status = runtime.modules().find_in(runtime, static_cast<Module*>(module), entry, function);
            if (status == Status::kOk) *out = function;
            return status;
        },
        name, from);
}

Code give_variable(Address* address, std::size_t* bytes, void* module, const char* variable, bool only_managed,
                   const char* name = __builtin_FUNCTION(), const void* from = __builtin_return_address(0)) {
    return on_context(
        [&](Runtime& runtime) -> Status {
            if (variable == nullptr || (address == nullptr && bytes == nullptr)) return Status::kInvalidValue;
            ModuleVariable found;
            const Status status = runtime.modules().find_in(runtime, static_cast<Module*>(module), variable, found);
            if (status != Status::kOk) return status;
            if (only_managed && !found.is_managed)
                return because(Status::kNotFound, "the variable of that name is not managed");
            if (address != nullptr) *address = found.address;
            if (bytes != nullptr) *bytes = found.size;
            return Status::kOk;
        },
        name, from);
}

Code count_functions(unsigned* count, void* module, const char* name = __builtin_FUNCTION(),
                     const void* from = __builtin_return_address(0)) {
    return on_context(
        [&](Runtime& runtime) -> Status {
            std::vector<std::string> names;
            if (count == nullptr) return Status::kInvalidValue;
            const Status status = runtime.modules().names_of_kernels(runtime, static_cast<Module*>(module), names);
            *count = static_cast<unsigned>(names.size());
            return status;
        },
        name, from);
}

Code list_functions(void** out, unsigned count, void* module, const char* name = __builtin_FUNCTION(),
                    const void* from = __builtin_return_address(0)) {
    return on_context(
        [&](Runtime& runtime) -> Status {
            auto* const known = static_cast<Module*>(module);
            std::vector<std::string> names;
            if (out == nullptr || count == 0) return Status::kInvalidValue;
            if (const Status status = runtime.modules().names_of_kernels(runtime, known, names); status != Status::kOk)
                return status;
            for (std::size_t i = 0; i < std::min<std::size_t>(count, names.size()); ++i) {
                Function* function = nullptr;
                const Status status = runtime.modules().find_in(runtime, known, names[i].c_str(), function);
                if (status != Status::kOk) return status;
                out[i] = function;
            }
            return Status::kOk;
        },
        name, from);
}

}  // namespace

TILESCOPE_DRIVER Code cuModuleLoad(void** module, const char* path) { return load_file(module, path, {}); }
TILESCOPE_DRIVER Code cuModuleLoadData(void** module, const void* code) { return load_data(module, code, {}); }
TILESCOPE_DRIVER Code cuModuleLoadDataEx(void** module, const void* code, unsigned count, const int* names,
                                         void** values) {
    return load_data(module, code, {count, names, values});
}
TILESCOPE_DRIVER Code cuModuleLoadFatBinary(void** module, const void* code) { return load_data(module, code, {}); }
TILESCOPE_DRIVER Code cuModuleUnload(void* module) { return unload(module); }
TILESCOPE_DRIVER Code cuModuleGetFunction(void** function, void* module, const char* name) {
    return give_function(function, module, name);
}
TILESCOPE_DRIVER Code cuModuleGetGlobal_v2(Address* address, std::size_t* bytes, void* module, const char* name) {
    return give_variable(address, bytes, module, name, false);
}
TILESCOPE_DRIVER Code cuModuleGetFunctionCount(unsigned* count, void* module) { return count_functions(count, module); }
TILESCOPE_DRIVER Code cuModuleEnumerateFunctions(void** functions, unsigned count, void* module) {
    return list_functions(functions, count, module);
}
TILESCOPE_DRIVER Code cuModuleGetLoadingMode(int* mode) {
    constexpr int kEager = 1;
    return once_initialised([&](Contexts&) {
        if (mode == nullptr) return Status::kInvalidValue;
        *mode = kEager;
        return Status::kOk;
    });
}

// Of the options of libraries, none changes anything here: code is always kept.
TILESCOPE_DRIVER Code cuLibraryLoadData(void** library, const void* code, const int* names, void** values,
                                        unsigned count, const int* own, void** own_values, unsigned own_count) {
    if (!are_library_options(own, own_values, own_count)) return driver::record(Status::kInvalidValue);
    return load_data(library, code, {count, names, values});
}
TILESCOPE_DRIVER Code cuLibraryLoadFromFile(void** library, const char* path, const int* names, void** values,
                                            unsigned count, const int* own, void** own_values, unsigned own_count) {
    if (!are_library_options(own, own_values, own_count)) return driver::record(Status::kInvalidValue);
    return load_file(library, path, {count, names, values});
}
TILESCOPE_DRIVER Code cuLibraryUnload(void* library) { return unload(library); }
TILESCOPE_DRIVER Code cuLibraryGetKernel(void** kernel, void* library, const char* name) {
    return give_function(kernel, library, name);
}
TILESCOPE_DRIVER Code cuLibraryGetModule(void** module, void* library) {
    return on_context([&](Runtime& runtime) {
        if (module == nullptr) return Status::kInvalidValue;
        if (!runtime.modules().is_module(static_cast<Module*>(library))) return Status::kInvalidHandle;
        *module = library;
        return Status::kOk;
    });
}
TILESCOPE_DRIVER Code cuLibraryGetGlobal(Address* address, std::size_t* bytes, void* library, const char* name) {
    return give_variable(address, bytes, library, name, false);
}
TILESCOPE_DRIVER Code cuLibraryGetManaged(Address* address, std::size_t* bytes, void* library, const char* name) {
    return give_variable(address, bytes, library, name, true);
}
TILESCOPE_DRIVER Code cuLibraryGetKernelCount(unsigned* count, void* library) {
    return count_functions(count, library);
}
TILESCOPE_DRIVER Code cuLibraryEnumerateKernels(void** kernels, unsigned count, void* library) {
    return list_functions(kernels, count, library);
}

std::span<const Entry> module_calls() {
    static const Entry kCalls[] = {
        TILESCOPE_THERE(cuModuleLoad),
        TILESCOPE_THERE(cuModuleLoadData),
        TILESCOPE_THERE(cuModuleLoadDataEx),
        TILESCOPE_THERE(cuModuleLoadFatBinary),
        TILESCOPE_THERE(cuModuleUnload),
        TILESCOPE_THERE(cuModuleGetFunction),
        TILESCOPE_THERE(cuModuleGetGlobal_v2),
        TILESCOPE_THERE(cuModuleGetFunctionCount),
        TILESCOPE_THERE(cuModuleEnumerateFunctions),
        TILESCOPE_THERE(cuModuleGetLoadingMode),
        TILESCOPE_THERE(cuLibraryLoadData),
        TILESCOPE_THERE(cuLibraryLoadFromFile),
        TILESCOPE_THERE(cuLibraryUnload),
        TILESCOPE_THERE(cuLibraryGetKernel),
        TILESCOPE_THERE(cuLibraryGetModule),
        TILESCOPE_THERE(cuLibraryGetGlobal),
        TILESCOPE_THERE(cuLibraryGetManaged),
        TILESCOPE_THERE(cuLibraryGetKernelCount),
        TILESCOPE_THERE(cuLibraryEnumerateKernels),
    };
    return kCalls;
}

}  // namespace tilescope::runtime::driver
