#include "tiles/src/device.h"

#include "tiles/src/cluster_slots.h"
#include "tiles/src/compiled_for.h"
#include "tiles/src/hopper_maps.h"
#include "tiles/src/once_per_device.h"

namespace tiles {
namespace {

Status attribute(int* value, cudaDeviceAttr which, int device) {
    return from_cuda(cudaDeviceGetAttribute(value, which, device), "cudaDeviceGetAttribute");
}

Status read_properties(int device, DeviceProperties* out) {
    int l2 = 0, khz = 0, memory_khz = 0, bus_bits = 0;
    struct Wanted {
        int* value;
        cudaDeviceAttr which;
    };
    const Wanted wanted[] = {{&out->major, cudaDevAttrComputeCapabilityMajor},
                             {&out->minor, cudaDevAttrComputeCapabilityMinor},
                             {&out->sms, cudaDevAttrMultiProcessorCount},
                             {&out->shared_per_block, cudaDevAttrMaxSharedMemoryPerBlockOptin},
                             {&out->shared_per_sm, cudaDevAttrMaxSharedMemoryPerMultiprocessor},
                             {&l2, cudaDevAttrL2CacheSize},
                             {&khz, cudaDevAttrClockRate},
                             {&memory_khz, cudaDevAttrMemoryClockRate},
                             {&bus_bits, cudaDevAttrGlobalMemoryBusWidth}};
    for (const Wanted& one : wanted) {
        if (Status status = attribute(one.value, one.which, device); !status.ok()) return status;
    }
    // With code for older cards only, the kernels that need 8.0 are empty: the card is one of those to the library.
    if (out->major >= 8 && compiled_for() < 80) out->major = 7, out->minor = 5;
    out->l2_bytes = l2;
    out->tensor_maps = hopper::copy_engine_usable();
    out->clock_ghz = khz * 1e-6;
    out->memory_gb_per_s = 2e-6 * memory_khz * bus_bits / 8;  // both edges of the clock
    count_clusters(out);
    return {};
}

}  // namespace

Status read_device(const DeviceProperties** properties) {
    static OncePerDevice<DeviceProperties> devices;
    return devices.get(properties, read_properties);
}

}  // namespace tiles
