// A launch as a call asks for it, with its parameters copied: run now, or kept in a node of a graph.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "scope/machine/memory.h"
#include "scope/runtime/cudart/abi.h"
#include "scope/runtime/service/runtime.h"

namespace tilescope::runtime {

struct KernelLaunch {
    const void* function = nullptr;  // a stub's address or a kernel handle
    abi::Dim grid{1, 1, 1}, block{1, 1, 1};
    std::size_t dynamic_shared = 0;
    bool is_cooperative = false;
    std::optional<int> carveout{};     // instead of the function's
    abi::AccessPolicyWindow window{};  // of the launch or of its stream
    int priority = 0;                  // of the launch or of its stream; kept for programs that ask
    bool begins_early = false;         // programmatic: once the kernel before it on its stream lets it
    std::vector<std::byte> parameters{};
};

// What a node has beside its parameters, and keeps when these change.
inline void take_attributes(KernelLaunch& to, const KernelLaunch& from) {
    to.is_cooperative = from.is_cooperative;
    to.carveout = from.carveout;
    to.window = from.window;
    to.priority = from.priority;
    to.begins_early = from.begins_early;
}

// Copies what `values` point at, as the kernel's layout has it, or the packed buffer that `extra` names; and says what
// would be refused. Whatever of the launch itself is wrong comes before what is wrong with its parameters.
Status take_parameters(Runtime& runtime, KernelLaunch& launch, void** values, void** extra = nullptr);
// Runs it to its end; what went wrong in the kernel is the error of this and of every later call.
Status run_kernel(Runtime& runtime, const KernelLaunch& launch, const machine::Issue& issue);

}  // namespace tilescope::runtime
