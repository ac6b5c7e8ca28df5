// What memory of a launch is called in its kernel's source: variables, parameters that point there, allocations.
#pragma once

#include <cstdint>
#include <string>

#include "scope/report/hazard_facts.h"
#include "scope/session/launch/prepare.h"

namespace tilescope {

// Where the host allocated and freed it, as a hazard has it.
void place_allocation(const machine::AllocationOrigin& origin, HazardMemory& memory);

class MemoryNames {
public:
    explicit MemoryNames(const Prepared& launch) : launch_(launch), kernel_(launch.kernel), program_(launch.program) {}

    // `address` of shared and local memory: the offset within the block's or the thread's.
    HazardMemory at(HazardSpace space, std::uint64_t address);
    // Of global memory: its name, with its beginning for an address that stands in its place.
    HazardMemory global(std::uint64_t address);

private:
    HazardMemory shared(std::uint64_t offset) const;
    bool name_part(const std::string& symbol, HazardMemory& memory) const;

    const Prepared& launch_;
    Kernel& kernel_;
    const machine::Program& program_;
};

}  // namespace tilescope
