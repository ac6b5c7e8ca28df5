// Transforms modulo a prime: polynomials multiplied exactly, with powers by squaring.
#include "fourfold.cuh"

constexpr unsigned kPrime = 998244353, kSize = 128;

__host__ __device__ inline unsigned times(unsigned a, unsigned b) {
    return static_cast<unsigned>(static_cast<unsigned long long>(a) * b % kPrime);
}
__host__ __device__ inline unsigned power(unsigned base, unsigned exponent) {
    unsigned result = 1;
    for (; exponent; exponent >>= 1, base = times(base, base))
        if (exponent & 1) result = times(result, base);
    return result;
}

__device__ void transform(unsigned* values, unsigned root) {
    const unsigned t = threadIdx.x, low = __brev(t) >> 25;
    if (t < low) {
        const unsigned kept = values[t];
        values[t] = values[low];
        values[low] = kept;
    }
    for (unsigned half = 1; half < kSize; half *= 2) {
        __syncthreads();
        if (t < kSize / 2) {
            const unsigned k = t % half, at = (t / half) * 2 * half + k;
            const unsigned turned = times(values[at + half], power(root, kSize / (2 * half) * k)), own = values[at];
            values[at] = (own + turned) % kPrime;
            values[at + half] = (own + kPrime - turned) % kPrime;
        }
    }
    __syncthreads();
}

__global__ void multiply(const unsigned* a, const unsigned* b, unsigned* c, unsigned root) {
    __shared__ unsigned left[kSize], right[kSize];
    const unsigned t = threadIdx.x;
    left[t] = a[t], right[t] = b[t];
    __syncthreads();
    transform(left, root);
    transform(right, root);
    left[t] = times(left[t], right[t]);
    __syncthreads();
    transform(left, power(root, kPrime - 2));
    c[t] = times(left[t], power(kSize, kPrime - 2));
}

int main() {
    std::vector<unsigned> a = numbers<unsigned>(kSize, 0, 998244352), b = numbers<unsigned>(kSize, 0, 998244352, 2),
                          expected(kSize);
    for (unsigned i = kSize / 2; i < kSize; ++i) a[i] = b[i] = 0;
    for (unsigned i = 0; i < kSize / 2; ++i)
        for (unsigned k = 0; k < kSize / 2; ++k) expected[i + k] = (expected[i + k] + times(a[i], b[k])) % kPrime;
    const Buffer<unsigned> da(a), db(b), c(kSize);
    multiply<<<1, kSize>>>(da, db, c, power(3, (kPrime - 1) / kSize));
    return same("product", c.host(), expected);
}
