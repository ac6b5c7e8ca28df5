#include "scope/models/energy.h"

#include "scope/models/bounds.h"

namespace tilescope::models {
namespace {

using C = Counter;

constexpr std::uint64_t kOperandBytes = 4, kOperands = 3;  // two that an instruction reads and one that it writes
constexpr double kPicoToMicro = 1e-6;

// Bytes that threads get from a level, or leave there, each at the farthest level that it comes from.
std::uint64_t bytes_of(EnergyLevel level, const CounterSet& c) {
    constexpr auto kSector = static_cast<std::uint64_t>(kSectorBytes);
    switch (level) {
        case EnergyLevel::kRegisters: return c[C::kThreadInstructions] * kOperands * kOperandBytes;
        case EnergyLevel::kShared:
            return c[C::kSharedLoadBytesRequested] + c[C::kSharedStoreBytesRequested] +
                   c[C::kSharedAtomicThreadOperations] * kOperandBytes;
        case EnergyLevel::kL1:
            return (c[C::kGlobalLoadL1HitSectors] + c[C::kLocalLoadL1HitSectors] + c[C::kTextureHitSectors] +
                    c[C::kSurfaceLoadHitSectors]) *
                   kSector;
        case EnergyLevel::kL2: return (c[C::kL2ReadHitSectors] + c[C::kL2WriteSectors]) * kSector;
        case EnergyLevel::kDram: return c[C::kDramReadBytes] + c[C::kDramWriteBytes];
    }
    return 0;
}

double cost_of(EnergyLevel level, const Energies& costs) {
    switch (level) {
        case EnergyLevel::kRegisters: return costs.registers;
        case EnergyLevel::kShared: return costs.shared;
        case EnergyLevel::kL1: return costs.l1;
        case EnergyLevel::kL2: return costs.l2;
        case EnergyLevel::kDram: return costs.dram;
    }
    return 0;
}

}  // namespace

std::optional<EnergyProfile> energy(const Device& device, const LaunchProfile& launch) {
    if (!launch.counters.modelled) return {};
    EnergyProfile energy;
    bool is_known = false;
    for (const auto& row : report::kNames<EnergyLevel>) {
        EnergyPart part{row.value, bytes_of(row.value, launch.counters), {}, 0, 0};
        if (const double cost = cost_of(row.value, device.energy); cost > 0) {
            part.picojoules_per_byte = cost;
            part.microjoules = static_cast<double>(part.bytes) * cost * kPicoToMicro;
            energy.microjoules += part.microjoules;
            is_known = true;
        }
        if (part.bytes != 0) energy.parts.push_back(part);
    }
    if (!is_known || energy.parts.empty()) return {};
    if (energy.microjoules > 0)
        for (EnergyPart& part : energy.parts) part.share = part.microjoules / energy.microjoules;
    return energy;
}

}  // namespace tilescope::models
