// Control flow: divergence in each form, recursion, early ends, strides.
#include <cstdint>

#include "idioms.cuh"

__global__ void by_switch(int* out) {
    const int i = threadIdx.x;
    int r = 0;
    switch (i % 7) {
        case 0: r = 5; break;
        case 1: r = i;  // and goes on
        case 2: r += 11; break;
        case 3:
        case 4: r = i << 2; break;
        case 100: r = -1; break;
        default: r = -i;
    }
    out[i] = r;
}
IDIOM(switch_that_falls_through) {
    Buffer<int> out(64);
    by_switch<<<1, 64>>>(out);
    report.expect(out, [](int i) {
        const int k = i % 7;
        return k == 0 ? 5 : k == 1 ? i + 11 : k == 2 ? 11 : k < 5 ? i << 2 : -i;
    });
}

__global__ void collatz(int* out) {
    unsigned n = thread_index() + 1;
    int steps = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        ++steps;
    }
    out[thread_index()] = steps;
}
IDIOM(loops_of_different_lengths) {
    Buffer<int> out(96);
    collatz<<<2, 48>>>(out);
    report.expect(out, [](int i) {
        int steps = 0;
        for (unsigned n = i + 1; n != 1; ++steps) n = n % 2 ? 3 * n + 1 : n / 2;
        return steps;
    });
}

__global__ void jumps(int* out) {
    int i = threadIdx.x, n = 0;
again:
    n += i;
    if (--i > 20) goto again;
    if (i < 5) goto done;
    n *= 2;
done:
    out[threadIdx.x] = n;
}
IDIOM(goto_backwards_and_forwards) {
    Buffer<int> out(32);
    jumps<<<1, 32>>>(out);
    report.expect(out, [](int t) {
        int i = t, n = 0;
        do n += i;
        while (--i > 20);
        return i < 5 ? n : 2 * n;
    });
}

__host__ __device__ int ackermann(int m, int n) {
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}
__global__ void recursion(int* out) { out[threadIdx.x] = ackermann(threadIdx.x % 3, threadIdx.x / 3); }
IDIOM(recursion_in_device_code) {
    Buffer<int> out(12);
    cudaDeviceSetLimit(cudaLimitStackSize, 8192);
    recursion<<<1, 12>>>(out);
    report.expect(out, [](int i) { return ackermann(i % 3, i / 3); });
}

__host__ __device__ bool is_odd(int n);
__host__ __device__ bool is_even(int n) { return n == 0 ? true : is_odd(n - 1); }
__host__ __device__ bool is_odd(int n) { return n == 0 ? false : is_even(n - 1); }
__global__ void mutual(int* out) { out[threadIdx.x] = is_even(threadIdx.x) + 2 * is_odd(threadIdx.x); }
IDIOM(mutual_recursion) {
    Buffer<int> out(16);
    mutual<<<1, 16>>>(out);
    report.expect(out, [](int i) { return i % 2 ? 2 : 1; });
}

__global__ void strided(int* out, int n) {
    const int stride = gridDim.x * blockDim.x;
    for (int i = thread_index(); i < n; i += stride) {
        if (i % 10 == 3) continue;
        if (i > 900) break;
        out[i] = i + 1;
    }
}
IDIOM(grid_stride_with_continue_and_break) {
    Buffer<int> out(1000);
    strided<<<3, 64>>>(out, 1000);
    report.expect(out, [](int i) { return i % 10 == 3 || i > 900 ? 0 : i + 1; });
}

__global__ void ends_early(int* out, int n) {
    const int i = thread_index();
    if (i >= n) return;
    if (i % 4 == 1) {
        out[i] = -1;
        return;
    }
    out[i] = i;
}
IDIOM(threads_that_return_early) {
    Buffer<int> out(100);
    ends_early<<<4, 32>>>(out, 90);
    report.expect(out, [](int i) { return i >= 90 ? 0 : i % 4 == 1 ? -1 : i; });
}

__global__ void short_circuit(int* calls, int* out) {
    const int i = threadIdx.x;
    auto called = [&](bool value) {
        atomicAdd(calls, 1);
        return value;
    };
    out[i] = (called(i % 2) && called(i % 3 == 0)) || called(i > 8);
}
IDIOM(short_circuit_of_calls) {
    Buffer<int> calls(1), out(16);
    short_circuit<<<1, 16>>>(calls, out);
    report.expect(out, [](int i) { return (i % 2 && i % 3 == 0) || i > 8; });
    report.add(calls);
}

__global__ void unrolled(int* out, int n) {
    int sum = 0;
#pragma unroll 4
    for (int i = 0; i < n; ++i) sum += i ^ threadIdx.x;
#pragma unroll 1
    for (int i = 0; i < n; ++i) sum = sum * 3 + i;
#pragma unroll
    for (int i = 0; i < 5; ++i) sum -= i << i;
    constexpr int times = 2;
#pragma unroll times
    for (int i = n; i-- > 0;) sum ^= i;
#pragma nounroll
    do {
        sum += n;
    } while (--n > 0);
    out[threadIdx.x] = sum;
}
IDIOM(unroll_pragmas) {
    Buffer<int> out(32);
    unrolled<<<1, 32>>>(out, 11);
    report.expect(out, [](int t) {
        unsigned sum = 0;
        for (int i = 0; i < 11; ++i) sum += i ^ t;
        for (int i = 0; i < 11; ++i) sum = sum * 3 + i;
        for (int i = 0; i < 5; ++i) sum -= i << i;
        for (int i = 11; i-- > 0;) sum ^= i;
        return sum + 66;
    });
}

__global__ void barrier_in_uniform_branch(int* out, int flag) {
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    if (flag > 2) {
        __syncthreads();
        out[threadIdx.x] = s[63 - threadIdx.x];
    } else {
        out[threadIdx.x] = -5;
    }
    const int any = __syncthreads_or(threadIdx.x == 40), all = __syncthreads_and(threadIdx.x < 64);
    out[threadIdx.x] += 1000 * __syncthreads_count(threadIdx.x % 3 == 0) + (any ? 100000 : 0) + (all ? 1000000 : 0);
}
IDIOM(barriers_that_vote) {
    Buffer<int> out(64);
    barrier_in_uniform_branch<<<1, 64>>>(out, 3);
    report.expect(out, [](int i) { return 63 - i + 22000 + 100000 + 1000000; });
}

__global__ void large_indices(int64_t* out, int64_t base) {
    const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const int64_t at = base * 3 + i;
    out[i] = at % 1000003 + (at >> 33) - at / 7;
}
IDIOM(indices_of_64_bits) {
    Buffer<int64_t> out(128);
    const int64_t base = 5ll << 32;
    large_indices<<<2, 64>>>(out, base);
    report.expect(out, [&](int i) {
        const int64_t at = base * 3 + i;
        return at % 1000003 + (at >> 33) - at / 7;
    });
}

__global__ void wraps(int* out) {
    const int i = threadIdx.x;
    const unsigned big = 0x7ffffff0u + i;
    const int wrapped = static_cast<int>(big * 3u);
    out[i] = wrapped >> 2 ^ static_cast<int>(static_cast<signed char>(big)) ^ (-wrapped / 5 + wrapped % 5);
}
IDIOM(wrap_through_unsigned) {
    Buffer<int> out(32);
    wraps<<<1, 32>>>(out);
    report.expect(out, [](int i) {
        const unsigned big = 0x7ffffff0u + i;
        const int w = static_cast<int>(big * 3u);
        return w >> 2 ^ static_cast<int>(static_cast<signed char>(big)) ^ (-w / 5 + w % 5);
    });
}
