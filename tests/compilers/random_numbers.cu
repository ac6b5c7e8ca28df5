// The generators of curand_kernel.h: a digest for each of what they give, from several seeds, sequences and offsets.
#include <curand_kernel.h>

#include "digests.cuh"

// What hangs on a logarithm or an exponential differs in the last places: sums of it in units of 2^-40, of which the
// leading part is printed.
__device__ void add_rounded(unsigned long long* sums, int at, double x) {
    atomicAdd(sums + at, static_cast<unsigned long long>(llrint(x * 0x1p40)));
}
template <class T>
__device__ unsigned long long bits(T x) {
    unsigned long long words[4] = {}, sum = 0;
    memcpy(words, &x, sizeof(x));
    for (const auto word : words) sum = sum * 0x9e3779b97f4a7c15ull + word;
    return sum;
}

// clang-format off
#define BOTH(F, R)                                                                                                  \
    F(curand, curand(&s))                                                                                           \
    F(uniform, curand_uniform(&s)) F(uniform_double, curand_uniform_double(&s)) R(normal, curand_normal(&s))        \
        R(normal_again, curand_normal(&s)) R(normal2, both(curand_normal2(&s)))                                     \
            R(normal_double, curand_normal_double(&s)) R(normal_double_again, curand_normal_double(&s))             \
                R(normal2_double, both(curand_normal2_double(&s))) R(log_normal, curand_log_normal(&s, 0.5f, 0.5f)) \
                    R(log_normal2, both(curand_log_normal2(&s, 0.25f, 0.5f)))                                       \
                        R(log_normal_double, curand_log_normal_double(&s, 0.5, 0.5))                                \
                            R(log_normal2_double, both(curand_log_normal2_double(&s, 0.25, 0.5)))                   \
                                F(skip, (skipahead(1234567, &s), curand(&s)))                                       \
                                    F(skip_sequence, (skipahead_sequence(77, &s), curand(&s)))
#define FOURS(F, R)                                                                                                    \
    F(curand4, curand4(&s))                                                                                            \
    F(uniform4, curand_uniform4(&s)) F(uniform2_double, curand_uniform2_double(&s))                                    \
        F(uniform4_double, curand_uniform4_double(&s)) R(normal4, all(curand_normal4(&s)))                             \
            R(normal4_double, all(curand_normal4_double(&s))) R(log_normal4, all(curand_log_normal4(&s, 0.25f, 0.5f))) \
                R(log_normal4_double, all(curand_log_normal4_double(&s, 0.25, 0.5))) F(curand_after, curand(&s))
// clang-format on

#define ADD(name, expression) digest_here(sums, at++, i, bits(expression));
#define ROUNDED(name, expression) add_rounded(sums, at++, expression);
#define NAME(name, expression) #name,
#define COUNT(name, expression) +1
const char* const names[] = {BOTH(NAME, NAME) FOURS(NAME, NAME)};

template <class T>
__device__ double both(T x) {
    return x.x + 2 * x.y;
}
template <class T>
__device__ double all(T x) {
    return x.x + 2 * x.y + 3 * x.z + 4 * x.w;
}
__device__ void fours(curandStateXORWOW_t&, unsigned long long*, int, unsigned) {}
__device__ void fours(curandStatePhilox4_32_10_t& s, unsigned long long* sums, int at, unsigned i) {
    FOURS(ADD, ROUNDED)
}

template <class State>
__global__ void kernel(unsigned long long* sums) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    State s;
    curand_init(i % 3 ? 1234ull : 0x123456789abcdefull * i, i % 2 ? i : 0, i % 5 ? mixed(i) % 9 : mixed(i), &s);
    int at = 0;
    BOTH(ADD, ROUNDED)
    fours(s, sums, at, i);
}

template <class State>
void run(const char* name, int count) {
    unsigned long long* sums;
    cudaMallocManaged(&sums, std::size(names) * sizeof(*sums));
    kernel<State><<<8, 64>>>(sums);
    if (cudaDeviceSynchronize() != cudaSuccess) printf("FAILED\n");
    for (int k = 0; k < count; ++k) {
        const bool rounded = strstr(names[k], "normal") != nullptr;
        print_digest(name, "device", names[k], rounded ? (sums[k] + (1ull << 29)) >> 30 : sums[k]);
    }
    printf("%s host size %d\n", name, static_cast<int>(sizeof(State)));
}

int main() {
    run<curandStateXORWOW_t>("xorwow", 0 BOTH(COUNT, COUNT));
    run<curandStatePhilox4_32_10_t>("philox", std::size(names));
}
