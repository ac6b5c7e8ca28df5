// Rays that meet spheres in constant memory: the nearest, its normal, its light.
#include "fourfold.cuh"

struct Sphere {
    float3 at;
    float radius;
};

__constant__ Sphere spheres[8];

__host__ __device__ inline bool meets(const Sphere& s, float x, float y, float& depth, float& light) {
    const float dx = x - s.at.x, dy = y - s.at.y, left = s.radius * s.radius - dx * dx - dy * dy;
    if (left <= 0) return false;
    const float dz = sqrtf(left);
    depth = dz + s.at.z;
    light = dz / s.radius;
    return true;
}

__global__ void trace(float* out, int width, int height, int count) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float nearest = -1e9f, shade = 0;
    for (int i = 0; i < count; ++i) {
        float depth, light;
        if (meets(spheres[i], x, y, depth, light) && depth > nearest) nearest = depth, shade = light;
    }
    out[y * width + x] = shade;
}

int main() {
    constexpr int width = 60, height = 44, count = 8;
    Sphere made[count];
    const std::vector<float> r = numbers<float>(count * 4, 0, 1);
    for (int i = 0; i < count; ++i)
        made[i] = {{r[4 * i] * width, r[4 * i + 1] * height, r[4 * i + 2] * 30}, 3 + r[4 * i + 3] * 12};
    std::vector<float> expected(width * height);
    for (int i = 0; i < width * height; ++i) {
        float nearest = -1e9f, depth, light;
        for (const Sphere& s : made)
            if (meets(s, i % width, i / width, depth, light) && depth > nearest) nearest = depth, expected[i] = light;
    }
    CHECK(cudaMemcpyToSymbol(spheres, made, sizeof made));
    const Buffer<float> out(width * height);
    trace<<<dim3(4, 6), dim3(16, 8)>>>(out, width, height, count);
    return near("picture", out.host(), expected, 1e-4);
}
