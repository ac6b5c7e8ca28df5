// Materials that hold handles of textures: every pixel picks one, so lanes of a warp read textures of unlike formats.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#define CHECK(x)                                                   \
    do {                                                           \
        cudaError_t e_ = (x);                                      \
        if (e_ != cudaSuccess) {                                   \
            printf("%s failed: %s\n", #x, cudaGetErrorString(e_)); \
            exit(2);                                               \
        }                                                          \
    } while (0)

struct Material {
    cudaTextureObject_t albedo;  // normalised or float
    cudaTextureObject_t index;   // integers, by whole numbers of texels
    int width, height;
    float scale;
};

struct Image {
    cudaResourceType type;
    cudaTextureObject_t tex;
    uint2 size;
};

__device__ float4 shade(const Material& m, float u, float v) {
    if (m.albedo == 0) return make_float4(1, 0, 1, 1);  // none: pink
    float4 c = tex2D<float4>(m.albedo, u * m.scale, v * m.scale);
    return c;
}

__global__ void render(const Material* materials, int count, const uint8_t* which, float4* out, unsigned* ids, int w,
                       int h) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    const int i = y * w + x;
    const Material m = materials[which[i] % count];
    out[i] = shade(m, (x + 0.5f) / w, (y + 0.5f) / h);
    ids[i] = m.index ? tex2D<unsigned>(m.index, x % m.width + 0.5f, y % m.height + 0.5f) : 0xffffffffu;
}

static cudaArray_t array_of(const cudaChannelFormatDesc& desc, int w, int h, const void* data, size_t texel) {
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &desc, w, h, cudaArrayDefault));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, data, w * texel, w * texel, h, cudaMemcpyHostToDevice));
    return array;
}

static cudaTextureObject_t texture_of(cudaArray_t array, bool normalised, bool reads_numbers) {
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    cudaTextureDesc t = {};
    t.addressMode[0] = t.addressMode[1] = cudaAddressModeWrap;
    t.filterMode = cudaFilterModePoint;
    t.readMode = reads_numbers ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    t.normalizedCoords = normalised;
    cudaTextureObject_t object = 0;
    CHECK(cudaCreateTextureObject(&object, &r, &t, nullptr));
    return object;
}

