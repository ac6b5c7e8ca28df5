// libcuda.so.1, the name by which programs and libraries find the driver: nothing but names, each a jump to its
// function in our runtime.
//
// The functions lie in the library of the runtime, so that both faces are over the one device of the process: in the
// runtime that the process has already, or in the newest, which lies beside this file. So this library starts in the
// time that it takes to look its names up.
#include <dlfcn.h>

#include <string>

#if !defined(__x86_64__)
#error "the jumps are written for x86-64, as programs that run here are (image/executable.cpp)"
#endif

namespace {

constexpr const char* kFindFunction = "__cudaTilescopeDriver";
using FindFunction = const void*(const char* name);

// CUDA_ERROR_NO_DEVICE, of every function where there is no runtime of ours.
int without_runtime() { return 100; }

FindFunction* find_in(void* library) {
    return library == nullptr ? nullptr : reinterpret_cast<FindFunction*>(dlsym(library, kFindFunction));
}

FindFunction* runtime_of_process() {
    if (auto* const found = find_in(RTLD_DEFAULT)) return found;
    for (const char* name : {"libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0"})
        if (auto* const found = find_in(dlopen(name, RTLD_NOW | RTLD_NOLOAD))) return found;
    return nullptr;
}

FindFunction* runtime_beside() {
    Dl_info about{};
    if (dladdr(reinterpret_cast<const void*>(&runtime_beside), &about) == 0 || about.dli_fname == nullptr)
        return nullptr;
    std::string path = about.dli_fname;
    path.resize(path.rfind('/') + 1);
    return find_in(dlopen((path + "libcudart.so.13").c_str(), RTLD_NOW | RTLD_LOCAL));
}

}  // namespace

// Where each name leads, and the name itself.
#define TILESCOPE_DRIVER_CALL(name, base, version, per_thread)                               \
    extern "C" __attribute__((visibility("hidden"))) const void* tilescope_place_of_##name;  \
    const void* tilescope_place_of_##name = reinterpret_cast<const void*>(&without_runtime); \
    asm(".text\n.p2align 3\n.globl " #name "\n.type " #name ", @function\n" #name            \
        ":\n\tjmp *tilescope_place_of_" #name "(%rip)\n.size " #name ", . - " #name "\n");
#include "scope/runtime/cuda/calls.inc"
#undef TILESCOPE_DRIVER_CALL

namespace {

struct Place {
    const char* name;
    const void** where;
};
constexpr Place kPlaces[] = {
#define TILESCOPE_DRIVER_CALL(name, base, version, per_thread) {#name, &tilescope_place_of_##name},
#include "scope/runtime/cuda/calls.inc"
#undef TILESCOPE_DRIVER_CALL
};

// Before any function can be called: programs that have this library linked run later.
__attribute__((constructor)) void find_functions() {
    FindFunction* find = runtime_of_process();
    if (find == nullptr) find = runtime_beside();
    if (find == nullptr) return;
    for (const Place& place : kPlaces)
        if (const void* const function = find(place.name)) *place.where = function;
}

}  // namespace
