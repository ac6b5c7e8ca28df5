// Registers, shared memory and block size of a kernel, out of whatever file the user has of it.
#pragma once

#include <string>

#include "scope/base/result.h"
#include "scope/models/device.h"
#include "scope/models/occupancy.h"

namespace tilescope::cli {

struct KernelFigures {
    std::string kernel;                 // demangled; empty: none, the figures are the user's own
    models::KernelResources resources;  // threads_per_block is 0 where the file does not say
    std::string registers_from;         // "cubin", "ptxas", "estimate"; empty: the user said, or nobody
    std::uint64_t max_threads = 0;      // of a block, as its launch bounds say; 0: they do not
    std::uint64_t blocks = 0;           // of the grid; 0: nobody said
};

// "matmul.cu:tiled" to the file and the name; the name is empty where there is none. Names may hold colons.
struct KernelSpec {
    std::string file, name;
};
KernelSpec parse_kernel_spec(const std::string& text);

// Whether the file is a profile, which brings its own device.
bool is_profile(const KernelSpec& spec);
// The device that a profile was modelled on.
Result<std::string> device_of_profile(const KernelSpec& spec);

// spec.file: a .cu file (compiled first), PTX, a fat binary, an executable, a shared library, a cubin or a profile. Of
// the code in it, what the device would run. spec.name: a kernel's name or pattern, or a launch's index in a profile.
Result<KernelFigures> kernel_figures(const KernelSpec& spec, const std::string& compiler,
                                     const std::string& device_name, const models::Device& device);

}  // namespace tilescope::cli
