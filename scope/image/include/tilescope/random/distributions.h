// Uniform, normal and log-normal numbers. Part of curand_kernel.h.
#pragma once

// Uniform numbers: above 0, up to 1.
TILESCOPE_RANDOM float _curand_uniform(unsigned int x) { return __fmaf_rn((float)x, 0x1p-32f, 0x1p-33f); }
TILESCOPE_RANDOM double _curand_uniform_double(unsigned int x) { return __fma_rn((double)x, 0x1p-32, 0x1p-32); }
TILESCOPE_RANDOM double __tilescope_uniform53(unsigned int x, unsigned int y, double scale) {
    const unsigned long long bits = x ^ ((unsigned long long)y << 21);
    return __fma_rn((double)bits, scale, 0.5 * scale);
}
// Two uniform numbers as two normal ones (Box and Muller).
TILESCOPE_RANDOM float2 _curand_box_muller(unsigned int x, unsigned int y) {
    const float length = sqrtf(-2.0f * logf(__fmaf_rn((float)x, 0x1p-32f, 0x1p-33f)));
    const float angle = __fmaf_rn((float)y, 0x1.921fb6p-30f, 0x1.921fb6p-31f);
    float2 pair;
    __sincosf(angle, &pair.x, &pair.y);
    pair.x *= length;
    pair.y *= length;
    return pair;
}
TILESCOPE_RANDOM double2 _curand_box_muller_double(unsigned int x0, unsigned int x1, unsigned int y0, unsigned int y1) {
    const double length = sqrt(-2.0 * log(__tilescope_uniform53(x0, x1, 0x1p-53)));
    const double angle = __tilescope_uniform53(y0, y1, 0x1p-52);
    double2 pair;
    sincospi(angle, &pair.x, &pair.y);
    pair.x *= length;
    pair.y *= length;
    return pair;
}

// What generators of 32 bits give: a normal number of two of theirs, or of four.
#define TILESCOPE_OF_WORDS(State)                                                                          \
    TILESCOPE_RANDOM float curand_uniform(State* state) { return _curand_uniform(curand(state)); }         \
    TILESCOPE_RANDOM float2 curand_normal2(State* state) {                                                 \
        const unsigned int x = curand(state), y = curand(state);                                           \
        return _curand_box_muller(x, y);                                                                   \
    }                                                                                                      \
    TILESCOPE_RANDOM double2 curand_normal2_double(State* state) {                                         \
        const unsigned int x0 = curand(state), x1 = curand(state), y0 = curand(state), y1 = curand(state); \
        return _curand_box_muller_double(x0, x1, y0, y1);                                                  \
    }
// A normal number comes with a second one, which is the next.
#define TILESCOPE_IN_PAIRS(State)                                                                               \
    TILESCOPE_RANDOM float2 curand_box_muller(State* state) { return curand_normal2(state); }                   \
    TILESCOPE_RANDOM double2 curand_box_muller_double(State* state) { return curand_normal2_double(state); }    \
    TILESCOPE_RANDOM float curand_normal(State* state) {                                                        \
        if (state->boxmuller_flag != 0) {                                                                       \
            state->boxmuller_flag = 0;                                                                          \
            return state->boxmuller_extra;                                                                      \
        }                                                                                                       \
        const float2 pair = curand_normal2(state);                                                              \
        state->boxmuller_extra = pair.y;                                                                        \
        state->boxmuller_flag = 1;                                                                              \
        return pair.x;                                                                                          \
    }                                                                                                           \
    TILESCOPE_RANDOM double curand_normal_double(State* state) {                                                \
        if (state->boxmuller_flag_double != 0) {                                                                \
            state->boxmuller_flag_double = 0;                                                                   \
            return state->boxmuller_extra_double;                                                               \
        }                                                                                                       \
        const double2 pair = curand_normal2_double(state);                                                      \
        state->boxmuller_extra_double = pair.y;                                                                 \
        state->boxmuller_flag_double = 1;                                                                       \
        return pair.x;                                                                                          \
    }                                                                                                           \
    TILESCOPE_RANDOM float curand_log_normal(State* state, float mean, float deviation) {                       \
        return expf(__fmaf_rn(deviation, curand_normal(state), mean));                                          \
    }                                                                                                           \
    TILESCOPE_RANDOM float2 curand_log_normal2(State* state, float mean, float deviation) {                     \
        const float2 pair = curand_normal2(state);                                                              \
        return make_float2(expf(__fmaf_rn(deviation, pair.x, mean)), expf(__fmaf_rn(deviation, pair.y, mean))); \
    }                                                                                                           \
    TILESCOPE_RANDOM double curand_log_normal_double(State* state, double mean, double deviation) {             \
        return exp(__fma_rn(deviation, curand_normal_double(state), mean));                                     \
    }                                                                                                           \
    TILESCOPE_RANDOM double2 curand_log_normal2_double(State* state, double mean, double deviation) {           \
        const double2 pair = curand_normal2_double(state);                                                      \
        return make_double2(exp(__fma_rn(deviation, pair.x, mean)), exp(__fma_rn(deviation, pair.y, mean)));    \
    }
