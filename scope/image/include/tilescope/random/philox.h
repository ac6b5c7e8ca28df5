// The generator Philox4_32_10. Part of curand_kernel.h.
#pragma once

// Philox: ten rounds over a counter of 128 bits.
TILESCOPE_RANDOM uint4 curand_Philox4x32_10(uint4 c, uint2 key) {
#pragma unroll
    for (int round = 0; round < 10; ++round) {
        const unsigned int low = 0xd2511f53u * c.x, high = __umulhi(0xd2511f53u, c.x);
        const unsigned int low2 = 0xcd9e8d57u * c.z, high2 = __umulhi(0xcd9e8d57u, c.z);
        c = make_uint4(high2 ^ c.y ^ key.x, low2, high ^ c.w ^ key.y, low);
        key.x += 0x9e3779b9u;
        key.y += 0xbb67ae85u;
    }
    return c;
}
TILESCOPE_RANDOM void __tilescope_count(curandStatePhilox4_32_10_t* state, unsigned long long n) {
    const unsigned long long low = (state->ctr.x | (unsigned long long)state->ctr.y << 32) + n;
    const unsigned long long high = (state->ctr.z | (unsigned long long)state->ctr.w << 32) + (low < n ? 1 : 0);
    state->ctr =
        make_uint4((unsigned int)low, (unsigned int)(low >> 32), (unsigned int)high, (unsigned int)(high >> 32));
}
TILESCOPE_RANDOM void __tilescope_refill(curandStatePhilox4_32_10_t* state) {
    __tilescope_count(state, 1);
    state->output = curand_Philox4x32_10(state->ctr, state->key);
}
TILESCOPE_RANDOM unsigned int __tilescope_next(const uint4& four, unsigned int at) {
    return at == 0 ? four.x : at == 1 ? four.y : at == 2 ? four.z : four.w;
}
TILESCOPE_RANDOM unsigned int curand(curandStatePhilox4_32_10_t* state) {
    const unsigned int result = __tilescope_next(state->output, state->STATE++);
    if (state->STATE == 4) {
        __tilescope_refill(state);
        state->STATE = 0;
    }
    return result;
}
TILESCOPE_RANDOM uint4 curand4(curandStatePhilox4_32_10_t* state) {
    const uint4 before = state->output;
    __tilescope_refill(state);
    const uint4 after = state->output;
    switch (state->STATE) {
        case 0: return before;
        case 1: return make_uint4(before.y, before.z, before.w, after.x);
        case 2: return make_uint4(before.z, before.w, after.x, after.y);
        default: return make_uint4(before.w, after.x, after.y, after.z);
    }
}
TILESCOPE_RANDOM void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* state) {
    state->STATE += (unsigned int)(n & 3);
    n /= 4;
    if (state->STATE > 3) {
        ++n;
        state->STATE -= 4;
    }
    __tilescope_count(state, n);
    state->output = curand_Philox4x32_10(state->ctr, state->key);
}
TILESCOPE_RANDOM void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t* state) {
    const unsigned long long high = (state->ctr.z | (unsigned long long)state->ctr.w << 32) + n;
    state->ctr.z = (unsigned int)high;
    state->ctr.w = (unsigned int)(high >> 32);
    state->output = curand_Philox4x32_10(state->ctr, state->key);
}
TILESCOPE_RANDOM void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                                  curandStatePhilox4_32_10_t* state) {
    state->ctr = make_uint4(0, 0, 0, 0);
    state->key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
    state->STATE = 0;
    state->boxmuller_flag = state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0.0f;
    state->boxmuller_extra_double = 0.0;
    skipahead_sequence(sequence, state);
    skipahead(offset, state);
}
