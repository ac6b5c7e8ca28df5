// Where a card puts an array's texels: memory that is both an array and a plain range is filled with the numbers of its
// words and read through a texture. Prints one line for each array: the bits of a texel's place, as far as each is one
// bit of a coordinate, and whether places that these bits make are all places. Build with -lcuda.
#include <cuda.h>

#include <unistd.h>
#include <string>
#include <vector>

#include "../../examples/check.h"

namespace {

#define DRIVER(call)                                               \
    do {                                                           \
        const CUresult status_ = (call);                           \
        if (status_ != CUDA_SUCCESS) {                             \
            const char* name_ = "?";                               \
            cuGetErrorName(status_, &name_);                       \
            std::printf("%s:%d: %s\n", __FILE__, __LINE__, name_); \
            return false;                                          \
        }                                                          \
    } while (0)

__global__ void number(unsigned* words, std::size_t count) {
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        words[i] = unsigned(i);
}
__global__ void read(cudaTextureObject_t t, unsigned* to, int w, int h, int d, bool is_volume) {
    const std::size_t count = std::size_t(w) * h * d;
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        const int x = i % w, y = i / w % h, z = i / w / h;
        to[i] = is_volume ? tex3D<unsigned>(t, x + 0.5f, y + 0.5f, z + 0.5f)
                          : tex2DLayered<unsigned>(t, x + 0.5f, y + 0.5f, z);
    }
}

void say(const char* name, const std::vector<unsigned>& at, int w, int h, int d) {
    const auto of = [&](int x, int y, int z) { return at[(std::size_t(z) * h + y) * w + x]; };
    const unsigned first = of(0, 0, 0);
    std::printf("%s %dx%dx%d: first at byte %u;", name, w, h, d, first * 4);
    for (int axis = 0; axis < 3; ++axis) {
        std::printf(" %c", "xyz"[axis]);
        const int size = axis == 0 ? w : axis == 1 ? h : d;
        for (int bit = 1; bit < size; bit *= 2)
            std::printf(" %d:%+lld", bit,
                        4ll * (long long)(of(axis == 0 ? bit : 0, axis == 1 ? bit : 0, axis == 2 ? bit : 0) -
                                          (long long)first));
    }
    // Whether steps add up.
    std::size_t odd = 0;
    for (int z = 0; z < d; ++z)
        for (int y = 0; y < h; ++y)
            for (int x = 0; x < w; ++x) {
                long long sum = first;
                for (int bit = 1; bit <= x; bit *= 2)
                    if (x & bit) sum += (long long)of(bit, 0, 0) - first;
                for (int bit = 1; bit <= y; bit *= 2)
                    if (y & bit) sum += (long long)of(0, bit, 0) - first;
                for (int bit = 1; bit <= z; bit *= 2)
                    if (z & bit) sum += (long long)of(0, 0, bit) - first;
                odd += sum != (long long)of(x, y, z);
            }
    std::printf("; %zu of %zu do not add up\n", odd, at.size());
}

bool layout(int w, int h, int d, bool is_volume) {
    CUmemAllocationProp wanted{};
    wanted.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    wanted.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    wanted.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    std::size_t unit = 0;
    DRIVER(cuMemGetAllocationGranularity(&unit, &wanted, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
    const std::size_t bytes = (std::size_t(w) * h * d * 4 * 2 + unit) / unit * unit;
    CUmemGenericAllocationHandle handle;
    DRIVER(cuMemCreate(&handle, bytes, &wanted, 0));
    CUdeviceptr place = 0;
    DRIVER(cuMemAddressReserve(&place, bytes, 0, 0, 0));
    DRIVER(cuMemMap(place, bytes, 0, handle, 0));
    CUmemAccessDesc access{};
    access.location = wanted.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    DRIVER(cuMemSetAccess(place, bytes, &access, 1));
    number<<<264, 256>>>(reinterpret_cast<unsigned*>(place), bytes / 4);
    CHECK(cudaDeviceSynchronize());
    int fd = -1;
    DRIVER(cuMemExportToShareableHandle(&fd, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC import{};
    import.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
    import.handle.fd = fd;
    import.size = bytes;
    CUexternalMemory memory;
    DRIVER(cuImportExternalMemory(&memory, &import));
    CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC shape{};
    shape.arrayDesc = {std::size_t(w),
                       std::size_t(h),
                       std::size_t(d),
                       CU_AD_FORMAT_UNSIGNED_INT32,
                       1,
                       is_volume ? 0u : unsigned(CUDA_ARRAY3D_LAYERED)};
    shape.numLevels = 1;
    CUmipmappedArray levels;
    DRIVER(cuExternalMemoryGetMappedMipmappedArray(&levels, memory, &shape));
    CUarray array;
    DRIVER(cuMipmappedArrayGetLevel(&array, levels, 0));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = reinterpret_cast<cudaArray_t>(array);
    cudaTextureDesc how{};
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t t = 0;
    CHECK(cudaCreateTextureObject(&t, &resource, &how, nullptr));
    unsigned* to = device_buffer<unsigned>(std::size_t(w) * h * d);
    read<<<264, 256>>>(t, to, w, h, d, is_volume);
    CHECK(cudaDeviceSynchronize());
    say(is_volume ? "volume" : "layers", to_host(to, std::size_t(w) * h * d), w, h, d);
    CHECK(cudaFree(to));
    return true;
}

}  // namespace

int main() {
    CHECK(cudaFree(nullptr));
    struct Size {
        int w, h, d;
    };
    for (const Size& size : std::vector<Size>{{64, 8, 1},
                                              {64, 16, 1},
                                              {64, 64, 1},
                                              {256, 256, 1},
                                              {512, 512, 1},
                                              {300, 200, 1},
                                              {2048, 2048, 1},
                                              {256, 64, 4}})
        layout(size.w, size.h, size.d, false);
    for (const Size& size : std::vector<Size>{{64, 64, 64}, {128, 128, 128}, {64, 64, 4}, {32, 32, 16}})
        layout(size.w, size.h, size.d, true);
    // How much an array of its own takes.
    for (const Size& size : std::vector<Size>{{64, 8, 0},
                                              {64, 64, 0},
                                              {256, 256, 0},
                                              {300, 200, 0},
                                              {1000, 1000, 0},
                                              {4096, 4096, 0},
                                              {64, 64, 64},
                                              {100, 100, 100}}) {
        const auto [w, h, d] = size;
        CUDA_ARRAY3D_DESCRIPTOR shape{std::size_t(w),
                                      std::size_t(h),
                                      std::size_t(d),
                                      CU_AD_FORMAT_UNSIGNED_INT32,
                                      1,
                                      CUDA_ARRAY3D_DEFERRED_MAPPING};
        CUarray array;
        CUDA_ARRAY_MEMORY_REQUIREMENTS needs{};
        if (cuArray3DCreate(&array, &shape) != CUDA_SUCCESS ||
            cuArrayGetMemoryRequirements(&needs, array, 0) != CUDA_SUCCESS)
            continue;
        std::printf("%dx%dx%d of 4 bytes: takes %zu bytes, aligned to %zu\n", w, h, d, needs.size, needs.alignment);
    }
    return 0;
}
