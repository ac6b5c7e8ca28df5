#include "tiles/plan/device.h"

#include "tiles/plan/registry.h"
#include "tiles/plan/tuning_file.h"
#include "tiles/src/device.h"
#include "tiles/src/once_per_device.h"
#include "tiles/src/preload.h"

namespace tiles {
namespace {

Status prepare_kernels(const DeviceProperties& properties) {
    const KernelList list = all_kernels();
    for (int i = 0; i < list.count; ++i) {
        if (list.rows[i]->prepare == nullptr || properties.capability() < list.rows[i]->min_capability) continue;
        if (Status status = list.rows[i]->prepare(); !status.ok()) return status;
    }
    return {};
}

Status make_ready(int device, DeviceProperties* properties) {
    const DeviceProperties* read = nullptr;
    if (Status status = read_device(&read); !status.ok()) return status;
    *properties = *read;
    if (Status status = prepare_kernels(*properties); !status.ok()) return status;
    if (Status status = load_kernels(); !status.ok()) return status;
    cudaDeviceProp named{};
    if (cudaGetDeviceProperties(&named, device) == cudaSuccess) load_tuning(named.name, properties);
    return {};
}

}  // namespace

Status current_device(const DeviceProperties** properties) {
    static OncePerDevice<DeviceProperties> devices;
    return devices.get(properties, make_ready);
}

}  // namespace tiles
