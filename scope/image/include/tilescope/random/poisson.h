// Poisson's distribution: counts of events of which `mean` are expected. Part of curand_kernel.h.
//
// Guarantees: the distribution. Does not model: which number comes of which state in cuRAND between 64 and 4000, where
// it has approximations of its own.
#pragma once

// The probability of k events.
TILESCOPE_RANDOM double __tilescope_poisson_chance(double mean, double k) {
    return exp(k * log(mean) - mean - lgamma(k + 1.0));
}
// Few: a product of uniform numbers counts them (Knuth). Many: a normal number, rounded. Between: Hoermann's
// transformed rejection PTRS ("The transformed rejection method for generating Poisson random variables", 1993).
template <class State>
static __device__ __attribute__((noinline)) unsigned int __tilescope_poisson(State* state, double mean) {
    if (mean < 64.0) {
        const float few = expf(-(float)mean);
        float product = curand_uniform(state);
        unsigned int count = 0;
        for (; product > few; ++count) product *= curand_uniform(state);
        return count;
    }
    if (mean > 4000.0) return (unsigned int)(sqrt(mean) * curand_normal_double(state) + mean + 0.5);
    const double b = 0.931 + 2.53 * sqrt(mean), a = -0.059 + 0.02483 * b, inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
    const double log_mean = log(mean), squeeze = 0.9277 - 3.6224 / (b - 2.0);
    for (;;) {
        const double u = curand_uniform_double(state) - 0.5, v = curand_uniform_double(state), us = 0.5 - fabs(u);
        const double k = floor((2.0 * a / us + b) * u + mean + 0.43);
        if (us >= 0.07 && v <= squeeze) return (unsigned int)k;
        if (k < 0.0 || (us < 0.013 && v > us)) continue;
        if (log(v * inverse_alpha / (a / (us * us) + b)) <= k * log_mean - mean - lgamma(k + 1.0))
            return (unsigned int)k;
    }
}
// The inverse of the distribution's integral at a number of Sobol's, which must not take two: from where next to
// nothing lies below.
template <class State>
static __device__ __attribute__((noinline)) unsigned int __tilescope_poisson_of_one(State* state, double mean) {
    if (mean > 4000.0) return (unsigned int)(sqrt(mean) * curand_normal_double(state) + mean + 0.5);
    const double u = curand_uniform_double(state), spread = 12.0 * (sqrt(mean) + 1.0);
    double k = floor(mean > spread ? mean - spread : 0.0), chance = __tilescope_poisson_chance(mean, k), sum = chance;
    while (sum < u && k < mean + 2.0 * spread) {
        k += 1.0;
        chance *= mean / k;
        sum += chance;
    }
    return (unsigned int)k;
}

#define TILESCOPE_POISSON(State, function) \
    TILESCOPE_RANDOM unsigned int curand_poisson(State* state, double mean) { return function(state, mean); }
TILESCOPE_POISSON(curandStateXORWOW_t, __tilescope_poisson)
TILESCOPE_POISSON(curandStatePhilox4_32_10_t, __tilescope_poisson)
TILESCOPE_POISSON(curandStateMRG32k3a_t, __tilescope_poisson)
TILESCOPE_POISSON(curandStateSobol32_t, __tilescope_poisson_of_one)
TILESCOPE_POISSON(curandStateScrambledSobol32_t, __tilescope_poisson_of_one)
TILESCOPE_POISSON(curandStateSobol64_t, __tilescope_poisson_of_one)
TILESCOPE_POISSON(curandStateScrambledSobol64_t, __tilescope_poisson_of_one)
#undef TILESCOPE_POISSON
TILESCOPE_RANDOM uint4 curand_poisson4(curandStatePhilox4_32_10_t* state, double mean) {
    const unsigned int x = curand_poisson(state, mean), y = curand_poisson(state, mean);
    const unsigned int z = curand_poisson(state, mean), w = curand_poisson(state, mean);
    return make_uint4(x, y, z, w);
}
