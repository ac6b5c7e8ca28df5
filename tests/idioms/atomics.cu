// Atomics of each kind, and the loops people write for what there is none of.
#include <cstdint>

#include "idioms.cuh"

__device__ double add_double(double* address, double value) {
    unsigned long long* bits = reinterpret_cast<unsigned long long*>(address);
    unsigned long long old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}
__global__ void adds_doubles(double* sums) {
    add_double(&sums[threadIdx.x % 4], threadIdx.x * 0.5);
    atomicAdd(&sums[4 + threadIdx.x % 4], threadIdx.x * 0.25);
}
IDIOM(double_sum_by_compare_and_swap) {
    Buffer<double> sums(8);
    adds_doubles<<<1, 128>>>(sums);
    report.expect(sums, [](int b) {
        double sum = 0;
        for (int i = b % 4; i < 128; i += 4) sum += i * (b < 4 ? 0.5 : 0.25);
        return sum;
    });
}

__device__ float max_float(float* address, float value) {
    int* bits = reinterpret_cast<int*>(address);
    int old = *bits, assumed;
    while (__int_as_float(old) < value) {
        assumed = old;
        old = atomicCAS(bits, assumed, __float_as_int(value));
        if (old == assumed) break;
    }
    return __int_as_float(old);
}
__device__ void max_by_order(float* address, float value) {  // without a loop, by the order of the bits
    if (value >= 0)
        atomicMax(reinterpret_cast<int*>(address), __float_as_int(value));
    else
        atomicMin(reinterpret_cast<unsigned*>(address), __float_as_uint(value));
}
__global__ void float_maxima(float* out) {
    const float v = ((threadIdx.x * 37) % 101) * 0.5f - 30;
    max_float(out, v);
    max_by_order(out + 1, v);
    max_by_order(out + 2, v - 100);
}
IDIOM(float_maximum_two_ways) {
    Buffer<float> out(3);
    for (int i = 0; i < 3; ++i) out[i] = -1e30f;
    float_maxima<<<2, 64>>>(out);
    float most = -1e30f;
    for (int i = 0; i < 64; ++i) most = fmaxf(most, ((i * 37) % 101) * 0.5f - 30);
    report.expect(out, [&](int i) { return i < 2 ? most : most - 100; });
}

__global__ void integers(int* s, unsigned* u, unsigned long long* w) {
    const int i = threadIdx.x;
    atomicAdd(s + 0, i), atomicSub(s + 1, i), atomicMin(s + 2, -i), atomicMax(s + 3, i * 7 % 51);
    atomicAnd(s + 4, ~(1 << i % 32)), atomicOr(s + 5, 1 << i % 31), atomicXor(s + 6, i);
    atomicAdd(u + 0, i), atomicMin(u + 1, 900u - i), atomicMax(u + 2, i ^ 5u), atomicInc(u + 3, 9), atomicDec(u + 4, 6);
    atomicAnd(u + 5, ~i), atomicOr(u + 6, i), atomicXor(u + 7, i * i);
    atomicAdd(w + 0, 1ull << i % 40), atomicMax(w + 1, 3ull * i), atomicMin(w + 2, 99ull - i % 64);
    atomicAnd(w + 3, ~(1ull << i % 64)), atomicOr(w + 4, 1ull << i % 60), atomicXor(w + 5, 1ull * i * i);
}
IDIOM(integer_atomics_of_each_kind) {
    Buffer<int> s(7);
    Buffer<unsigned> u(8);
    Buffer<unsigned long long> w(6);
    s[4] = -1, u[1] = 5000, u[5] = ~0u, w[2] = 1000, w[3] = ~0ull;
    integers<<<3, 70>>>(s, u, w);
    report.add(s), report.add(u), report.add(w);
    report.check(s[0] == 3 * 69 * 35 && s[2] == -69 && u[3] == 0 && w[1] == 207);
}

__global__ void exchanges(int* slot, int* out, float* f) {
    if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = atomicExch(slot, threadIdx.x + 1);
    if (threadIdx.x == 0) f[1] = atomicExch(f, 2.5f);
}
IDIOM(exchange) {
    Buffer<int> slot(1), out(2);
    Buffer<float> f(2);
    f[0] = 1.5f;
    exchanges<<<1, 64>>>(slot, out, f);
    report.check(cudaDeviceSynchronize() == cudaSuccess && f[1] == 1.5f && f[0] == 2.5f);
    report.check(slot[0] + out[0] + out[1] == 1 + 33);
}

