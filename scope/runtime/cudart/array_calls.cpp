// cudaMallocArray and its kin.
#include "scope/runtime/cudart/array_abi.h"
#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/service/arrays/arrays.h"

namespace tilescope::runtime {

// Describes a texel; needs no device.
TILESCOPE_API abi::ChannelFormat cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
    return {x, y, z, w, kind};
}

TILESCOPE_API cudaError cudaMallocArray(void** array, const abi::ChannelFormat* format, std::size_t width,
                                        std::size_t height, unsigned flags) {
    return on_device([&](Runtime& runtime) {
        if (array == nullptr || format == nullptr) return Status::kInvalidValue;
        Array* made = nullptr;
        const Status status = make_array(runtime, channels_from(*format), {width, height, 0}, flags, made);
        if (status == Status::kOk) *array = made;
        return status;
    });
}

TILESCOPE_API cudaError cudaMalloc3DArray(void** array, const abi::ChannelFormat* format, abi::Extent extent,
                                          unsigned flags) {
    return on_device([&](Runtime& runtime) {
        if (array == nullptr || format == nullptr) return Status::kInvalidValue;
        Array* made = nullptr;
        const Status status =
            make_array(runtime, channels_from(*format), {extent.width, extent.height, extent.depth}, flags, made);
        if (status == Status::kOk) *array = made;
        return status;
    });
}

TILESCOPE_API cudaError cudaMallocMipmappedArray(void** array, const abi::ChannelFormat* format, abi::Extent extent,
                                                 unsigned levels, unsigned flags) {
    return on_device([&](Runtime& runtime) {
        if (array == nullptr || format == nullptr) return Status::kInvalidValue;
        MipmappedArray* made = nullptr;
        const Status status = make_mipmapped_array(runtime, channels_from(*format),
                                                   {extent.width, extent.height, extent.depth}, levels, flags, made);
        if (status == Status::kOk) *array = made;
        return status;
    });
}

TILESCOPE_API cudaError cudaGetMipmappedArrayLevel(void** level_array, const void* mipmapped, unsigned level) {
    return on_device([&](Runtime& runtime) {
        if (level_array == nullptr) return Status::kInvalidValue;
        Array* found = nullptr;
        const Status status = level_of_array(runtime, mipmapped, level, found);
        if (status == Status::kOk) *level_array = found;
        return status;
    });
}

TILESCOPE_API cudaError cudaFreeArray(void* array) {
    return on_device([&](Runtime& runtime) { return free_array(runtime, array); });
}

TILESCOPE_API cudaError cudaFreeMipmappedArray(void* array) {
    return on_device([&](Runtime& runtime) { return free_mipmapped_array(runtime, array); });
}

TILESCOPE_API cudaError cudaArrayGetInfo(abi::ChannelFormat* format, abi::Extent* extent, unsigned* flags,
                                         void* handle) {
    return on_device([&](Runtime& runtime) {
        const Array* const array = runtime.arrays().array(handle);
        if (array == nullptr) return Status::kInvalidHandle;
        if (format != nullptr) *format = abi_of(array->channels);
        if (extent != nullptr) *extent = {array->extent.width, array->extent.height, array->extent.depth};
        if (flags != nullptr) *flags = array->flags;
        return Status::kOk;
    });
}

TILESCOPE_API cudaError cudaGetChannelDesc(abi::ChannelFormat* format, const void* handle) {
    return on_device([&](Runtime& runtime) {
        const Array* const array = runtime.arrays().array(handle);
        if (array == nullptr) return Status::kInvalidHandle;
        if (format == nullptr) return Status::kInvalidValue;
        *format = abi_of(array->channels);
        return Status::kOk;
    });
}

TILESCOPE_API cudaError cudaDeviceGetTexture1DLinearMaxWidth(std::size_t* width, const abi::ChannelFormat* format,
                                                             int device) {
    return ask_device([&](Runtime&) {
        constexpr std::size_t kTexels = std::size_t{1} << 30;
        bool always_normalises = false;
        if (width == nullptr || format == nullptr) return Status::kInvalidValue;
        if (device != 0) return Status::kInvalidDevice;
        if (!format_of(channels_from(*format), always_normalises)) return Status::kInvalidChannels;
        *width = kTexels;
        return Status::kOk;
    });
}

}  // namespace tilescope::runtime
