// Constant memory, symbols, cache hints, qualifiers.
#include <cstdint>

#include "idioms.cuh"

__constant__ float coefficients[16];
__constant__ struct {
    int width, height;
    float scale;
} settings;
__device__ int counter;
__device__ int table[8] = {1, 2, 4, 8};
__device__ double* kept;
static __device__ __constant__ char letters[] = "tilescope";

__global__ void polynomial(const float* x, float* out) {
    float sum = 0;
    for (int k = 15; k >= 0; --k) sum = fmaf(sum, x[threadIdx.x], coefficients[k]);
    out[threadIdx.x] = sum;
}
IDIOM(polynomial_of_constants) {
    Buffer<float> x(32), out(32);
    float c[16];
    for (int k = 0; k < 16; ++k) c[k] = 1.0f / (k + 1);
    for (int i = 0; i < 32; ++i) x[i] = i / 32.0f;
    cudaMemcpyToSymbol(coefficients, c, sizeof c);
    polynomial<<<1, 32>>>(x, out);
    report.expect(out, [&](int i) {
        float sum = 0;
        for (int k = 15; k >= 0; --k) sum = fmaf(sum, x[i], c[k]);
        return sum;
    });
}

__global__ void uses_settings(float* out) {
    out[threadIdx.x] = settings.scale * (threadIdx.x % settings.width) + settings.height;
}
IDIOM(struct_in_constant_memory) {
    Buffer<float> out(32);
    const struct {
        int width, height;
        float scale;
    } host = {5, 9, 0.5f};
    static_assert(sizeof host == sizeof settings, "");
    cudaMemcpyToSymbol(settings, &host, sizeof host, 0, cudaMemcpyHostToDevice);
    uses_settings<<<1, 32>>>(out);
    report.expect(out, [](int i) { return 0.5f * (i % 5) + 9; });
}

__global__ void counts() { atomicAdd(&counter, threadIdx.x % 2 ? 3 : 1); }
IDIOM(device_variable_as_a_counter) {
    const int zero = 0;
    int host = -1;
    cudaMemcpyToSymbol(counter, &zero, sizeof zero);
    counts<<<2, 64>>>();
    cudaMemcpyFromSymbol(&host, counter, sizeof host);
    report.value(host);
    report.check(host == 256);
}

__global__ void reads_table(int* out) { out[threadIdx.x] = table[threadIdx.x % 8]; }
IDIOM(symbol_address_and_offset) {
    Buffer<int> out(8);
    int* address = nullptr;
    size_t size = 0;
    cudaGetSymbolAddress(reinterpret_cast<void**>(&address), table);
    cudaGetSymbolSize(&size, table);
    const int more[2] = {77, 88};
    cudaMemcpyToSymbol(table, more, sizeof more, 4 * sizeof(int));
    cudaMemset(address + 7, 0x11, sizeof(int));
    reads_table<<<1, 8>>>(out);
    const int expected[] = {1, 2, 4, 8, 77, 88, 0, 0x11111111};
    report.expect(out, [&](int i) { return expected[i]; });
    report.check(size == 32);
}

__global__ void keeps() { kept[threadIdx.x] = threadIdx.x * 0.125; }
IDIOM(pointer_in_a_device_variable) {
    double* d = nullptr;
    double host[32];
    cudaMalloc(&d, sizeof host);
    cudaMemcpyToSymbol(kept, &d, sizeof d);
    keeps<<<1, 32>>>();
    cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost);
    report.bytes(host, sizeof host);
    report.check(host[31] == 31 * 0.125);
    cudaFree(d);
}

__global__ void spells(char* out) { out[threadIdx.x] = letters[sizeof letters - 2 - threadIdx.x] ^ ' '; }
IDIOM(string_in_constant_memory) {
    Buffer<char> out(9);
    spells<<<1, 9>>>(out);
    report.expect(out, [](int i) { return "tilescope"[8 - i] ^ ' '; });
}

__global__ void hinted(const int* __restrict__ in, const float4* in4, int* __restrict__ out, float4* out4) {
    const int i = threadIdx.x;
    int sum = __ldg(in + i) + __ldcg(in + i) + __ldca(in + i) + __ldcs(in + i) + __ldlu(in + i) + __ldcv(in + i);
    __stwb(out + i, sum);
    __stcg(out + 32 + i, sum + 1);
    __stcs(out + 64 + i, sum + 2);
    __stwt(out + 96 + i, sum + 3);
    __stcs(out4 + i, __ldg(in4 + i));
}
IDIOM(loads_and_stores_with_hints) {
    Buffer<int> in(32), out(128);
    Buffer<float> a(128), b(128);
    for (int i = 0; i < 128; ++i) in[i % 32] = i, a[i] = i;
    hinted<<<1, 32>>>(in, reinterpret_cast<float4*>(a.get()), out, reinterpret_cast<float4*>(b.get()));
    report.expect(out, [](int i) { return 6 * (i % 32 + 96) + i / 32; });
    report.expect(b, [](int i) { return i; });
}

__global__ void flags(volatile int* flag, int* data, int* out) {
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0) {
            *data = 99;
            __threadfence();
            *flag = 1;
        }
    } else {
        if (threadIdx.x == 0)
            while (*flag == 0) {
            }
        __syncthreads();
        __threadfence();
        out[threadIdx.x] = *static_cast<volatile int*>(data) + threadIdx.x;
    }
}
IDIOM(volatile_flag_and_fence) {
    Buffer<int> flag(1), data(1), out(32);
    flags<<<2, 32>>>(flag, data, out);
    report.expect(out, [](int i) { return 99 + i; });
}

__global__ void spaces(const int* global, int* out) {
    __shared__ int s;
    int local = 5;
    if (threadIdx.x == 0) s = 1;
    __syncthreads();
    out[threadIdx.x] = __isGlobal(global) + 2 * __isShared(&s) + 4 * __isLocal(&local) +
                       8 * __isConstant(coefficients) + 16 * __isShared(global) + local * 0;
}
IDIOM(which_memory_a_pointer_is_in) {
    Buffer<int> out(4);
    spaces<<<1, 4>>>(out.get(), out.get());
    report.expect(out, [](int) { return 15; });
}

__managed__ int shared_by_both[4] = {1, 2, 3, 4};
__global__ void changes_managed() { shared_by_both[threadIdx.x] *= 10; }
IDIOM(managed_variable) {
    shared_by_both[0] = 7;
    changes_managed<<<1, 4>>>();
    cudaDeviceSynchronize();
    report.bytes(shared_by_both, sizeof shared_by_both);
    report.check(shared_by_both[0] == 70 && shared_by_both[3] == 40);
}

__global__ void punned(uint32_t* out) {
    const float f = threadIdx.x * 0.3f;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    const double d = f;
    unsigned long long wide;
    memcpy(&wide, &d, sizeof wide);
    out[threadIdx.x] = bits ^ static_cast<uint32_t>(wide >> 32) ^ reinterpret_cast<const uint32_t&>(f);
}
IDIOM(punning_through_memcpy) {
    Buffer<uint32_t> out(32);
    punned<<<1, 32>>>(out);
    report.expect(out, [](int i) {
        const double d = i * 0.3f;
        unsigned long long wide;
        std::memcpy(&wide, &d, 8);
        return static_cast<uint32_t>(wide >> 32);
    });
}