TILESCOPE_OF_WORDS(curandStateXORWOW_t)
TILESCOPE_OF_WORDS(curandStatePhilox4_32_10_t)
#undef TILESCOPE_OF_WORDS

// MRG32k3a has fewer than 2^32 values: its numbers are fractions of that many.
TILESCOPE_RANDOM double curand_uniform_double(curandStateMRG32k3a_t* state) {
    return curand_MRG32k3a(state) * 2.3283065498378288e-10;
}
TILESCOPE_RANDOM float curand_uniform(curandStateMRG32k3a_t* state) { return (float)curand_uniform_double(state); }
TILESCOPE_RANDOM float2 curand_normal2(curandStateMRG32k3a_t* state) {
    const float length = sqrtf(-2.0f * logf(curand_uniform(state)));
    float2 pair;
    __sincosf(curand_uniform(state) * 0x1.921fb6p+2f, &pair.x, &pair.y);
    pair.x *= length;
    pair.y *= length;
    return pair;
}
TILESCOPE_RANDOM double2 curand_normal2_double(curandStateMRG32k3a_t* state) {
    const double length = sqrt(-2.0 * log(curand_uniform_double(state)));
    double2 pair;
    sincospi(curand_uniform_double(state) * 2.0, &pair.x, &pair.y);
    pair.x *= length;
    pair.y *= length;
    return pair;
}
TILESCOPE_IN_PAIRS(curandStateXORWOW_t)
TILESCOPE_IN_PAIRS(curandStatePhilox4_32_10_t)
TILESCOPE_IN_PAIRS(curandStateMRG32k3a_t)
#undef TILESCOPE_IN_PAIRS

// A double of two numbers of XORWOW's, of one of Philox's.
TILESCOPE_RANDOM double curand_uniform_double(curandStateXORWOW_t* state) {
    const unsigned int x = curand(state), y = curand(state);
    return __tilescope_uniform53(x, y, 0x1p-53);
}
TILESCOPE_RANDOM double curand_uniform_double(curandStatePhilox4_32_10_t* state) {
    return _curand_uniform_double(curand(state));
}

// One number of Sobol's is one number of whatever distribution: normal ones by the inverse of its integral, whose
// halves are alike.
TILESCOPE_RANDOM float _curand_uniform(unsigned long long x) { return _curand_uniform((unsigned int)(x >> 32)); }
TILESCOPE_RANDOM double _curand_uniform_double(unsigned long long x) {
    return __fma_rn((double)(x >> 11), 0x1p-53, 0x1p-54);
}
TILESCOPE_RANDOM float __tilescope_normal_of(unsigned int x) {
    const bool upper = x > 0x80000000u;
    const float p = __fmaf_rn((float)(upper ? ~x : x), 0x1p-32f, 0x1p-33f);
    return (upper ? 0x1.6a09e6p+0f : -0x1.6a09e6p+0f) * erfcinvf(p + p);
}
TILESCOPE_RANDOM float __tilescope_normal_of(unsigned long long x) {
    return __tilescope_normal_of((unsigned int)(x >> 32));
}
TILESCOPE_RANDOM double __tilescope_normal_double_of(unsigned int x) {
    const bool upper = x > 0x80000000u;
    const double p = __fma_rn((double)(upper ? ~x : x), 0x1p-32, 0x1p-33);
    return (upper ? 0x1.6a09e667f3bcdp+0 : -0x1.6a09e667f3bcdp+0) * erfcinv(p + p);
}
TILESCOPE_RANDOM double __tilescope_normal_double_of(unsigned long long x) {
    const bool upper = x > 0x8000000000000000ull;
    const double p = _curand_uniform_double(upper ? ~x : x);
    return (upper ? 0x1.6a09e667f3bcdp+0 : -0x1.6a09e667f3bcdp+0) * erfcinv(p + p);
}
#define TILESCOPE_OF_ONE(State)                                                                                        \
    TILESCOPE_RANDOM float curand_uniform(State* state) { return _curand_uniform(curand(state)); }                     \
    TILESCOPE_RANDOM double curand_uniform_double(State* state) { return _curand_uniform_double(curand(state)); }      \
    TILESCOPE_RANDOM float curand_normal(State* state) { return __tilescope_normal_of(curand(state)); }                \
    TILESCOPE_RANDOM double curand_normal_double(State* state) { return __tilescope_normal_double_of(curand(state)); } \
    TILESCOPE_RANDOM float curand_log_normal(State* state, float mean, float deviation) {                              \
        return expf(__fmaf_rn(deviation, curand_normal(state), mean));                                                 \
    }                                                                                                                  \
    TILESCOPE_RANDOM double curand_log_normal_double(State* state, double mean, double deviation) {                    \
        return exp(__fma_rn(deviation, curand_normal_double(state), mean));                                            \
    }
TILESCOPE_OF_ONE(curandStateSobol32_t)
TILESCOPE_OF_ONE(curandStateScrambledSobol32_t)
TILESCOPE_OF_ONE(curandStateSobol64_t)
TILESCOPE_OF_ONE(curandStateScrambledSobol64_t)
#undef TILESCOPE_OF_ONE
