// A bitonic sorting network of pairs: short steps in shared memory, long steps in global memory, both directions.
#include <algorithm>
#include <cstring>

#include "program.cuh"

constexpr unsigned kShared = 512;  // elements a block holds; half as many threads

template <typename Key, typename Value>
__device__ __forceinline__ void compare_exchange(Key& a, Value& va, Key& b, Value& vb, bool rising) {
    if ((a > b) != rising) return;
    const Key key = a;
    const Value value = va;
    a = b, va = vb;
    b = key, vb = value;
}
// All sizes that fit in shared memory: from pairs up, or, for the tail of a longer merge, only the last size's steps.
template <typename Key, typename Value>
__global__ void in_shared(Key* keys, Value* values, unsigned first_size, unsigned last_size, bool rising) {
    __shared__ Key k[kShared];
    __shared__ Value v[kShared];
    const unsigned base = blockIdx.x * kShared, t = threadIdx.x;
    k[t] = keys[base + t], v[t] = values[base + t];
    k[t + kShared / 2] = keys[base + t + kShared / 2], v[t + kShared / 2] = values[base + t + kShared / 2];
    for (unsigned size = first_size; size <= last_size; size <<= 1)
        for (unsigned stride = min(size, kShared) / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            const unsigned at = 2 * t - (t & (stride - 1));
            const bool up = (((base + at) & size) == 0) == rising;
            compare_exchange(k[at], v[at], k[at + stride], v[at + stride], up);
        }
    __syncthreads();
    keys[base + t] = k[t], values[base + t] = v[t];
    keys[base + t + kShared / 2] = k[t + kShared / 2], values[base + t + kShared / 2] = v[t + kShared / 2];
}
template <typename Key, typename Value>
__global__ void in_global(Key* keys, Value* values, unsigned size, unsigned stride, bool rising) {
    const unsigned t = blockIdx.x * blockDim.x + threadIdx.x, at = 2 * t - (t & (stride - 1));
    const bool up = ((at & size) == 0) == rising;
    compare_exchange(keys[at], values[at], keys[at + stride], values[at + stride], up);
}

template <typename Key, typename Value>
void sort_on_device(Key* keys, Value* values, unsigned n, bool rising) {  // n: a power of two, kShared or more
    in_shared<<<n / kShared, kShared / 2>>>(keys, values, 2u, kShared, rising);
    for (unsigned size = 2 * kShared; size <= n; size <<= 1) {
        for (unsigned stride = size / 2; stride >= kShared; stride >>= 1)
            in_global<<<n / 2 / 256, 256>>>(keys, values, size, stride, rising);
        in_shared<<<n / kShared, kShared / 2>>>(keys, values, size, size, rising);
    }
    CHECK(cudaGetLastError());
}

template <typename Key, typename Make>
int sort_and_check(const char* what, unsigned n, bool rising, Make make) {
    std::vector<Key> keys(n);
    std::vector<unsigned> values(n);
    for (unsigned i = 0; i < n; ++i) keys[i] = make(i), values[i] = i;
    std::vector<Key> expected = keys;
    std::sort(expected.begin(), expected.end());
    if (!rising) std::reverse(expected.begin(), expected.end());
    Key* k = to_device(keys);
    unsigned* v = to_device(values);
    sort_on_device(k, v, n, rising);
    const std::vector<Key> found = to_host(k, n);
    const std::vector<unsigned> places = to_host(v, n);
    bool holds = found == expected;
    std::vector<bool> seen(n);
    for (unsigned i = 0; i < n; ++i) {  // a permutation, and each value went with its key
        holds &= places[i] < n && !seen[places[i]] && keys[places[i]] == found[i];
        if (places[i] < n) seen[places[i]] = true;
    }
    CHECK(cudaFree(k));
    CHECK(cudaFree(v));
    return verdict(what, holds);
}

int main() {
    const auto mix = [](unsigned i) { return (i * 2654435761u) ^ (i * 40503u >> 5); };
    return sort_and_check<unsigned>("unsigned, rising", 4096, true, [&](unsigned i) { return mix(i) >> 20; }) |
           sort_and_check<float>("float, falling", 2048, false,
                                 [&](unsigned i) { return (static_cast<int>(mix(i)) >> 12) * 0.25f; }) |
           sort_and_check<long long>("long long, one block", 512, true, [&](unsigned i) {
               return static_cast<long long>(mix(i)) * (i % 2 ? -1000003LL : 1000003LL);
           });
}
