// What the lanes of a warp tell each other.
#include "idioms.cuh"

constexpr unsigned kAll = 0xffffffffu;

template <class T>
__device__ T warp_sum(T value) {
    for (int offset = warpSize / 2; offset > 0; offset /= 2) value += __shfl_down_sync(kAll, value, offset);
    return value;
}
__global__ void sums(const int* in, int* out, int n) {
    int sum = 0;
    for (int i = thread_index(); i < n; i += gridDim.x * blockDim.x) sum += in[i];
    sum = warp_sum(sum);
    __shared__ int parts[32];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    if (lane == 0) parts[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = warp_sum(lane < blockDim.x / 32 ? parts[lane] : 0);
        if (lane == 0) atomicAdd(out, sum);
    }
}
IDIOM(block_sum_by_shuffles) {
    Buffer<int> in(5000), out(1);
    int expected = 0;
    for (int i = 0; i < 5000; ++i) expected += in[i] = (i * 31) % 97;
    sums<<<4, 256>>>(in, out, 5000);
    report.expect(out, [&](int) { return expected; });
}

__global__ void scans(int* out) {
    const int lane = threadIdx.x;
    int x = lane * lane % 13;
    for (int d = 1; d < 32; d *= 2) {
        const int y = __shfl_up_sync(kAll, x, d);
        if (lane >= d) x += y;
    }
    out[lane] = x;
}
IDIOM(inclusive_scan_by_shuffle_up) {
    Buffer<int> out(32);
    scans<<<1, 32>>>(out);
    report.expect(out, [](int i) {
        int sum = 0;
        for (; i >= 0; --i) sum += i * i % 13;
        return sum;
    });
}

__global__ void butterflies(float* out, double* wide, long long* longs) {
    const int lane = threadIdx.x;
    float f = lane;
    double d = lane * 0.25;
    long long l = 1ll << lane;
    for (int m = 16; m > 0; m >>= 1) {
        f = fmaxf(f, __shfl_xor_sync(kAll, f, m));
        d += __shfl_xor_sync(kAll, d, m);
        l |= __shfl_xor_sync(kAll, l, m);
    }
    out[lane] = f, wide[lane] = d, longs[lane] = l;
}
IDIOM(butterflies_of_three_types) {
    Buffer<float> f(32);
    Buffer<double> d(32);
    Buffer<long long> l(32);
    butterflies<<<1, 32>>>(f, d, l);
    report.expect(f, [](int) { return 31; });
    report.expect(d, [](int) { return 124; });
    report.expect(l, [](int) { return 0xffffffffll; });
}

__global__ void segments(int* out) {
    const int i = threadIdx.x;
    out[i] = __shfl_sync(kAll, i * 10, 3, 8) + __shfl_down_sync(kAll, i, 2, 16) * 1000 +
             __shfl_up_sync(kAll, i, 1, 4) * 100000;
}
IDIOM(shuffles_of_narrow_widths) {
    Buffer<int> out(32);
    segments<<<1, 32>>>(out);
    report.expect(out, [](int i) {
        return (i / 8 * 8 + 3) * 10 + (i % 16 < 14 ? i + 2 : i) * 1000 + (i % 4 ? i - 1 : i) * 100000;
    });
}

__global__ void votes(unsigned* out) {
    const int i = threadIdx.x;
    unsigned r = __ballot_sync(kAll, i % 5 == 0);
    r ^= __any_sync(kAll, i == 77) << 1;
    r += __all_sync(kAll, i < 32) << 2;
    if (i < 16) r += __popc(__ballot_sync(0xffff, i & 1)) << 8;
    out[i] = r + __popc(__activemask());
}
IDIOM(votes_and_active_masks) {
    Buffer<unsigned> out(32);
    votes<<<1, 32>>>(out);
    unsigned fives = 0;
    for (int i = 0; i < 32; i += 5) fives |= 1u << i;
    report.expect(out, [&](int i) { return fives + 4 + (i < 16 ? 8 << 8 : 0) + 32; });
}

__global__ void matches(unsigned* out, int* predicates) {
    const int i = threadIdx.x;
    out[i] = __match_any_sync(kAll, i % 6);
    int pred = 0;
    out[i] ^= __match_all_sync(kAll, 42ull, &pred);
    out[i] ^= __match_any_sync(kAll, i % 2 ? 1.5 : 2.5);
    predicates[i] = pred;
}
IDIOM(lanes_with_the_same_value) {
    Buffer<unsigned> out(32);
    Buffer<int> p(32);
    matches<<<1, 32>>>(out, p);
    report.add(out);
    report.expect(p, [](int) { return 1; });
}

