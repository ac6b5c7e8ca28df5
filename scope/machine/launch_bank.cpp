#include "scope/machine/launch_bank.h"

#include <cstring>

namespace tilescope::machine {
namespace {

template <class T>
void store_lanes(std::byte* at, T value) {
    for (unsigned i = 0; i < kWarpSize; ++i) std::memcpy(at + i * sizeof(T), &value, sizeof(T));
}

void store_lanes(std::byte* at, unsigned width, std::uint64_t value) {
    switch (width) {
        case 2: store_lanes(at, static_cast<std::uint16_t>(value)); break;
        case 4: store_lanes(at, static_cast<std::uint32_t>(value)); break;
        default: store_lanes(at, value); break;
    }
}

std::uint64_t parameter_value(const LaunchSlot& slot, const std::vector<std::byte>& parameters) {
    std::uint64_t value = 0;
    if (slot.parameter_offset + slot.bytes <= parameters.size())
        std::memcpy(&value, parameters.data() + slot.parameter_offset, slot.bytes);
    if (slot.is_signed && slot.bytes < 8) {
        const unsigned shift = 64 - 8 * slot.bytes;
        value = static_cast<std::uint64_t>(static_cast<std::int64_t>(value << shift) >> shift);
    }
    return value;
}

}  // namespace

std::vector<std::byte> fill_launch_bank(const GridRequest& request, const std::byte* parameters) {
    const LaunchShape& shape = request.shape;
    std::vector<std::byte> bank(request.program->launch_bytes);
    for (const LaunchSlot& slot : request.program->launch_slots) {
        std::uint64_t value = 0;
        switch (slot.what) {
            case LaunchValue::kParameter: value = parameter_value(slot, request.parameters); break;
            case LaunchValue::kParameterAddress:
                value = reinterpret_cast<std::uint64_t>(parameters) + slot.parameter_offset;
                break;
            case LaunchValue::kNtidX: value = shape.block[0]; break;
            case LaunchValue::kNtidY: value = shape.block[1]; break;
            case LaunchValue::kNtidZ: value = shape.block[2]; break;
            case LaunchValue::kNctaidX: value = shape.grid[0]; break;
            case LaunchValue::kNctaidY: value = shape.grid[1]; break;
            case LaunchValue::kNctaidZ: value = shape.grid[2]; break;
            case LaunchValue::kNwarps: value = (shape.block[0] * shape.block[1] * shape.block[2] + 31) / 32; break;
            case LaunchValue::kGridId: value = shape.grid_id; break;
            case LaunchValue::kNsmId: value = shape.multiprocessors; break;
            case LaunchValue::kDynamicShared: value = shape.dynamic_shared_bytes; break;
            case LaunchValue::kTotalShared: {
                const std::uint64_t unit = request.shared_allocation_unit;
                value = (shape.shared_bytes + unit - 1) / unit * unit;
                break;
            }
            case LaunchValue::kAggregateShared: value = request.shared_bytes_reserved + shape.shared_bytes; break;
            case LaunchValue::kReservedUsed: value = request.shared_reserved_used; break;
            case LaunchValue::kReservedEnd: value = request.shared_reserved_end; break;
            case LaunchValue::kWorkspaceLow: value = static_cast<std::uint32_t>(request.workspace); break;
            case LaunchValue::kWorkspaceHigh: value = request.workspace >> 32; break;
            case LaunchValue::kZero: value = 0; break;
            case LaunchValue::kOne: value = 1; break;
        }
        store_lanes(bank.data() + slot.offset, slot.slot_bytes, value);
    }
    return bank;
}

}  // namespace tilescope::machine
