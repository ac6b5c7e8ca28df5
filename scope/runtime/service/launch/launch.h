// Launches of kernels. A launch runs to its end before the call returns; a fault is the error of every later call, as
// on a card, which is not there yet when the launch returns.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "scope/machine/memory.h"
#include "scope/runtime/service/modules/modules.h"
#include "scope/runtime/service/runtime.h"
#include "scope/runtime/service/streams/access_window.h"

namespace tilescope::runtime {

// A launch with its parameters copied: run now, or kept in a node of a graph.
struct KernelLaunch {
    FunctionName function{};
    Dim3 grid{1, 1, 1}, block{1, 1, 1};
    std::size_t dynamic_shared = 0;
    bool is_cooperative = false;
    std::optional<int> carveout{};  // instead of the function's
    AccessWindow window{};          // of the launch or of its stream
    int priority = 0;               // of the launch or of its stream; kept for programs that ask
    bool begins_early = false;      // programmatic: once the kernel before it on its stream lets it
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

// The values of parameters, one pointer each; or one buffer that is packed already, as a list of keys and values.
inline constexpr std::uintptr_t kPackedEnd = 0, kPackedBuffer = 1, kPackedSize = 2;

// Copies what `values` point at, as the kernel's layout has it, or the packed buffer that `packed` names; and says what
// would be refused. Whatever of the launch itself is wrong comes before what is wrong with its parameters.
Status take_parameters(Runtime& runtime, KernelLaunch& launch, void** values, void** packed = nullptr);
// Runs it to its end; what went wrong in the kernel is the error of this and of every later call.
Status run_kernel(Runtime& runtime, const KernelLaunch& launch, const machine::Issue& issue);

// A launch as a call asks for it.
struct LaunchCall {
    FunctionName function{};
    Dim3 grid{1, 1, 1}, block{1, 1, 1};
    std::size_t dynamic_shared = 0;
    void* stream = nullptr;
    bool is_cooperative = false;
    const void* launched_from = nullptr;                // return address behind <<<...>>>; null: another call launches
    std::optional<int> carveout = std::nullopt;         // instead of the function's
    std::optional<AccessWindow> window = std::nullopt;  // instead of the stream's
    std::optional<int> priority = std::nullopt;         // instead of the stream's
    bool begins_early = false;
};
// Now, or as a node of the graph that its stream captures.
Status launch(Runtime& runtime, LaunchCall call, void** values, void** packed = nullptr);

// What the launch asks for that is not there: says so, and that the run needed it.
Status refuse_launch(Runtime& runtime, const FunctionName& function, const std::string& what);

}  // namespace tilescope::runtime
