// Libraries: code that a program hands to the runtime while it runs, and its kernels and variables by name.
//
// A library is a module (service/modules), and its kernels are what cudaGetKernel gives. Of the options none changes
// anything here: code is always kept, and what the compiler would say is in the failed call's line.
#include <algorithm>

#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/service/modules/handed_code.h"
#include "scope/runtime/service/modules/modules.h"

namespace tilescope::runtime {
namespace {

Status check_library(Runtime& runtime, const void* library) {
    if (runtime.modules().is_module(static_cast<const Module*>(library))) return Status::kOk;
    return because(Status::kInvalidHandle, "the library was never loaded, or is unloaded already");
}

Status give_library_variable(Runtime& runtime, void** address, std::size_t* bytes, void* library, const char* name,
                             bool only_managed) {
    if (name == nullptr || (address == nullptr && bytes == nullptr)) return Status::kInvalidValue;
    if (const Status status = check_library(runtime, library); status != Status::kOk) return status;
    ModuleVariable found;
    const Status status = runtime.modules().find_in(runtime, static_cast<Module*>(library), name, found);
    if (status != Status::kOk) return status;
    if (only_managed && !found.is_managed)
        return because(Status::kNotFound, "the variable of that name is not managed");
    if (address != nullptr) *address = reinterpret_cast<void*>(found.address);
    if (bytes != nullptr) *bytes = found.size;
    return Status::kOk;
}

// The names of its kernels.
Status kernels_of(Runtime& runtime, void* library, std::vector<std::string>& names) {
    if (const Status status = check_library(runtime, library); status != Status::kOk) return status;
    return runtime.modules().names_of_kernels(runtime, static_cast<Module*>(library), names);
}

Status give_kernel(Runtime& runtime, void** kernel, void* library, const char* name) {
    if (kernel == nullptr || name == nullptr) return Status::kInvalidValue;
    if (const Status status = check_library(runtime, library); status != Status::kOk) return status;
    Function* function = nullptr;
    const Status status = runtime.modules().find_in(runtime, static_cast<Module*>(library), name, function);
    if (status == Status::kOk) *kernel = function;
    return status;
}

}  // namespace

TILESCOPE_API cudaError cudaLibraryLoadData(void** library, const void* code, const int*, void**, unsigned, const int*,
                                            void**, unsigned) {
    return on_device([&](Runtime& runtime) {
        if (library == nullptr || code == nullptr) return Status::kInvalidValue;
        Module* made = nullptr;
        const Status status = load_handed_code(runtime, code, std::nullopt, "code of " + Runtime::program_name(), made);
        if (status == Status::kOk) *library = made;
        return status;
    });
}

TILESCOPE_API cudaError cudaLibraryLoadFromFile(void** library, const char* path, const int*, void**, unsigned,
                                                const int*, void**, unsigned) {
    return on_device([&](Runtime& runtime) {
        if (library == nullptr || path == nullptr) return Status::kInvalidValue;
        Module* made = nullptr;
        const Status status = load_code_file(runtime, path, made);
        if (status == Status::kOk) *library = made;
        return status;
    });
}

TILESCOPE_API cudaError cudaLibraryUnload(void* library) {
    return on_device([&](Runtime& runtime) {
        const Status status = check_library(runtime, library);
        if (status == Status::kOk) runtime.modules().remove(runtime, static_cast<Module*>(library));
        return status;
    });
}

TILESCOPE_API cudaError cudaLibraryGetKernel(void** kernel, void* library, const char* name) {
    return on_device([&](Runtime& runtime) { return give_kernel(runtime, kernel, library, name); });
}

TILESCOPE_API cudaError cudaLibraryGetGlobal(void** address, std::size_t* bytes, void* library, const char* name) {
    return on_device(
        [&](Runtime& runtime) { return give_library_variable(runtime, address, bytes, library, name, false); });
}

TILESCOPE_API cudaError cudaLibraryGetManaged(void** address, std::size_t* bytes, void* library, const char* name) {
    return on_device(
        [&](Runtime& runtime) { return give_library_variable(runtime, address, bytes, library, name, true); });
}

TILESCOPE_API cudaError cudaLibraryGetKernelCount(unsigned* count, void* library) {
    return on_device([&](Runtime& runtime) {
        if (count == nullptr) return Status::kInvalidValue;
        std::vector<std::string> names;
        const Status status = kernels_of(runtime, library, names);
        if (status == Status::kOk) *count = static_cast<unsigned>(names.size());
        return status;
    });
}

TILESCOPE_API cudaError cudaLibraryEnumerateKernels(void** kernels, unsigned count, void* library) {
    return on_device([&](Runtime& runtime) {
        if (kernels == nullptr || count == 0) return Status::kInvalidValue;
        std::vector<std::string> names;
        Status status = kernels_of(runtime, library, names);
        for (std::size_t i = 0; status == Status::kOk && i < std::min<std::size_t>(count, names.size()); ++i)
            status = give_kernel(runtime, &kernels[i], library, names[i].c_str());
        return status;
    });
}

}  // namespace tilescope::runtime
