#include <cstdio>

#include "parts.cuh"

__device__ int up(int to) { return down(to) + 1; }

__global__ void floats(float* out, cudaTextureObject_t texture) {
    const int i = threadIdx.x;
    Shape* shape = make_shape(i % 2, static_cast<float>(i));
    out[i] = scaled(shape->area(), i % 4);
    delete shape;
    out[32 + i] = sum_of_block(static_cast<float>(i));
    out[64 + i] = fetched(texture, static_cast<float>(i % 8));
    out[96 + i] = from_library(static_cast<float>(i));
    out[128 + i] = steps[i % 3](static_cast<float>(i));
}

__global__ void integers(int* out) {
    const int i = threadIdx.x;
    out[i] = first_own(i) * 1000 + second_own(i);
    out[32 + i] = down(i % 4);
    visit();
}

static int failed = 0;
static void check(const char* what, bool right) {
    if (right) return;
    ++failed;
    std::printf("%s is wrong\n", what);
}

int main() {
    float *out = nullptr, host[160];
    int *numbers = nullptr, integer[64];
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&numbers, sizeof integer);

    cudaArray_t array = nullptr;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    cudaMallocArray(&array, &format, 8, 1);
    float texels[8];
    for (int i = 0; i < 8; ++i) texels[i] = 10.0f * i;
    cudaMemcpy2DToArray(array, 0, 0, texels, sizeof texels, sizeof texels, 1, cudaMemcpyHostToDevice);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &how, nullptr);

    const float changed[4] = {2, 20, 200, 2000};
    cudaMemcpyToSymbol(scales, changed, sizeof changed);
    const int start = 500;
    cudaMemcpyToSymbol(visits, &start, sizeof start);
    floats<<<1, 32>>>(out, texture);
    integers<<<1, 32>>>(numbers);
    check("the launches", cudaDeviceSynchronize() == cudaSuccess);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpy(integer, numbers, sizeof integer, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; ++i) {
        const float x = static_cast<float>(i), made[3] = {x * x, -x, x + 1};
        check("a virtual function", host[i] == (i % 2 == 0 ? x * x : x / 2) * changed[i % 4]);
        check("shared memory", host[32 + i] == 496.0f);
        check("a texture", host[64 + i] == 10.0f * (i % 8));
        check("the library", host[96 + i] == 3 * x + 7);
        check("a table of functions", host[128 + i] == made[i % 3]);
        check("static functions", integer[i] == (i + 1) * 1000 + i * 2);
        check("recursion over files", integer[32 + i] == 100 + 2 * (i % 4));
    }
    int counted = 0;
    cudaMemcpyFromSymbol(&counted, visits, sizeof counted);
    check("a variable of another file", counted == 500 + 32 + 32);
    fill_from_table(out);
    fill<<<1, 32>>>(numbers, 21);
    cudaMemcpy(host, out, 32 * sizeof *host, cudaMemcpyDeviceToHost);
    cudaMemcpy(integer, numbers, 32 * sizeof *integer, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; ++i) check("a template of two files", host[i] == 3.0f && integer[i] == 42);
    cudaFree(out);
    cudaFree(numbers);
    std::printf("%d wrong\n", failed);
    return failed == 0 ? 0 : 1;
}
