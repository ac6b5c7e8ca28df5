// What NVIDIA's assembler decided about each kernel, out of the machine code that lies beside the PTX.
//
// Guarantees: never reads outside the bytes given. The figures are those that `ptxas -v` prints; spill bytes take in
// those of the functions that the kernel's code holds.
// Does not model: the machine code itself, apart from where it spills (machine_code.h).
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scope/base/result.h"
#include "scope/image/machine_code.h"

namespace tilescope::image {

struct KernelResources {
    std::string name;                     // mangled, as in PTX
    unsigned sm = 0;                      // the architecture that it was assembled for
    unsigned registers = 0;               // per thread
    std::size_t static_shared_bytes = 0;  // without the 1 KiB that the driver reserves on sm_90 and later
    std::size_t stack_bytes = 0;          // local memory per thread, callees included where the depth is known
    std::size_t parameter_bytes = 0;
    std::size_t constant_bytes = 0;  // of the module's __constant__ variables
    unsigned max_threads = 0;        // of __launch_bounds__; 0 for none
    unsigned barriers = 0;
    bool spills = false;
    std::optional<std::size_t> spill_store_bytes, spill_load_bytes;  // a thread, if each ran once; where known
    std::shared_ptr<const MachineCode> machine_code;                 // where that can be told
};

// All kernels of a cubin, in the order of their symbols. "image-cubin" for bytes that are not one, or are damaged.
Result<std::vector<KernelResources>> parse_cubin(std::span<const std::byte> bytes, const std::string& file = {});

// Whether these bytes start as a cubin does.
bool is_cubin(std::span<const std::byte> bytes);

}  // namespace tilescope::image
