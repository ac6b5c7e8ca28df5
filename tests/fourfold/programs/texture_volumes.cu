// A volume and layers of planes through textures, filled by copies of boxes.
#include "fourfold.cuh"

__global__ void through(cudaTextureObject_t volume, float* out, int side) {
    const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
    out[(z * side + y) * side + x] =
        tex3D<float>(volume, x + 0.5f, y + 0.5f, z + 0.5f) + tex3D<float>(volume, x + 1.0f, y + 0.5f, z + 0.5f) * 10;
}
__global__ void across(cudaTextureObject_t layers, float2* out, int side) {
    const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
    out[(z * side + y) * side + x] = tex2DLayered<float2>(layers, side - 1 - x, y, z);
}

int main() {
    constexpr int side = 8, count = side * side * side;
    std::vector<float> values = numbers<float>(count, 0, 1), pairs = numbers<float>(count * 2, 0, 1, 2),
                       expected(count), turned(count * 2);
    const cudaChannelFormatDesc one = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat),
                                two = cudaCreateChannelDesc(32, 32, 0, 0, cudaChannelFormatKindFloat);
    const cudaExtent extent{side, side, side};
    cudaArray_t volume, layers;
    CHECK(cudaMalloc3DArray(&volume, &one, extent));
    CHECK(cudaMalloc3DArray(&layers, &two, extent, cudaArrayLayered));
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(values.data(), side * sizeof(float), side, side);
    copy.dstArray = volume, copy.extent = extent, copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    copy.srcPtr = make_cudaPitchedPtr(pairs.data(), side * 2 * sizeof(float), side, side);
    copy.dstArray = layers;
    CHECK(cudaMemcpy3D(&copy));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    cudaTextureDesc how{};
    how.filterMode = cudaFilterModeLinear;
    for (cudaTextureAddressMode& mode : how.addressMode) mode = cudaAddressModeClamp;
    cudaTextureObject_t a = 0, b = 0;
    resource.res.array.array = volume;
    CHECK(cudaCreateTextureObject(&a, &resource, &how, nullptr));
    resource.res.array.array = layers, how.filterMode = cudaFilterModePoint;
    CHECK(cudaCreateTextureObject(&b, &resource, &how, nullptr));
    const Buffer<float> out(count), second(count * 2);
    through<<<side, dim3(side, side)>>>(a, out, side);
    across<<<side, dim3(side, side)>>>(b, (float2*)second.at, side);
    for (int i = 0; i < count; ++i) {
        expected[i] = values[i] + 5 * (values[i] + values[i % side < side - 1 ? i + 1 : i]);
        const int from = i / side * side + side - 1 - i % side;
        turned[2 * i] = pairs[2 * from], turned[2 * i + 1] = pairs[2 * from + 1];
    }
    CHECK(cudaDestroyTextureObject(a));
    CHECK(cudaDestroyTextureObject(b));
    CHECK(cudaFreeArray(volume));
    CHECK(cudaFreeArray(layers));
    return near("volume", out.host(), expected, 1e-2) + same("layers", second.host(), turned);
}
