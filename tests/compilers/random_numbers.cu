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
#define ONES(F, R)                                                                                                  \
    F(curand, curand(&s)) F(uniform, curand_uniform(&s)) F(uniform_double, curand_uniform_double(&s))               \
        R(normal, curand_normal(&s)) R(normal_double, curand_normal_double(&s))                                     \
            R(log_normal, curand_log_normal(&s, 0.5f, 0.5f)) R(log_normal_double, curand_log_normal_double(&s, 0.5, 0.5)) \
                F(skip, (skipahead(1234567, &s), curand(&s)))
// clang-format on

#define ADD(name, expression) digest_here(sums, at++, i, bits(expression));
#define ROUNDED(name, expression) add_rounded(sums, at++, expression);
#define NAME(name, expression) #name,
#define COUNT(name, expression) +1
const char* const names[] = {BOTH(NAME, NAME) FOURS(NAME, NAME)};
const char* const names_of_ones[] = {ONES(NAME, NAME)};

template <class T>
__device__ double both(T x) {
    return x.x + 2 * x.y;
}
template <class T>
__device__ double all(T x) {
    return x.x + 2 * x.y + 3 * x.z + 4 * x.w;
}
template <class State>
__device__ void fours(State&, unsigned long long*, int, unsigned) {}
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

__device__ void begin(unsigned* vectors, unsigned, unsigned i, curandStateSobol32_t* s) { curand_init(vectors, i, s); }
__device__ void begin(unsigned* vectors, unsigned scramble, unsigned i, curandStateScrambledSobol32_t* s) {
    curand_init(vectors, scramble, i, s);
}
__device__ void begin(unsigned long long* vectors, unsigned, unsigned i, curandStateSobol64_t* s) {
    curand_init(vectors, i * 0x123456789ull, s);
}
__device__ void begin(unsigned long long* vectors, unsigned scramble, unsigned i, curandStateScrambledSobol64_t* s) {
    curand_init(vectors, scramble * 0x123456789ull, i * 0x123456789ull, s);
}
template <class State, class Word>
__global__ void ones(unsigned long long* sums) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    constexpr int kBits = 8 * sizeof(Word);
    Word vectors[kBits];
    for (int k = 0; k < kBits; ++k) vectors[k] = (Word(mixed(k)) * 0x123456789ull | 1) << (kBits - 1 - k);
    State s;
    begin(vectors, mixed(i), i % 3 ? i : mixed(i + 1), &s);
    int at = 0;
    ONES(ADD, ROUNDED)
}

// MRG32k3a has subsequences besides, which are what its initialisation counts.
__global__ void subsequences(unsigned long long* sums) {
    curandStateMRG32k3a_t s;
    curand_init(threadIdx.x * 77ull, 0x123456789abull * threadIdx.x, 0x123456789abcdefull * threadIdx.x, &s);
    digest_here(sums, 0, threadIdx.x, bits(curand_MRG32k3a(&s)));
    skipahead_subsequence((~0ull >> 13) - threadIdx.x, &s);
    digest_here(sums, 1, threadIdx.x, curand(&s));
}

void print(const char* name, const unsigned long long* sums, const char* const* names, int count, size_t size) {
    if (cudaDeviceSynchronize() != cudaSuccess) printf("FAILED\n");
    for (int k = 0; k < count; ++k) {
        const bool rounded = strstr(names[k], "normal") != nullptr;
        print_digest(name, "device", names[k], rounded ? (sums[k] + (1ull << 29)) >> 30 : sums[k]);
    }
    printf("%s host size %d\n", name, static_cast<int>(size));
}
unsigned long long* sums_for(size_t count) {
    unsigned long long* sums;
    cudaMallocManaged(&sums, count * sizeof(*sums));
    return sums;
}
template <class State>
void run(const char* name, int count) {
    unsigned long long* const sums = sums_for(std::size(names));
    kernel<State><<<8, 64>>>(sums);
    print(name, sums, names, count, sizeof(State));
}
template <class State, class Word>
void run_ones(const char* name) {
    unsigned long long* const sums = sums_for(std::size(names_of_ones));
    ones<State, Word><<<8, 64>>>(sums);
    print(name, sums, names_of_ones, std::size(names_of_ones), sizeof(State));
}

int main() {
    run<curandStateXORWOW_t>("xorwow", 0 BOTH(COUNT, COUNT));
    run<curandStatePhilox4_32_10_t>("philox", std::size(names));
    run<curandStateMRG32k3a_t>("mrg32k3a", 0 BOTH(COUNT, COUNT));
    run_ones<curandStateSobol32_t, unsigned>("sobol32");
    run_ones<curandStateScrambledSobol32_t, unsigned>("scrambled_sobol32");
    run_ones<curandStateSobol64_t, unsigned long long>("sobol64");
    run_ones<curandStateScrambledSobol64_t, unsigned long long>("scrambled_sobol64");
    unsigned long long* const sums = sums_for(2);
    subsequences<<<1, 32>>>(sums);
    const char* const both[] = {"init", "subsequence"};
    print("mrg32k3a_far", sums, both, 2, sizeof(*sums));
}
