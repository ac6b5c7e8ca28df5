// Something that is found out once for each device, by whichever thread asks first.
//
// Owns: OncePerDevice. Guarantees: asking again takes no lock; what fails (in a capture, or for want of memory) is
// tried again the next time. Does not know what is found out.
#pragma once

#include <array>
#include <atomic>
#include <mutex>

#include "tiles/src/problem.h"

namespace tiles {

template <typename T>
class OncePerDevice {
public:
    // What `set_up(device, value)` made of the current device's value.
    template <typename SetUp>
    Status get(const T** value, SetUp set_up) {
        int device = 0;
        if (Status status = from_cuda(cudaGetDevice(&device), "cudaGetDevice"); !status.ok()) return status;
        if (device >= kMaxDevices) return {StatusCode::kUnsupported, "device", "more than 64 devices", 0};
        Slot& slot = slots_[static_cast<size_t>(device)];
        *value = &slot.value;
        if (slot.ready.load(std::memory_order_acquire)) return {};
        const std::lock_guard<std::mutex> lock(slot.setting_up);
        if (slot.ready.load(std::memory_order_relaxed)) return {};
        if (Status status = set_up(device, &slot.value); !status.ok()) return status;
        slot.ready.store(true, std::memory_order_release);
        return {};
    }

private:
    static constexpr int kMaxDevices = 64;

    struct Slot {
        std::mutex setting_up;
        std::atomic<bool> ready{false};
        T value;
    };
    std::array<Slot, kMaxDevices> slots_;
};

}  // namespace tiles
