// Structures that a single load could fetch, were it known that they begin at a multiple of 16.
#include "pairs.h"

using namespace pairs;

struct Plain4 {
    float x, y, z, w;
};
struct alignas(16) Aligned4 {
    float x, y, z, w;
};

// A gather of sixteen bytes by an index: four loads or one.
template <class Point>
__device__ __forceinline__ void gather(const Point* points, const int* index, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Point p = points[index[i]];  // fault: alignment_gather
    out[i] = sqrtf(p.x * p.x + p.y * p.y + p.z * p.z) * p.w;
}
__global__ void alignment_gather_before(const Plain4* points, const int* index, float* out, int n) {
    gather(points, index, out, n);
}
__global__ void alignment_gather_after(const Aligned4* points, const int* index, float* out, int n) {
    gather(points, index, out, n);
}
void gathers(Suite& suite) {
    const int n = scaled(1 << 20);
    Array<float> points(4 * n, unit), out(n);
    Array<int> index(n, [&](int i) { return hash(i) % n; });
    suite.pair(
        "alignment_gather", out,
        [&] { alignment_gather_before<<<blocks(n, 256), 256>>>(points.as<Plain4>(), index, out, n); },
        [&] { alignment_gather_after<<<blocks(n, 256), 256>>>(points.as<Aligned4>(), index, out, n); },
        [&](int i) {
            const float* p = &points.host()[4 * index.at(i)];
            return std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) * p[3];
        });
}

// Stores of sixteen bytes: four, each to every fourth word, or one.
template <class Point>
__device__ __forceinline__ void place(const float* angles, Point* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float a = angles[i];
    Point p;
    p.x = a + 1;
    p.y = a * a;
    p.z = 2 * a;
    p.w = 1 - a;
    out[i] = p;  // fault: alignment_store
}
__global__ void alignment_store_before(const float* angles, Plain4* out, int n) { place(angles, out, n); }
__global__ void alignment_store_after(const float* angles, Aligned4* out, int n) { place(angles, out, n); }
void stores(Suite& suite) {
    const int n = scaled(1 << 20);
    Array<float> angles(n, unit), out(4 * n);
    suite.pair(
        "alignment_store", out, [&] { alignment_store_before<<<blocks(n, 256), 256>>>(angles, out.as<Plain4>(), n); },
        [&] { alignment_store_after<<<blocks(n, 256), 256>>>(angles, out.as<Aligned4>(), n); },
        [&](int i) {
            float a = angles.at(i / 4), fields[] = {a + 1, a * a, 2 * a, 1 - a};
            return fields[i % 4];
        });
}

// Twelve bytes, by an index: three loads of which some straddle two sectors; in sixteen, one that never does.
struct Plain3 {
    float x, y, z;
};
struct alignas(16) Aligned3 {
    float x, y, z;
};
template <class Point>
__device__ __forceinline__ void pairwise(const Point* points, const int2* bonds, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int2 bond = bonds[i];
    Point a = points[bond.x], b = points[bond.y];  // fault: alignment_bonds
    float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
    out[i] = dx * dx + dy * dy + dz * dz;
}
__global__ void alignment_bonds_before(const Plain3* points, const int2* bonds, float* out, int n) {
    pairwise(points, bonds, out, n);
}
__global__ void alignment_bonds_after(const Aligned3* points, const int2* bonds, float* out, int n) {
    pairwise(points, bonds, out, n);
}
void bonds(Suite& suite) {
    const int n = scaled(1 << 19);
    Array<float> plain(3 * n, unit), wide(4 * n, [](int i) { return i % 4 < 3 ? unit(i / 4 * 3 + i % 4) : 0.0f; });
    Array<float> out(n);
    Array<int> ends(2 * n, [&](int i) { return hash(i) % n; });
    suite.pair(
        "alignment_bonds", out,
        [&] { alignment_bonds_before<<<blocks(n, 256), 256>>>(plain.as<Plain3>(), ends.as<int2>(), out, n); },
        [&] { alignment_bonds_after<<<blocks(n, 256), 256>>>(wide.as<Aligned3>(), ends.as<int2>(), out, n); },
        [&](int i) {
            double sum = 0;
            for (int k = 0; k < 3; ++k)
                sum += std::pow(plain.at(3 * ends.at(2 * i) + k) - plain.at(3 * ends.at(2 * i + 1) + k), 2);
            return sum;
        });
}

int main(int argc, char** argv) {
    Suite suite(argc, argv);
    gathers(suite);
    stores(suite);
    bonds(suite);
    return suite.status();
}
