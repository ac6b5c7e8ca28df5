// A library of NVIDIA's looked for the driver, which is not there (absent_driver.cpp).
#include <string_view>

#include "scope/runtime/cudart/guard.h"

namespace tilescope::runtime {
namespace {

bool is_nvidias(std::string_view name) {
    constexpr std::string_view kNames[] = {"libcublas",   "libcudnn",    "libcufft",   "libcurand", "libcusolver",
                                           "libcusparse", "libcutensor", "libnccl",    "libnpp",    "libnvinfer",
                                           "libnvjpeg",   "libcufile",   "libnvshmem", "libcudss",  "libcugraph"};
    for (const std::string_view known : kNames)
        if (name.starts_with(known)) return true;
    return false;
}

}  // namespace

// With the path of who asked. What such a library was to compute is missing from the program's result, so that the run
// is one that needed what is not there; anybody else may only have wanted to know whether there is a driver.
extern "C" __attribute__((visibility("default"))) void __cudaTilescopeDriverWanted(const char* path) noexcept {
    try {
        std::string_view name = path;
        name.remove_prefix(name.rfind('/') + 1);
        Runtime& runtime = Runtime::get();
        if (runtime.is_unloading() || runtime.enter_to_ask() != Status::kOk) return;
        if (!is_nvidias(name))
            return runtime.warn_once(
                "runtime-no-driver",
                std::string(name) + " looked for the CUDA driver (libcuda.so.1), which is not there");
        runtime.tell(
            {error("runtime-host-library", {std::string(name)},
                   "this library of NVIDIA's needs the CUDA driver, which is not there: its calls fail",
                   "only kernels that are in the program run here; put one in the place of the library's calls")});
        runtime.session().set_outcome(Outcome::kUnsupported);
    } catch (const std::exception&) {
        // Without memory for a word the library's own error has to do.
    }
}

}  // namespace tilescope::runtime
