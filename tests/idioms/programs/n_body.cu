// Gravity among all pairs of bodies: positions pass through shared memory a tile at a time, leapfrog steps.
#include <cmath>
#include <utility>

#include "program.cuh"

constexpr int kTile = 64;
constexpr float kSoftening = 0.01f;

__device__ float3 pull(float3 sum, float4 on, float4 from) {
    const float3 d = make_float3(from.x - on.x, from.y - on.y, from.z - on.z);
    const float inverse = rsqrtf(d.x * d.x + d.y * d.y + d.z * d.z + kSoftening);
    const float strength = from.w * inverse * inverse * inverse;
    sum.x += d.x * strength, sum.y += d.y * strength, sum.z += d.z * strength;
    return sum;
}
__global__ void __launch_bounds__(kTile)
    step(const float4* __restrict__ before, float4* __restrict__ after, float3* velocity, int n, float dt) {
    __shared__ float4 tile[kTile];
    const int i = blockIdx.x * kTile + threadIdx.x;
    const float4 own = i < n ? before[i] : make_float4(0, 0, 0, 0);
    float3 sum = make_float3(0, 0, 0);
    for (int base = 0; base < n; base += kTile) {
        const int j = base + static_cast<int>(threadIdx.x);
        tile[threadIdx.x] = j < n ? before[j] : make_float4(0, 0, 0, 0);  // no mass behind the end
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < kTile; ++k) sum = pull(sum, own, tile[k]);
        __syncthreads();
    }
    if (i >= n) return;
    float3 v = velocity[i];
    v.x += sum.x * dt, v.y += sum.y * dt, v.z += sum.z * dt;
    velocity[i] = v;
    after[i] = make_float4(own.x + v.x * dt, own.y + v.y * dt, own.z + v.z * dt, own.w);
}

int main() {
    constexpr int n = 200, steps = 3;
    constexpr float dt = 0.01f;
    std::vector<float4> bodies(n);
    for (int i = 0; i < n; ++i)
        bodies[i] =
            make_float4(std::sin(i * 1.3f), std::cos(i * 2.1f), std::sin(i * 0.7f + 1.0f), (1.0f + i % 5) / (3.0f * n));
    std::vector<float3> still(n, make_float3(0, 0, 0));

    std::vector<double> place(3 * n), speed(3 * n, 0.0);
    for (int i = 0; i < n; ++i)
        place[3 * i] = bodies[i].x, place[3 * i + 1] = bodies[i].y, place[3 * i + 2] = bodies[i].z;
    for (int s = 0; s < steps; ++s) {
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                double d[3], square = kSoftening;
                for (int c = 0; c < 3; ++c) d[c] = place[3 * j + c] - place[3 * i + c], square += d[c] * d[c];
                for (int c = 0; c < 3; ++c) speed[3 * i + c] += dt * bodies[j].w * d[c] / (square * std::sqrt(square));
            }
        for (int c = 0; c < 3 * n; ++c) place[c] += dt * speed[c];
    }

    float4 *a = to_device(bodies), *b = to_device(bodies);
    float3* v = to_device(still);
    for (int s = 0; s < steps; ++s) {
        step<<<(n + kTile - 1) / kTile, kTile>>>(a, b, v, n, dt);
        CHECK(cudaGetLastError());
        std::swap(a, b);
    }
    CHECK(cudaDeviceSynchronize());
    const std::vector<float4> found = to_host(a, n);
    const std::vector<float3> moved = to_host(v, n);
    bool places = true, speeds = true;
    double momentum = 0;
    for (int i = 0; i < n; ++i) {
        const float at[3] = {found[i].x, found[i].y, found[i].z}, v_at[3] = {moved[i].x, moved[i].y, moved[i].z};
        for (int c = 0; c < 3; ++c) {
            places &= std::abs(at[c] - place[3 * i + c]) < 1e-5;
            speeds &= std::abs(v_at[c] - speed[3 * i + c]) < 1e-4;
        }
        momentum += moved[i].x * found[i].w;
    }
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(v));
    return verdict("places of bodies", places) | verdict("speeds of bodies", speeds) |
           verdict("momentum is kept", std::abs(momentum) < 1e-5);
}
