// What programs ask and set about a kernel.
#pragma once

#include "scope/runtime/service/modules/modules.h"
#include "scope/runtime/service/runtime.h"

namespace tilescope::runtime {

// Bytes of dynamic shared memory that a launch may ask for: what the device gives without asking, or what the program
// raised it to.
std::uint64_t max_dynamic_shared(const models::Device& device, const KernelInfo& info, const Function& function);

struct FunctionFacts {
    const KernelInfo* info = nullptr;
    std::uint64_t max_threads = 0, max_dynamic_shared = 0;
    int carveout = -1;
};
// As with all that follows: first what Modules::find() says.
Status ask_function(Runtime& runtime, const FunctionName& name, FunctionFacts& facts);
Status check_function(Runtime& runtime, const FunctionName& name);
Status set_max_dynamic_shared(Runtime& runtime, const FunctionName& name, int bytes);
// In percent; -1 leaves it to the driver.
Status set_carveout(Runtime& runtime, const FunctionName& name, int percent);
// Clusters of blocks are not there.
Status refuse_clusters(Runtime& runtime, const FunctionName& name);

// Blocks of so many threads that an SM can hold, and dynamic shared memory that each can have where it holds `blocks`.
Status active_blocks(Runtime& runtime, const FunctionName& name, std::uint64_t threads, std::uint64_t dynamic_shared,
                     int& blocks);
Status available_shared(Runtime& runtime, const FunctionName& name, std::uint64_t blocks, std::uint64_t threads,
                        std::size_t& bytes);

}  // namespace tilescope::runtime
