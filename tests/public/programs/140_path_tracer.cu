// Like aczw/cuda-path-tracer src/path_tracer.cu (and its headers; vectors of its own library); flags: -std=c++20
#include <cuda.h>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/partition.h>
#include <thrust/random.h>
#include <thrust/remove.h>
#include <thrust/tuple.h>
#include <cmath>
#include <cstdio>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <numbers>
#include <vector>
struct Ray {
    float x, y;
};
struct PathSegment {
    Ray ray;
    float radiance;
    int pixel_index;
    int remaining_bounces;
};
__host__ __device__ thrust::default_random_engine seeded(int iter, int index) {
    return thrust::default_random_engine(iter * 7919 + index * 31 + 1);
}
__device__ cuda::std::optional<float> hit(const Ray& ray, float radius) {
    const float d = ray.x * ray.x + ray.y * ray.y;
    if (d > radius * radius) return cuda::std::nullopt;
    return std::sqrt(radius * radius - d);
}
__global__ void kern_gen_rays(int n, PathSegment* segments, int depth) {
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= n) return;
    thrust::default_random_engine rng = seeded(1, index);
    thrust::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
    const float x = uniform(rng);
    segments[index] = {
        .ray = {.x = x, .y = uniform(rng)}, .radiance = 0.0f, .pixel_index = index, .remaining_bounces = depth};
}
__global__ void kern_hit(int n, PathSegment* segments, float* found) {
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= n) return;
    float t = cuda::std::numeric_limits<float>::max();
    if (auto at = hit(segments[index].ray, 0.9f); at.has_value()) t = *at;
    found[index] = t;
}
struct IsHit {
    __host__ __device__ bool operator()(const thrust::tuple<float, PathSegment>& t) const {
        return thrust::get<0>(t) < 1e30f;
    }
};
int main() {
    const int n = 512;
    PathSegment* d;
    float* found;
    cudaMalloc(&d, n * sizeof(PathSegment));
    cudaMalloc(&found, n * sizeof(float));
    kern_gen_rays<<<(n + 127) / 128, 128>>>(n, d, 4);
    kern_hit<<<(n + 127) / 128, 128>>>(n, d, found);
    thrust::device_ptr<PathSegment> segments(d);
    thrust::device_ptr<float> hits(found);
    auto begin = thrust::make_zip_iterator(thrust::make_tuple(hits, segments));
    auto end = thrust::partition(begin, begin + n, IsHit{});
    const int kept = end - begin;
    std::vector<PathSegment> h(n);
    std::vector<float> t(n);
    cudaMemcpy(h.data(), d, n * sizeof(PathSegment), cudaMemcpyDeviceToHost);
    cudaMemcpy(t.data(), found, n * sizeof(float), cudaMemcpyDeviceToHost);
    bool ok = kept > 0 && kept < n;
    for (int i = 0; i < n; i++) {
        thrust::default_random_engine rng = seeded(1, h[i].pixel_index);
        thrust::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
        ok = ok && h[i].ray.x == uniform(rng) && (t[i] < 1e30f) == (i < kept);
    }
    std::printf("share of the square %f, of pi %f\n%s\n", kept / (float)n, 0.81 * std::numbers::pi / 4,
                ok ? "PASS" : "FAIL");
    cudaFree(d);
    cudaFree(found);
    return !ok;
}
