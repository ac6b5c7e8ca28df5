// Linear memory through textures: a line by element, a plane with a pitch, and integers as they are.
#include "fourfold.cuh"

__global__ void gather(cudaTextureObject_t line, const int* where, int4* out, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) out[i] = tex1Dfetch<int4>(line, where[i]);
}
__global__ void turned(cudaTextureObject_t plane, short* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < width) out[x * height + y] = tex2D<short>(plane, x, y);
}

int main() {
    constexpr int count = 200, width = 50, height = 16;
    const std::vector<int> values = numbers<int>(count * 4, -1000, 1000), where = numbers<int>(count, 0, count - 1, 3);
    const std::vector<short> plane = numbers<short>(width * height, -900, 900);
    std::vector<int> expected;
    std::vector<short> flipped(plane.size());
    for (const int at : where) expected.insert(expected.end(), values.begin() + 4 * at, values.begin() + 4 * at + 4);
    for (int i = 0; i < width * height; ++i) flipped[i % width * height + i / width] = plane[i];
    const Buffer<int> line(values), places(where), out(count * 4);
    const Buffer<short> back(plane.size());
    short* pitched = nullptr;
    std::size_t pitch = 0;
    CHECK(cudaMallocPitch((void**)&pitched, &pitch, width * sizeof(short), height));
    CHECK(cudaMemcpy2D(pitched, pitch, plane.data(), width * sizeof(short), width * sizeof(short), height,
                       cudaMemcpyHostToDevice));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = line.at;
    resource.res.linear.desc = cudaCreateChannelDesc(32, 32, 32, 32, cudaChannelFormatKindSigned);
    resource.res.linear.sizeInBytes = values.size() * sizeof(int);
    cudaTextureDesc how{};
    cudaTextureObject_t a = 0, b = 0;
    CHECK(cudaCreateTextureObject(&a, &resource, &how, nullptr));
    resource = cudaResourceDesc{};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = pitched, resource.res.pitch2D.pitchInBytes = pitch;
    resource.res.pitch2D.width = width, resource.res.pitch2D.height = height;
    resource.res.pitch2D.desc = cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindSigned);
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    CHECK(cudaCreateTextureObject(&b, &resource, &how, nullptr));
    gather<<<2, 128>>>(a, places, (int4*)out.at, count);
    turned<<<dim3(1, height), 64>>>(b, back, width, height);
    const int bad = same("gathered", out.host(), expected) + same("turned", back.host(), flipped);
    CHECK(cudaDestroyTextureObject(a));
    CHECK(cudaDestroyTextureObject(b));
    CHECK(cudaFree(pitched));
    return bad;
}
