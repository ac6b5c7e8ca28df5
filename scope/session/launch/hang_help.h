// What the machine may ask of a launch whose blocks seem to hang.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "scope/machine/grid.h"
#include "scope/session/loaded_module.h"

namespace tilescope {

// Lives as long as the launch. `flow` is made when first asked for: nearly no launch needs it.
class LaunchHangHelp {
public:
    LaunchHangHelp(const LoadedModule& module, const machine::Memory& memory, const KernelInfo& info)
        : module_(module), memory_(memory), info_(info) {}
    // Enters itself into the request, whose parameters must be there.
    void offer(machine::GridRequest& grid);

private:
    const std::vector<machine::OpFlow>* flow();
    std::string name_of(std::uint64_t address, const machine::GridRequest& grid) const;

    const LoadedModule& module_;
    const machine::Memory& memory_;
    const KernelInfo& info_;
    std::mutex mutex_;
    bool asked_ = false;
    std::unique_ptr<machine::Program> with_flow_;
};

}  // namespace tilescope
