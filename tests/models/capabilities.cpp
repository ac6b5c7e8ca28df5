#include "tests/models/capabilities.h"

#include <gtest/gtest.h>

namespace tilescope::models {
namespace {

struct Limits {
    const char* name;
    std::uint32_t warps, blocks, shared_kib, shared_block_kib, reserved, unit, barriers;
    std::vector<std::uint64_t> carveouts_kib;
};

const std::vector<Limits>& table() {
    using List = std::vector<std::uint64_t>;
    const List small = {0, 8, 16, 32, 64, 100}, large = {0, 8, 16, 32, 64, 100, 132, 164},
               huge = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};
    static const std::vector<Limits> kTable = {
        {"7.0", 64, 32, 96, 96, 0, 256, 0, {0, 8, 16, 32, 64, 96}},
        {"7.5", 32, 16, 64, 64, 0, 256, 0, {32, 64}},
        {"8.0", 64, 32, 164, 163, 1024, 128, 0, large},
        {"8.6", 48, 16, 100, 99, 1024, 128, 0, small},
        {"8.7", 48, 16, 164, 163, 1024, 128, 0, large},
        {"8.9", 48, 24, 100, 99, 1024, 128, 0, small},
        {"9.0", 64, 32, 228, 227, 1024, 128, 64, huge},
        {"10.0", 64, 32, 228, 227, 1024, 128, 64, huge},
        {"10.3", 64, 32, 228, 227, 1024, 128, 64, huge},
        {"11.0", 48, 24, 228, 227, 1024, 128, 24, huge},
        {"12.0", 48, 24, 100, 99, 1024, 128, 24, small},
        {"12.1", 48, 24, 100, 99, 1024, 128, 24, small},
    };
    return kTable;
}

}  // namespace

std::vector<std::string> known_capabilities() {
    std::vector<std::string> names;
    for (const Limits& row : table()) names.emplace_back(row.name);
    return names;
}

Device device_of(const std::string& capability) {
    for (const Limits& row : table()) {
        if (capability != row.name) continue;
        Device device;
        device.name = capability;
        const std::size_t dot = capability.find('.');
        device.compute_major = static_cast<std::uint32_t>(std::stoul(capability.substr(0, dot)));
        device.compute_minor = static_cast<std::uint32_t>(std::stoul(capability.substr(dot + 1)));
        device.sm_count = 1;
        device.max_threads_per_sm = row.warps * 32;
        device.max_threads_per_block = 1024;
        device.max_blocks_per_sm = row.blocks;
        device.max_barriers_per_sm = row.barriers;
        device.registers_per_sm = device.registers_per_block = 65536;
        device.max_registers_per_thread = 255;
        device.register_allocation_unit = 256;
        device.sub_partitions = 4;
        device.shared_bytes_per_sm = std::uint64_t{row.shared_kib} << 10;
        device.shared_bytes_per_block = 48U << 10;
        device.shared_bytes_per_block_optin = std::uint64_t{row.shared_block_kib} << 10;
        device.shared_bytes_reserved = row.reserved;
        device.shared_allocation_unit = row.unit;
        for (const std::uint64_t kib : row.carveouts_kib) device.shared_carveouts.push_back(kib << 10);
        return device;
    }
    ADD_FAILURE() << "no row for " << capability;
    return {};
}

KernelResources kernel_of(std::uint64_t threads, std::uint32_t registers, std::uint64_t shared) {
    KernelResources resources;
    resources.threads_per_block = threads;
    resources.registers_per_thread = registers;
    resources.static_shared_bytes = shared;
    return resources;
}

}  // namespace tilescope::models
