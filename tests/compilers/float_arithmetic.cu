// Sixteen results that -use_fast_math, -ftz, -prec-div and -prec-sqrt decide, as bits; a is subnormal.
#include <cstdio>

__global__ void compute(float* o, float a, float b) {
    o[0] = a + a;
    o[1] = a * b;
    o[2] = b / 3.0f;
    o[3] = sqrtf(b);
    o[4] = sinf(b);
    o[5] = a < b * 0 + 1e-40f ? 1.f : 2.f;
    o[6] = fmaf(a, 1.0f, a);
    o[7] = expf(b);
    o[8] = __fdividef(b, 3e38f);
    o[9] = powf(b, 2.5f);
    o[10] = fmaxf(a, 0.f);
    o[11] = fabsf(a);
    o[12] = (float)(double)a;
    o[13] = rsqrtf(b);
    o[14] = b / 2e38f;
    o[15] = tanhf(b);
}

int main() {
    unsigned* d;
    unsigned bits[16];
    cudaMalloc(&d, sizeof bits);
    compute<<<1, 1>>>((float*)d, 1e-40f, 1.7f);
    cudaMemcpy(bits, d, sizeof bits, cudaMemcpyDeviceToHost);
    for (const unsigned each : bits) printf("%08x ", each);
    puts("");
    cudaFree(d);
}
