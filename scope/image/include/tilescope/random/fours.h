// Numbers of Philox4_32_10 in twos and fours. Part of curand_kernel.h.
#pragma once

// Four at a time, which Philox makes at once.
TILESCOPE_RANDOM float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
    const uint4 x = curand4(state);
    return make_float4(_curand_uniform(x.x), _curand_uniform(x.y), _curand_uniform(x.z), _curand_uniform(x.w));
}
TILESCOPE_RANDOM double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
    const uint4 x = curand4(state);
    return make_double2(__tilescope_uniform53(x.x, x.y, 0x1p-53), __tilescope_uniform53(x.z, x.w, 0x1p-53));
}
TILESCOPE_RANDOM double4 curand_uniform4_double(curandStatePhilox4_32_10_t* state) {
    const double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
    return make_double4(a.x, a.y, b.x, b.y);
}
TILESCOPE_RANDOM float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
    const uint4 x = curand4(state);
    const float2 a = _curand_box_muller(x.x, x.y), b = _curand_box_muller(x.z, x.w);
    return make_float4(a.x, a.y, b.x, b.y);
}
TILESCOPE_RANDOM double4 curand_normal4_double(curandStatePhilox4_32_10_t* state) {
    const uint4 x = curand4(state), y = curand4(state);
    const double2 a = _curand_box_muller_double(x.x, x.y, x.z, x.w), b = _curand_box_muller_double(y.x, y.y, y.z, y.w);
    return make_double4(a.x, a.y, b.x, b.y);
}
TILESCOPE_RANDOM float4 curand_box_muller4(curandStatePhilox4_32_10_t* state) { return curand_normal4(state); }
TILESCOPE_RANDOM double2 curand_box_muller2_double(curandStatePhilox4_32_10_t* state) {
    const uint4 x = curand4(state);
    return _curand_box_muller_double(x.x, x.y, x.z, x.w);
}
TILESCOPE_RANDOM double4 curand_box_muller4_double(curandStatePhilox4_32_10_t* state) {
    return curand_normal4_double(state);
}
TILESCOPE_RANDOM float4 curand_log_normal4(curandStatePhilox4_32_10_t* state, float mean, float deviation) {
    const float4 x = curand_normal4(state);
    return make_float4(expf(__fmaf_rn(deviation, x.x, mean)), expf(__fmaf_rn(deviation, x.y, mean)),
                       expf(__fmaf_rn(deviation, x.z, mean)), expf(__fmaf_rn(deviation, x.w, mean)));
}
TILESCOPE_RANDOM double4 curand_log_normal4_double(curandStatePhilox4_32_10_t* state, double mean, double deviation) {
    const double4 x = curand_normal4_double(state);
    return make_double4(exp(__fma_rn(deviation, x.x, mean)), exp(__fma_rn(deviation, x.y, mean)),
                        exp(__fma_rn(deviation, x.z, mean)), exp(__fma_rn(deviation, x.w, mean)));
}
