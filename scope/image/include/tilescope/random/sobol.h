// Sobol's sequences, of 32 and 64 bits, plain and scrambled: of direction vectors that the program brings (cuRAND's
// come from curandGetDirectionVectors32() of its library, which is not here). Part of curand_kernel.h.
#pragma once

// Number n is the sum of the direction vectors that n's Gray code names, so one more vector leads to the next. The
// scrambled sequences are the plain ones in an order that the program's constant changes.
#define TILESCOPE_SOBOL(State, Word, bits, first_zero)                                                       \
    TILESCOPE_RANDOM Word curand(State* state) {                                                             \
        const Word result = state->x;                                                                        \
        const int vector = first_zero(~state->i) - 1;                                                        \
        state->x ^= state->direction_vectors[vector < 0 ? bits - 1 : vector];                                \
        ++state->i;                                                                                          \
        return result;                                                                                       \
    }                                                                                                        \
    TILESCOPE_RANDOM void skipahead(Word n, State* state) {                                                  \
        state->i += n;                                                                                       \
        const Word gray = state->i ^ state->i >> 1;                                                          \
        state->x = state->c;                                                                                 \
        for (int k = 0; k < bits; ++k) state->x ^= (gray >> k & 1) != 0 ? state->direction_vectors[k] : 0;   \
    }                                                                                                        \
    TILESCOPE_RANDOM void __tilescope_begin(const Word* vectors, Word scramble, Word offset, State* state) { \
        for (int k = 0; k < bits; ++k) state->direction_vectors[k] = vectors[k];                             \
        state->i = 0;                                                                                        \
        state->c = scramble;                                                                                 \
        skipahead(offset, state);                                                                            \
    }
TILESCOPE_SOBOL(curandStateSobol32_t, unsigned int, 32, __ffs)
TILESCOPE_SOBOL(curandStateScrambledSobol32_t, unsigned int, 32, __ffs)
TILESCOPE_SOBOL(curandStateSobol64_t, unsigned long long, 64, __ffsll)
TILESCOPE_SOBOL(curandStateScrambledSobol64_t, unsigned long long, 64, __ffsll)
#undef TILESCOPE_SOBOL

TILESCOPE_RANDOM void curand_init(const unsigned int* vectors, unsigned int offset, curandStateSobol32_t* state) {
    __tilescope_begin(vectors, 0, offset, state);
}
TILESCOPE_RANDOM void curand_init(const unsigned int* vectors, unsigned int scramble, unsigned int offset,
                                  curandStateScrambledSobol32_t* state) {
    __tilescope_begin(vectors, scramble, offset, state);
}
TILESCOPE_RANDOM void curand_init(const unsigned long long* vectors, unsigned long long offset,
                                  curandStateSobol64_t* state) {
    __tilescope_begin(vectors, 0, offset, state);
}
TILESCOPE_RANDOM void curand_init(const unsigned long long* vectors, unsigned long long scramble,
                                  unsigned long long offset, curandStateScrambledSobol64_t* state) {
    __tilescope_begin(vectors, scramble, offset, state);
}
