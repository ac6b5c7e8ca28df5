// The kernels that prepare() loads. CUDA loads a kernel when it is first used; done by a launch, that may allocate and
// synchronise, which a capture forbids and which waits for whatever runs on the device.
//
// Owns: the list of the library's kernels. Every launch names its kernel as preloaded<f>(), which puts f on the list
// before main begins; tests/tiles/every_kernel_is_preloaded.py finds launches that do not. Guarantees: no allocation,
// no order of initialisation to get wrong. Does not know what the kernels do.
#pragma once

#include "tiles/status.h"

namespace tiles {

class PreloadedKernel {
public:
    explicit PreloadedKernel(const void* function) noexcept;

    const void* function() const { return function_; }
    const PreloadedKernel* next() const { return next_; }

    // The first of the list.
    static const PreloadedKernel* first() noexcept;

private:
    const void* function_;
    const PreloadedKernel* next_;
};

template <auto kFunction>
struct Preloaded {
    static inline const PreloadedKernel kEntry{reinterpret_cast<const void*>(kFunction)};
};

// The kernel itself, to launch.
template <auto kFunction>
constexpr auto preloaded() {
    (void)&Preloaded<kFunction>::kEntry;  // names it, so that it is made
    return kFunction;
}

// Loads all of them on the current device.
Status load_kernels() noexcept;

}  // namespace tiles
