// What lanes ask each other: any, all, ballots, equal values, the first of a kind, and sums of a mask.
#include "fourfold.cuh"

__global__ void ask(const int* keys, unsigned* out) {
    const unsigned lane = threadIdx.x % 32, at = blockIdx.x * blockDim.x + threadIdx.x;
    const int key = keys[at];
    unsigned* to = out + at * 7;
    to[0] = __any_sync(~0u, key == 3);
    to[1] = __all_sync(~0u, key < 9);
    to[2] = __ballot_sync(~0u, key & 1);
    to[3] = __match_any_sync(~0u, key);
    int same = 0;
    to[4] = __match_all_sync(~0u, key / 8, &same) + same;
    to[5] = __reduce_add_sync(to[3], key + lane);
    to[6] = __ffs(to[3]) - 1 == lane ? __popc(to[3]) : 0;
}

int main() {
    constexpr int count = 128;
    const std::vector<int> keys = numbers<int>(count, 0, 8);
    std::vector<unsigned> expected(count * 7);
    for (int i = 0; i < count; ++i) {
        const int* warp = &keys[i / 32 * 32];
        unsigned any = 0, all = 1, odd = 0, equal = 0, one = 1, sum = 0;
        for (int l = 0; l < 32; ++l) {
            any |= warp[l] == 3, all &= warp[l] < 9, odd |= unsigned(warp[l] & 1) << l,
                one &= warp[l] / 8 == warp[0] / 8;
            if (warp[l] == keys[i]) equal |= 1u << l, sum += warp[l] + l;
        }
        unsigned* to = &expected[i * 7];
        to[0] = any, to[1] = all, to[2] = odd, to[3] = equal, to[4] = one ? ~0u + 1 : 0, to[5] = sum;
        to[6] = __builtin_ctz(equal) == i % 32 ? __builtin_popcount(equal) : 0;
    }
    const Buffer<int> in(keys);
    const Buffer<unsigned> out(count * 7);
    ask<<<2, 64>>>(in, out);
    return same("answers", out.host(), expected);
}
