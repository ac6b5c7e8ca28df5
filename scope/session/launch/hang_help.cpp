#include "scope/session/launch/hang_help.h"

#include <cstring>

#include <fmt/format.h>

#include "scope/session/variables.h"

namespace tilescope {

void LaunchHangHelp::offer(machine::GridRequest& grid) {
    grid.hang_help.flow = [this] { return flow(); };
    grid.hang_help.source_name = [](const std::string& symbol) { return source_name(symbol).plain; };
    grid.hang_help.name_of = [this, &grid](std::uint64_t address) { return name_of(address, grid); };
}

const std::vector<machine::OpFlow>* LaunchHangHelp::flow() {
    const std::lock_guard lock(mutex_);
    if (!asked_) {
        asked_ = true;
        auto program = module_.traceable_program(info_.entry);
        if (program) with_flow_ = std::move(*program);
    }
    return with_flow_ ? &with_flow_->flow : nullptr;
}

// Addresses are the host's, other ones in every run: names and offsets instead.
std::string LaunchHangHelp::name_of(std::uint64_t address, const machine::GridRequest& grid) const {
    const auto beyond = [](std::uint64_t bytes) {
        return bytes == 0 ? std::string() : fmt::format(", byte {}", bytes);
    };
    const std::vector<std::byte>& parameters = grid.parameters;
    for (const ModuleVariable& variable : module_.variables())
        if (address >= variable.address && address - variable.address < variable.size)
            return source_name(variable.name).plain + beyond(address - variable.address);
    const std::optional<machine::Allocation> allocation = memory_.find(address);
    if (!allocation) return {};
    if (grid.workspace != 0 && allocation->contains(grid.workspace, 1)) return "the barrier of the grid";
    for (std::size_t i = 0; i < info_.parameters.size(); ++i) {
        const KernelParameter& parameter = info_.parameters[i];
        std::uint64_t pointer = 0;
        if (parameter.size != sizeof pointer || parameter.offset + sizeof pointer > parameters.size()) continue;
        std::memcpy(&pointer, parameters.data() + parameter.offset, sizeof pointer);
        if (allocation->contains(pointer, 1))
            return fmt::format("the buffer of argument {}{}", i, beyond(address - allocation->base));
    }
    return fmt::format("an allocation of {} bytes{}", allocation->size, beyond(address - allocation->base));
}

}  // namespace tilescope
