// A picture made larger and smaller between its pixels, of four channels in one word.
#include "fourfold.cuh"

__host__ __device__ inline float4 blend(float4 a, float4 b, float t) {
    return float4{a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t, a.w + (b.w - a.w) * t};
}
__host__ __device__ inline float4 widen(uchar4 c) { return float4{float(c.x), float(c.y), float(c.z), float(c.w)}; }

__host__ __device__ inline uchar4 sample(const uchar4* in, int width, int height, float x, float y) {
    const int left = int(x), top = int(y), right = left + 1 < width ? left + 1 : left,
              low = top + 1 < height ? top + 1 : top;
    const float4 a = blend(widen(in[top * width + left]), widen(in[top * width + right]), x - left);
    const float4 b = blend(widen(in[low * width + left]), widen(in[low * width + right]), x - left);
    const float4 c = blend(a, b, y - top);
    return uchar4{static_cast<unsigned char>(c.x + 0.5f), static_cast<unsigned char>(c.y + 0.5f),
                  static_cast<unsigned char>(c.z + 0.5f), static_cast<unsigned char>(c.w + 0.5f)};
}

__global__ void resize(const uchar4* in, int width, int height, uchar4* out, int wide, int high) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < wide && y < high) out[y * wide + x] = sample(in, width, height, x * 0.5f, y * 0.75f);
}

int main() {
    constexpr int width = 24, height = 30, wide = 48, high = 40;
    const std::vector<unsigned char> bytes = numbers<unsigned char>(width * height * 4, 0, 255);
    const auto* image = reinterpret_cast<const uchar4*>(bytes.data());
    std::vector<unsigned char> expected(wide * high * 4);
    for (int i = 0; i < wide * high; ++i)
        reinterpret_cast<uchar4*>(expected.data())[i] = sample(image, width, height, i % wide * 0.5f, i / wide * 0.75f);
    const Buffer<unsigned char> in(bytes), out(expected.size());
    resize<<<dim3(3, 5), dim3(16, 8)>>>((const uchar4*)in.at, width, height, (uchar4*)out.at, wide, high);
    const std::vector<unsigned char> found = out.host();
    int off = 0;
    for (std::size_t i = 0; i < found.size(); ++i) off += std::abs(found[i] - expected[i]) > 1;
    tell("picture", found);
    return verdict("within a step of a byte", off == 0);
}