__global__ void reduces(unsigned* out) {
    const unsigned i = threadIdx.x;
    const unsigned mask = i % 2 ? 0xaaaaaaaau : 0x55555555u;
    unsigned* o = out + i * 8;
    o[0] = __reduce_add_sync(kAll, i);
    o[1] = __reduce_min_sync(kAll, static_cast<int>(i) - 9);
    o[2] = __reduce_max_sync(mask, i);
    o[3] = __reduce_and_sync(kAll, i | 64);
    o[4] = __reduce_or_sync(kAll, i & 6);
    o[5] = __reduce_xor_sync(mask, i * i);
    o[6] = __reduce_min_sync(kAll, i ^ 0x80000000u);
    o[7] = __reduce_max_sync(kAll, -static_cast<int>(i));
}
IDIOM(reductions_in_one_instruction) {
    Buffer<unsigned> out(32 * 8);
    reduces<<<1, 32>>>(out);
    report.add(out);
    report.check(out[0] == 496 && out[1] == unsigned(-9) && out[2] == 30 && out[10] == 31 && out[3] == 64 &&
                 out[4] == 6);
}

__device__ int aggregated_increment(int* counter) {
    const unsigned active = __activemask();
    const int leader = __ffs(active) - 1, lane = threadIdx.x % 32;
    int base = 0;
    if (lane == leader) base = atomicAdd(counter, __popc(active));
    base = __shfl_sync(active, base, leader);
    return base + __popc(active & ((1u << lane) - 1));
}
__global__ void filter(const int* in, int n, int* out, int* count) {
    const int i = thread_index();
    if (i < n && in[i] % 3 == 0) out[aggregated_increment(count)] = in[i];
}
IDIOM(filter_with_one_atomic_a_warp) {
    Buffer<int> in(500), out(500), count(1);
    for (int i = 0; i < 500; ++i) in[i] = i * 7 % 100;
    filter<<<4, 128>>>(in, 500, out, count);
    report.add(count);
    int expected = 0;
    long long sum = 0;
    for (int i = 0; i < 500; ++i) expected += in[i] % 3 == 0, sum += in[i] % 3 == 0 ? in[i] : 0;
    for (int i = 0; i < count[0]; ++i) sum -= out[i];
    report.check(count[0] == expected && sum == 0);
}

__global__ void synchronised(int* out) {
    __shared__ volatile int s[64];
    const int i = threadIdx.x;
    s[i] = i;
    __syncwarp();
    if (i % 32 < 16) {
        s[i] += s[i + 16];
        __syncwarp(0x0000ffff);
        s[i] += s[i ^ 1];
    }
    __syncwarp();
    out[i] = s[i];
}
IDIOM(syncwarp_between_steps) {
    Buffer<int> out(64);
    synchronised<<<1, 64>>>(out);
    report.check(cudaDeviceSynchronize() == cudaSuccess);
    report.check(out[20] == 20 && out[50] == 50);
}

__global__ void warp_sort(int* data) {
    int x = data[threadIdx.x];
    const int lane = threadIdx.x;
    for (int k = 2; k <= 32; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            const int other = __shfl_xor_sync(kAll, x, j);
            const bool up = (lane & k) == 0, low = (lane & j) == 0;
            x = up == low ? min(x, other) : max(x, other);
        }
    data[lane] = x;
}
IDIOM(bitonic_sort_of_a_warp) {
    Buffer<int> data(32);
    for (int i = 0; i < 32; ++i) data[i] = i * 11 % 32;
    warp_sort<<<1, 32>>>(data);
    report.expect(data, [](int i) { return i; });
}

__global__ void broadcast_struct(float2* out) {
    float2 v = make_float2(threadIdx.x, -1.0f * threadIdx.x);
    v.x = __shfl_sync(kAll, v.x, 9);
    v.y = __shfl_sync(kAll, v.y, threadIdx.x + 33);
    out[threadIdx.x] = v;
}
IDIOM(broadcast_by_components) {
    Buffer<float2> out(32);
    broadcast_struct<<<1, 32>>>(out);
    report.add(out);
    for (int i = 0; i < 32; ++i) report.check(out[i].x == 9 && out[i].y == -((i + 1) % 32));
}