int main() {
    const int w = 48, h = 32;
    std::vector<Material> materials;
    std::vector<cudaArray_t> arrays;
    // Floats, bytes, pairs of 16 bits, halves, and no texture at all.
    std::vector<float4> floats(8 * 8);
    std::vector<uchar4> bytes(16 * 4);
    std::vector<ushort2> shorts(10 * 10);
    std::vector<__half> halves(4 * 4 * 4);
    std::vector<unsigned> ids(5 * 3);
    std::vector<uint8_t> small(7 * 2);
    for (int i = 0; i < 64; i++) floats[i] = make_float4(i / 64.0f, i / 32.0f, -i, 1);
    for (int i = 0; i < 64; i++) bytes[i] = make_uchar4(i, 2 * i, 3 * i, 255 - i);
    for (int i = 0; i < 100; i++) shorts[i] = make_ushort2(i * 655, 65535 - i);
    for (int i = 0; i < 64; i++) halves[i] = __float2half(i / 8.0f - 3);
    for (int i = 0; i < 15; i++) ids[i] = 1000000007u * i;
    for (int i = 0; i < 14; i++) small[i] = (uint8_t)(i * 17);
    arrays.push_back(array_of(cudaCreateChannelDesc<float4>(), 8, 8, floats.data(), sizeof(float4)));
    arrays.push_back(array_of(cudaCreateChannelDesc<uchar4>(), 16, 4, bytes.data(), sizeof(uchar4)));
    arrays.push_back(array_of(cudaCreateChannelDesc<ushort2>(), 10, 10, shorts.data(), sizeof(ushort2)));
    arrays.push_back(array_of(cudaCreateChannelDescHalf4(), 4, 4, halves.data(), 4 * sizeof(__half)));
    arrays.push_back(array_of(cudaCreateChannelDesc<unsigned>(), 5, 3, ids.data(), sizeof(unsigned)));
    arrays.push_back(array_of(cudaCreateChannelDesc<unsigned char>(), 7, 2, small.data(), 1));
    cudaTextureObject_t id_tex = texture_of(arrays[4], false, false), small_tex = texture_of(arrays[5], false, false);
    materials.push_back({texture_of(arrays[0], true, false), id_tex, 5, 3, 1.0f});
    materials.push_back({texture_of(arrays[1], true, true), small_tex, 7, 2, 2.0f});
    materials.push_back({texture_of(arrays[2], true, true), 0, 1, 1, 1.0f});
    materials.push_back({texture_of(arrays[3], true, false), id_tex, 5, 3, 4.0f});
    materials.push_back({0, small_tex, 7, 2, 1.0f});

    Material* d_materials;
    uint8_t* d_which;
    float4* d_out;
    unsigned* d_ids;
    std::vector<uint8_t> which(w * h);
    for (int i = 0; i < w * h; i++) which[i] = (uint8_t)((i * 7 + i / 11) & 63);
    CHECK(cudaMalloc(&d_materials, materials.size() * sizeof(Material)));
    CHECK(cudaMalloc(&d_which, w * h));
    CHECK(cudaMalloc(&d_out, w * h * sizeof(float4)));
    CHECK(cudaMalloc(&d_ids, w * h * sizeof(unsigned)));
    CHECK(cudaMemcpy(d_materials, materials.data(), materials.size() * sizeof(Material), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_which, which.data(), w * h, cudaMemcpyHostToDevice));
    render<<<dim3(w / 16, h / 8), dim3(16, 8)>>>(d_materials, (int)materials.size(), d_which, d_out, d_ids, w, h);
    CHECK(cudaPeekAtLastError());
    std::vector<float4> out(w * h);
    std::vector<unsigned> found(w * h);
    CHECK(cudaMemcpy(out.data(), d_out, w * h * sizeof(float4), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(found.data(), d_ids, w * h * sizeof(unsigned), cudaMemcpyDeviceToHost));

    int bad = 0;
    uint64_t hash = 1;
    for (int i = 0; i < w * h; i++) {
        const int x = i % w, y = i / w, m = which[i] % 5;
        const float u = (x + 0.5f) / w * materials[m].scale, v = (y + 0.5f) / h * materials[m].scale;
        const auto texel = [&](int tw, int th) { return (int)floorf(v * th) % th * tw + (int)floorf(u * tw) % tw; };
        float4 want = make_float4(1, 0, 1, 1);
        if (m == 0) want = floats[texel(8, 8)];
        if (m == 1) {
            const uchar4 c = bytes[texel(16, 4)];
            want = make_float4(c.x / 255.0f, c.y / 255.0f, c.z / 255.0f, c.w / 255.0f);
        }
        if (m == 2) want = make_float4(shorts[texel(10, 10)].x / 65535.0f, shorts[texel(10, 10)].y / 65535.0f, 0, 0);
        if (m == 3) {
            const __half* c = &halves[4 * texel(4, 4)];
            want = make_float4(__half2float(c[0]), __half2float(c[1]), __half2float(c[2]), __half2float(c[3]));
        }
        const unsigned id = m == 2 ? 0xffffffffu : m == 0 || m == 3 ? ids[y % 3 * 5 + x % 5] : small[y % 2 * 7 + x % 7];
        const float4 got = out[i];
        bad += got.x != want.x || got.y != want.y || got.z != want.z || got.w != want.w || found[i] != id;
        for (const float c : {got.x, got.y, got.z, got.w}) hash = hash * 131 + (uint64_t)(int64_t)(c * 4096);
        hash = hash * 131 + found[i];
    }
    printf("hash %016llx, %d of %d pixels wrong: %s\n", (unsigned long long)hash, bad, w * h, bad ? "FAIL" : "PASS");
    cudaResourceDesc back;
    cudaTextureDesc desc;
    CHECK(cudaGetTextureObjectResourceDesc(&back, materials[1].albedo));
    CHECK(cudaGetTextureObjectTextureDesc(&desc, materials[1].albedo));
    printf("the second's object: type %d, read mode %d, its array %s\n", back.resType, desc.readMode,
           back.res.array.array == arrays[1] ? "the same" : "another");
    for (const Material& m : materials)
        if (m.albedo) CHECK(cudaDestroyTextureObject(m.albedo));
    CHECK(cudaDestroyTextureObject(id_tex));
    CHECK(cudaDestroyTextureObject(small_tex));
    for (cudaArray_t a : arrays) CHECK(cudaFreeArray(a));
    CHECK(cudaFree(d_materials));
    CHECK(cudaFree(d_which));
    CHECK(cudaFree(d_out));
    CHECK(cudaFree(d_ids));
    return bad != 0;
}
