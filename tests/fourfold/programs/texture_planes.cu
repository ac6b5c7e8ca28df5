// A picture through textures: points and blends, edges that clamp, wrap, mirror or end, and bytes as fractions.
#include "fourfold.cuh"

__global__ void sample(cudaTextureObject_t texture, float* out, int width, float step, float start) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < width) out[y * width + x] = tex2D<float>(texture, start + x * step, start + y * step);
}

int main() {
    constexpr int width = 16, height = 12, wide = 40, high = 20;
    const std::vector<float> values = numbers<float>(width * height, 0, 1);
    const std::vector<unsigned char> bytes = numbers<unsigned char>(width * height, 0, 255, 3);
    const cudaChannelFormatDesc floats = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat),
                                small = cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindUnsigned);
    cudaArray_t picture, coded;
    CHECK(cudaMallocArray(&picture, &floats, width, height));
    CHECK(cudaMallocArray(&coded, &small, width, height));
    CHECK(cudaMemcpy2DToArray(picture, 0, 0, values.data(), width * sizeof(float), width * sizeof(float), height,
                              cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy2DToArray(coded, 0, 0, bytes.data(), width, width, height, cudaMemcpyHostToDevice));
    const Buffer<float> out(wide * high);
    int bad = 0;
    for (int form = 0; form < 6; ++form) {
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = form == 5 ? coded : picture;
        cudaTextureDesc how{};
        const cudaTextureAddressMode modes[] = {cudaAddressModeClamp,  cudaAddressModeBorder, cudaAddressModeWrap,
                                                cudaAddressModeMirror, cudaAddressModeClamp,  cudaAddressModeClamp};
        how.addressMode[0] = how.addressMode[1] = modes[form];
        how.filterMode = form == 4 ? cudaFilterModeLinear : cudaFilterModePoint;
        how.normalizedCoords = form == 2 || form == 3;
        how.readMode = form == 5 ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
        cudaTextureObject_t texture = 0;
        CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
        sample<<<dim3(1, high), 64>>>(texture, out, wide, how.normalizedCoords ? 0.0625f : 0.75f,
                                      how.normalizedCoords ? -0.46875f : -2.25f);
        std::vector<float> found = out.host();
        tell("form", found);
        if (form == 0) {
            int off = 0;
            for (int i = 0; i < wide * high; ++i) {
                const int x = std::min(std::max(int(std::floor(-2.25 + i % wide * 0.75)), 0), width - 1),
                          y = std::min(std::max(int(std::floor(-2.25 + i / wide * 0.75)), 0), height - 1);
                off += found[i] != values[y * width + x];
            }
            bad += verdict("clamped points", off == 0);
        }
        CHECK(cudaDestroyTextureObject(texture));
    }
    CHECK(cudaFreeArray(picture));
    CHECK(cudaFreeArray(coded));
    return bad;
}
