// Values from other lanes: by number, from above and below, crosswise, in parts of a warp, of eight bytes and of two.
#include <cuda_fp16.h>

#include "fourfold.cuh"

__global__ void exchange(const double* wide, int* whole, double* turned, float* halves) {
    const int lane = threadIdx.x, value = lane * lane;
    int* to = whole + lane * 6;
    to[0] = __shfl_sync(~0u, value, (lane * 7) & 31);
    to[1] = __shfl_up_sync(~0u, value, 3, 8);
    to[2] = __shfl_down_sync(~0u, value, 5, 16);
    to[3] = __shfl_xor_sync(~0u, value, 9);
    to[4] = __shfl_sync(~0u, value, 33, 4);
    to[5] = lane < 10 ? __shfl_sync(0x3ff, value, 9 - lane) : -1;
    turned[lane] = __shfl_xor_sync(~0u, wide[lane], 31);
    halves[lane] = __half2float(__shfl_down_sync(~0u, __float2half(lane * 0.5f), 1));
}

int main() {
    const std::vector<double> wide = numbers<double>(32, -1, 1);
    std::vector<int> expected;
    std::vector<double> turned;
    std::vector<float> halves;
    const auto square = [](int l) { return l * l; };
    for (int l = 0; l < 32; ++l) {
        for (const int from : {(l * 7) & 31, l % 8 >= 3 ? l - 3 : l, l % 16 + 5 < 16 ? l + 5 : l, l ^ 9, l / 4 * 4 + 1})
            expected.push_back(square(from));
        expected.push_back(l < 10 ? square(9 - l) : -1);
        turned.push_back(wide[31 - l]);
        halves.push_back((l < 31 ? l + 1 : l) * 0.5f);
    }
    const Buffer<double> in(wide), out(32);
    const Buffer<int> whole(32 * 6);
    const Buffer<float> small(32);
    exchange<<<1, 32>>>(in, whole, out, small);
    return same("whole", whole.host(), expected) + same("wide", out.host(), turned) +
           same("halves", small.host(), halves);
}
