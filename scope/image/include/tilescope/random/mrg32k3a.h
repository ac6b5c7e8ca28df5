// The generator MRG32k3a (L'Ecuyer, "Good parameters and implementations for combined multiple recursive random number
// generators", 1999), by integers. Part of curand_kernel.h.
#pragma once

// Two recurrences, x[n] = a2 x[n-1] + a1 x[n-2] + a0 x[n-3] modulo a prime.
struct __tilescope_recurrence {
    unsigned int a0, a1, a2, modulus;
};
TILESCOPE_RANDOM __tilescope_recurrence __tilescope_first() {
    return __tilescope_recurrence{4294967087u - 810728u, 1403580u, 0u, 4294967087u};
}
TILESCOPE_RANDOM __tilescope_recurrence __tilescope_second() {
    return __tilescope_recurrence{4294944443u - 1370589u, 0u, 527612u, 4294944443u};
}
TILESCOPE_RANDOM unsigned int __tilescope_step(const __tilescope_recurrence& r, unsigned int (&s)[3]) {
    unsigned long long next = (unsigned long long)r.a0 * s[0] % r.modulus;
    if (r.a1 != 0) next += (unsigned long long)r.a1 * s[1] % r.modulus;
    if (r.a2 != 0) next += (unsigned long long)r.a2 * s[2] % r.modulus;
    s[0] = s[1];
    s[1] = s[2];
    s[2] = (unsigned int)(next % r.modulus);
    return s[2];
}
// From 1 to the first modulus.
TILESCOPE_RANDOM double curand_MRG32k3a(curandStateMRG32k3a_t* state) {
    const unsigned int x = __tilescope_step(__tilescope_first(), state->s1);
    const unsigned int y = __tilescope_step(__tilescope_second(), state->s2);
    return x > y ? (double)(x - y) : (double)((unsigned long long)x + 4294967087u - y);
}
TILESCOPE_RANDOM unsigned int curand(curandStateMRG32k3a_t* state) {
    return (unsigned int)(curand_MRG32k3a(state) * 1.000000048662);
}

// A jump by n steps is x^n modulo the recurrence's polynomial x^3 - a2 x^2 - a1 x - a0: the state after it is that sum
// of the states after 0, 1 and 2 steps.
struct __tilescope_polynomial {
    unsigned int c[3];
};
TILESCOPE_RANDOM void __tilescope_multiply(const __tilescope_recurrence& r, __tilescope_polynomial& x,
                                           const __tilescope_polynomial& y) {
    const unsigned long long m = r.modulus;
    unsigned long long product[5] = {0, 0, 0, 0, 0};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) product[i + k] += (unsigned long long)x.c[i] * y.c[k] % m;
    for (int degree = 4; degree >= 3; --degree) {
        const unsigned long long top = product[degree] % m;
        product[degree - 1] += top * r.a2 % m;
        product[degree - 2] += top * r.a1 % m;
        product[degree - 3] += top * r.a0 % m;
    }
    for (int i = 0; i < 3; ++i) x.c[i] = (unsigned int)(product[i] % m);
}
// By n times the distance that the polynomial stands for.
static __device__ __attribute__((noinline)) void __tilescope_jump_steps(const __tilescope_recurrence& r,
                                                                        unsigned long long n,
                                                                        const __tilescope_polynomial& distance,
                                                                        unsigned int (&s)[3]) {
    __tilescope_polynomial jump = {{1, 0, 0}}, power = distance;
    for (; n != 0; n >>= 1) {
        if ((n & 1) != 0) __tilescope_multiply(r, jump, power);
        __tilescope_multiply(r, power, power);
    }
    unsigned int now[3] = {s[0], s[1], s[2]};
    unsigned long long sums[3] = {0, 0, 0};
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < 3; ++i) sums[i] += (unsigned long long)jump.c[k] * now[i] % r.modulus;
        __tilescope_step(r, now);
    }
    for (int i = 0; i < 3; ++i) s[i] = (unsigned int)(sums[i] % r.modulus);
}
TILESCOPE_RANDOM void __tilescope_jump_both(unsigned long long n, const __tilescope_polynomial& first,
                                            const __tilescope_polynomial& second, curandStateMRG32k3a_t* state) {
    if (n == 0) return;
    __tilescope_jump_steps(__tilescope_first(), n, first, state->s1);
    __tilescope_jump_steps(__tilescope_second(), n, second, state->s2);
}
TILESCOPE_RANDOM void skipahead(unsigned long long n, curandStateMRG32k3a_t* state) {
    __tilescope_jump_both(n, __tilescope_polynomial{{0, 1, 0}}, __tilescope_polynomial{{0, 1, 0}}, state);
}
// Subsequences are 2^76 numbers apart and sequences 2^127: x to these powers.
TILESCOPE_RANDOM void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t* state) {
    __tilescope_jump_both(n, __tilescope_polynomial{{82758667u, 1871391091u, 4127413238u}},
                          __tilescope_polynomial{{1511326704u, 3759209742u, 1610795712u}}, state);
}
TILESCOPE_RANDOM void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t* state) {
    __tilescope_jump_both(n, __tilescope_polynomial{{2427906178u, 3580155704u, 949770784u}},
                          __tilescope_polynomial{{1464411153u, 277697599u, 1610723613u}}, state);
}
TILESCOPE_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                                  curandStateMRG32k3a_t* state) {
    const unsigned int usual = 12345u;
    const unsigned long long low = (unsigned int)seed ^ 0x55555555u, high = (unsigned int)(seed >> 32) ^ 0xaaaaaaaau;
    for (int k = 0; k < 3; ++k) {
        state->s1[k] = seed == 0 ? usual : (unsigned int)((k == 1 ? high : low) * usual % 4294967087u);
        state->s2[k] = seed == 0 ? usual : (unsigned int)((k == 1 ? low : high) * usual % 4294944443u);
    }
    skipahead_subsequence(subsequence, state);
    skipahead(offset, state);
    state->boxmuller_flag = state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0.0f;
    state->boxmuller_extra_double = 0.0;
}
