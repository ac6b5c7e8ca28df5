// A 3 x 3 convolution as a product that is never written down: rows are pixels, columns are filters, the depth is every
// channel of every neighbour. f16 by mma.sync, NHWC, with a border of zeros and a bias.
#include <cuda_fp16.h>

#include "product_check.h"

constexpr int kHeight = 16, kWidth = 16, kChannels = 16, kFilters = 16, kTaps = 9;

__global__ void convolve(const __half* image, const __half* filters, const float* bias, float* out) {
    __shared__ __align__(16) __half patch[16][kChannels + 8];
    const int lane = threadIdx.x, g = lane / 4, t = lane % 4, y = blockIdx.x;  // 16 pixels of a row
    float sums[2][4] = {};
    for (int tap = 0; tap < kTaps; ++tap) {
        const int from_y = y + tap / 3 - 1;
        __syncthreads();
        for (int i = lane; i < 16 * kChannels / 8; i += 32) {
            const int pixel = i / (kChannels / 8), piece = i % (kChannels / 8), from_x = pixel + tap % 3 - 1;
            const bool is_inside = from_y >= 0 && from_y < kHeight && from_x >= 0 && from_x < kWidth;
            const uint4 zeros{0, 0, 0, 0};
            *reinterpret_cast<uint4*>(&patch[pixel][piece * 8]) =
                is_inside ? *reinterpret_cast<const uint4*>(image + (from_y * kWidth + from_x) * kChannels + piece * 8)
                          : zeros;
        }
        __syncthreads();
        unsigned left[4];
        const auto at = static_cast<unsigned>(__cvta_generic_to_shared(&patch[lane % 16][lane / 16 * 8]));
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(left[0]), "=r"(left[1]), "=r"(left[2]), "=r"(left[3])
                     : "r"(at));
        for (int j = 0; j < 2; ++j) {
            const __half* const column = filters + ((j * 8 + g) * kTaps + tap) * kChannels + t * 2;
            const unsigned low = *reinterpret_cast<const unsigned*>(column),
                           high = *reinterpret_cast<const unsigned*>(column + 8);
            float* const d = sums[j];
            asm volatile(
                "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
                "{%0,%1,%2,%3};"
                : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(low), "r"(high));
        }
    }
    for (int j = 0; j < 2; ++j)
        for (int e = 0; e < 4; ++e) {
            const int x = g + e / 2 * 8, filter = j * 8 + t * 2 + e % 2;
            out[(y * kWidth + x) * kFilters + filter] = fmaxf(sums[j][e] + bias[filter], 0.0f);
        }
}

int main() {
    std::vector<__half> image(kHeight * kWidth * kChannels), filters(kFilters * kTaps * kChannels);
    std::vector<float> bias(kFilters);
    Random random{11};
    for (auto& x : image) x = __float2half(random.between_halves());
    for (auto& x : filters) x = __float2half(random.between_halves());
    for (auto& x : bias) x = random.between_halves();
    float* const out = to_device(std::vector<float>(kHeight * kWidth * kFilters));
    convolve<<<kHeight, 32>>>(to_device(image), to_device(filters), to_device(bias), out);
    return judge(
        to_host(out, kHeight * kWidth * kFilters),
        [&](std::size_t i) {
            const int filter = i % kFilters, x = i / kFilters % kWidth, y = i / kFilters / kWidth;
            double sum = bias[filter];
            for (int tap = 0; tap < kTaps; ++tap) {
                const int from_y = y + tap / 3 - 1, from_x = x + tap % 3 - 1;
                if (from_y < 0 || from_y >= kHeight || from_x < 0 || from_x >= kWidth) continue;
                for (int c = 0; c < kChannels; ++c)
                    sum += double{__half2float(image[(from_y * kWidth + from_x) * kChannels + c])} *
                           __half2float(filters[(filter * kTaps + tap) * kChannels + c]);
            }
            return sum > 0 ? sum : 0;
        },
        1e-5);
}
