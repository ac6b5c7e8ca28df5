// fp32 factors as the tensor cores take them: rounded to tf32, or split into two tf32 numbers.
//
// One idea: x = high + low: high is x rounded to tf32's 11 bits, low the rest rounded likewise, so that 22 bits survive
// and the sign of low the 23rd. Tensor cores ignore the last 13 bits of a factor, but they cost power on their way:
// finite results have zeros there. Guarantees: high high + high low + low high is what the product of two factors is
// also when one or both are infinite or NaN: such a factor is all in `low`, and `high` is the smallest normal number of
// its sign, which adds nothing to an infinity but lets infinity times infinity be one. Does not model: infinity times a
// subnormal number that rounds to zero, which gives NaN; finite numbers from 0x1.ffep127 on, which keep only 11 bits
// when they are split.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace tiles {

// Whether rounding leaves x finite: false for infinities and NaNs, too.
__device__ __forceinline__ bool rounds_to_tf32(float x) { return fabsf(x) < 0x1.ffep127f; }

// Of a number that rounds_to_tf32: half of the last bit that stays is added, the rest cut off.
__device__ __forceinline__ uint32_t rounded_bits(float x) { return (__float_as_uint(x) + 0x1000u) & 0xffffe000u; }

__device__ __forceinline__ uint32_t round_to_tf32(float x) {
    return rounds_to_tf32(x) ? rounded_bits(x) : __float_as_uint(x);
}

__device__ __forceinline__ void split_to_tf32(float x, uint32_t& high, uint32_t& low) {
    const bool rounds = rounds_to_tf32(x);
    const uint32_t rounded = rounds ? rounded_bits(x) : 0;
    const float rest = x - __uint_as_float(rounded);
    high = rounds ? rounded : (__float_as_uint(x) & 0x80000000u) | 0x00800000u;
    low = rounds ? rounded_bits(rest) : __float_as_uint(rest);
}

}  // namespace tiles