__global__ void locked(int* lock, int* total) {
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) __nanosleep(20);
        __threadfence();
        *total += blockIdx.x;
        __threadfence();
        atomicExch(lock, 0);
    }
}
IDIOM(spin_lock) {
    Buffer<int> lock(1), total(1);
    locked<<<50, 32>>>(lock, total);
    report.expect(total, [](int) { return 49 * 25; });
}

__global__ void within_a_warp(int* lock, int* total) {
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            *static_cast<volatile int*>(total) = *static_cast<volatile int*>(total) + threadIdx.x;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}
IDIOM(lock_between_lanes) {
    Buffer<int> lock(1), total(1);
    within_a_warp<<<1, 32>>>(lock, total);
    report.expect(total, [](int) { return 496; });
}

__device__ unsigned finished = 0;
__global__ void last_block(const int* in, int* parts, int* out) {
    __shared__ int sum;
    __shared__ bool last;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd_block(&sum, in[thread_index()]);
    __syncthreads();
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int total = 0;
        for (unsigned b = 0; b < gridDim.x; ++b) total += static_cast<volatile int*>(parts)[b];
        *out = total;
    }
}
IDIOM(last_block_adds_up) {
    Buffer<int> in(512), parts(8), out(1);
    for (int i = 0; i < 512; ++i) in[i] = i % 11;
    for (int turn = 0; turn < 2; ++turn) last_block<<<8, 64>>>(in, parts, out);
    int sum = 0;
    for (int i = 0; i < 512; ++i) sum += i % 11;
    report.expect(out, [&](int) { return sum; });
}

__global__ void scoped(int* out, unsigned long long* w) {
    atomicAdd_system(out, 1), atomicMax_block(out + 1, static_cast<int>(threadIdx.x)), atomicCAS_system(out + 2, 0, 5);
    atomicOr_block(out + 3, 1 << threadIdx.x % 8), atomicAdd_system(w, 2ull);
    atomicExch_block(out + 4, 6), atomicMin_system(out + 5, -3);
}
IDIOM(atomics_with_a_scope) {
    Buffer<int> out(6);
    Buffer<unsigned long long> w(1);
    scoped<<<1, 64>>>(out, w);
    const int expected[] = {64, 63, 5, 255, 6, -3};
    report.expect(out, [&](int i) { return expected[i]; });
    report.expect(w, [](int) { return 128; });
}

__device__ void max_byte(unsigned char* bytes, int at, unsigned char value) {  // within the word around it
    unsigned* word = reinterpret_cast<unsigned*>(bytes) + at / 4;
    const int shift = at % 4 * 8;
    unsigned old = *word, seen;
    do {
        seen = old;
        if (((seen >> shift) & 255) >= value) return;
        old = atomicCAS(word, seen, (seen & ~(255u << shift)) | static_cast<unsigned>(value) << shift);
    } while (old != seen);
}
__global__ void bytes_of_words(unsigned char* bytes) { max_byte(bytes, threadIdx.x % 8, threadIdx.x); }
IDIOM(byte_maximum_in_a_word) {
    Buffer<unsigned char> bytes(8);
    bytes_of_words<<<1, 200>>>(bytes);
    report.expect(bytes, [](int i) { return 192 + i; });
}

__global__ void index_of_least(const float* in, int n, unsigned long long* best) {
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicMin(best, static_cast<unsigned long long>(__float_as_uint(in[i])) << 32 | static_cast<unsigned>(i));
}
IDIOM(value_and_index_in_64_bits) {
    Buffer<float> in(300);
    Buffer<unsigned long long> best(1);
    for (int i = 0; i < 300; ++i) in[i] = 3.0f + (i * 71 % 301) * 0.01f;
    in[123] = 0.5f;
    best[0] = ~0ull;
    index_of_least<<<1, 64>>>(in, 300, best);
    report.add(best);
    report.check((best[0] & 0xffffffffu) == 123);
}

__global__ void short_swaps(unsigned short* words, int* won) {
    if (atomicCAS(words + threadIdx.x % 4, static_cast<unsigned short>(0),
                  static_cast<unsigned short>(threadIdx.x + 1)) == 0)
        atomicAdd(won, 1);
}
IDIOM(compare_and_swap_of_16_bits) {
    Buffer<unsigned short> words(4);
    Buffer<int> won(1);
    short_swaps<<<1, 32>>>(words, won);
    report.expect(won, [](int) { return 4; });
}
