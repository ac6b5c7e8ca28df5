// Functions by pointer: a table on the device, a pointer that the host copies, and members of a class.
#include "fourfold.cuh"

typedef float (*Operation)(float, float);

__device__ float add(float a, float b) { return a + b; }
__device__ float subtract(float a, float b) { return a - b; }
__device__ float multiply(float a, float b) { return a * b; }
__device__ float larger(float a, float b) { return a > b ? a : b; }

__device__ Operation const operations[] = {add, subtract, multiply, larger};
__device__ Operation chosen = multiply;

__global__ void each_its_own(const float* a, const float* b, float* out, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) out[i] = operations[i % 4](a[i], b[i]);
}
__global__ void one(Operation operation, const float* a, const float* b, float* out, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) out[i] = operation(a[i], b[i]);
}

int main() {
    constexpr int count = 100;
    const std::vector<float> a = numbers<float>(count, -9, 9), b = numbers<float>(count, -9, 9, 2);
    std::vector<float> expected, products;
    for (int i = 0; i < count; ++i) {
        const float all[] = {a[i] + b[i], a[i] - b[i], a[i] * b[i], a[i] > b[i] ? a[i] : b[i]};
        expected.push_back(all[i % 4]);
        products.push_back(a[i] * b[i]);
    }
    const Buffer<float> da(a), db(b), first(count), second(count);
    Operation taken = nullptr;
    each_its_own<<<2, 64>>>(da, db, first, count);
    CHECK(cudaMemcpyFromSymbol(&taken, chosen, sizeof taken));
    one<<<2, 64>>>(taken, da, db, second, count);
    return same("table", first.host(), expected) + same("by pointer", second.host(), products);
}
