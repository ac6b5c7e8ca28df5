// What holds is kept, in order and out of it: ballots and counts of lanes, one atomic addition a warp.
#include <algorithm>

#include "fourfold.cuh"

__global__ void in_any_order(const int* in, int count, int* out, unsigned* kept) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    const bool keep = i < count && in[i] % 3 == 0;
    const unsigned who = __ballot_sync(0xffffffffu, keep);
    const int leader = __ffs(who) - 1;
    unsigned at = 0;
    if (lane == leader) at = atomicAdd(kept, __popc(who));
    if (who == 0) return;
    at = __shfl_sync(0xffffffffu, at, leader);
    if (keep) out[at + __popc(who & ((1u << lane) - 1))] = in[i];
}

__global__ void in_order(const int* in, int count, int* out, unsigned* kept) {
    unsigned start = 0;
    for (int base = 0; base < count; base += 32) {
        const int i = base + threadIdx.x;
        const bool keep = i < count && in[i] % 3 == 0;
        const unsigned who = __ballot_sync(~0u, keep);
        if (keep) out[start + __popc(who & ((1u << threadIdx.x) - 1))] = in[i];
        start += __popc(who);
    }
    if (threadIdx.x == 0) *kept = start;
}

int main() {
    constexpr int count = 1777;
    const std::vector<int> values = numbers<int>(count, 0, 9999);
    std::vector<int> expected;
    std::copy_if(values.begin(), values.end(), std::back_inserter(expected), [](int x) { return x % 3 == 0; });
    const Buffer<int> in(values), any(count), ordered(count);
    const Buffer<unsigned> kept(2);
    in_any_order<<<(count + 127) / 128, 128>>>(in, count, any, kept);
    in_order<<<1, 32>>>(in, count, ordered, kept + 1);
    std::vector<int> found = any.host(), first = ordered.host();
    found.resize(kept.host()[0]), first.resize(kept.host()[1]);
    int bad = same("in order", first, expected);
    std::sort(found.begin(), found.end());
    std::sort(expected.begin(), expected.end());
    return bad + same("in any order", found, expected);
}
