#include "scope/runtime/service/watch/driver_wanted.h"

#include <string>

#include "scope/runtime/service/runtime.h"

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

bool note_driver_wanted(std::string_view path) {
    std::string_view name = path;
    name.remove_prefix(name.rfind('/') + 1);
    Runtime& runtime = Runtime::get();
    if (!is_nvidias(name)) return false;
    if (runtime.is_unloading() || runtime.enter_to_ask() != Status::kOk) return true;
    runtime.tell({error("runtime-host-library", {std::string(name)},
                        "this library of NVIDIA's needs a GPU, which is not there: its calls fail",
                        "only kernels that are in the program run here; put one in the place of the library's calls")});
    runtime.session().set_outcome(Outcome::kUnsupported);
    return true;
}

}  // namespace tilescope::runtime
