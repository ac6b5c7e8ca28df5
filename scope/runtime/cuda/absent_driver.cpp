// What stands for libcuda.so.1 while a program runs here: a driver without a device.
//
// NVIDIA's host libraries (cuBLAS and the like) carry a CUDA runtime of their own, which opens this library by its name
// when it is first used and fails in silence where there is none. Here it still fails, and our runtime is told who
// asked. It also keeps such libraries off the machine's real driver, to which our addresses mean nothing. Programs that
// call the driver themselves are refused before they run (image/executable.h).
#include <dlfcn.h>

#include <string_view>

namespace {

constexpr int kInvalidValue = 1, kNoDevice = 100;
constexpr int kVersion = 13000;  // not older than any library's runtime, which would blame the driver's age instead

// To the CUDA runtime that this process has, if it is ours.
void tell(const void* caller) {
    using Tell = void(const char*);
    auto* const told = reinterpret_cast<Tell*>(dlsym(RTLD_DEFAULT, "__cudaTilescopeDriverWanted"));
    Dl_info about{};
    if (told != nullptr && dladdr(caller, &about) != 0 && about.dli_fname != nullptr) told(about.dli_fname);
}

// Any function of the driver; what it is given is of no interest.
int absent() {
    tell(__builtin_return_address(0));
    return kNoDevice;
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) int cuInit(unsigned) {
    tell(__builtin_return_address(0));
    return kNoDevice;
}

__attribute__((visibility("default"))) int cuDriverGetVersion(int* version) {
    if (version == nullptr) return kInvalidValue;
    *version = kVersion;
    return 0;
}

// The two spellings differ in a last parameter that says what was found.
__attribute__((visibility("default"))) int cuGetProcAddress(const char* name, void** function, int, unsigned long) {
    if (name == nullptr || function == nullptr) return kInvalidValue;
    const std::string_view wanted = name;
    if (wanted == "cuDriverGetVersion")
        *function = reinterpret_cast<void*>(&cuDriverGetVersion);
    else if (wanted == "cuInit")
        *function = reinterpret_cast<void*>(&cuInit);
    else
        *function = reinterpret_cast<void*>(&absent);
    return 0;
}

__attribute__((visibility("default"))) int cuGetProcAddress_v2(const char* name, void** function, int version,
                                                               unsigned long flags, int* found) {
    const int result = cuGetProcAddress(name, function, version, flags);
    if (result == 0 && std::string_view(name) == "cuGetProcAddress")
        *function = reinterpret_cast<void*>(&cuGetProcAddress_v2);
    if (found != nullptr) *found = result == 0 ? 0 : 1;
    return result;
}

// Some libraries look for every function at once, and give up in silence where one is missing.
#define TILESCOPE_ABSENT(name)                          \
    __attribute__((visibility("default"))) int name() { \
        tell(__builtin_return_address(0));              \
        return kNoDevice;                               \
    }
#include "scope/runtime/cuda/absent_driver.inc"
#undef TILESCOPE_ABSENT
}
