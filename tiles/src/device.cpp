#include <array>
#include <atomic>
#include <mutex>

#include "tiles/src/cluster_slots.h"
#include "tiles/src/compiled_for.h"
#include "tiles/src/hopper_maps.h"
#include "tiles/src/problem.h"
#include "tiles/tuning/cache.h"

namespace tiles {
namespace {

constexpr int kMostDevices = 64;

struct Slot {
    std::mutex setting_up;
    std::atomic<bool> ready{false};
    DeviceProperties properties;
};

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

Status prepare_kernels(const DeviceProperties& properties) {
    const KernelList list = all_kernels();
    for (int i = 0; i < list.count; ++i) {
        if (list.rows[i]->prepare == nullptr || properties.capability() < list.rows[i]->least_capability) continue;
        if (Status status = list.rows[i]->prepare(); !status.ok()) return status;
    }
    return {};
}

Status set_up(int device, DeviceProperties* properties) {
    if (Status status = read_properties(device, properties); !status.ok()) return status;
    if (Status status = prepare_kernels(*properties); !status.ok()) return status;
    if (Status status = load_kernels(); !status.ok()) return status;
    cudaDeviceProp named{};
    if (cudaGetDeviceProperties(&named, device) == cudaSuccess) load_tuning(named.name, properties);
    return {};
}

}  // namespace

Status current_device(const DeviceProperties** properties) {
    static std::array<Slot, kMostDevices> slots;
    int device = 0;
    if (Status status = from_cuda(cudaGetDevice(&device), "cudaGetDevice"); !status.ok()) return status;
    if (device >= kMostDevices) return {StatusCode::kUnsupported, "device", "more than 64 devices", 0};
    Slot& slot = slots[static_cast<size_t>(device)];
    *properties = &slot.properties;
    if (slot.ready.load(std::memory_order_acquire)) return {};
    // What fails now (in a capture, or for want of memory) may succeed the next time.
    const std::lock_guard<std::mutex> lock(slot.setting_up);
    if (slot.ready.load(std::memory_order_relaxed)) return {};
    if (Status status = set_up(device, &slot.properties); !status.ok()) return status;
    slot.ready.store(true, std::memory_order_release);
    return {};
}

}  // namespace tiles
