// What every conversion from floating point to an integer gives for values that the integer cannot hold, for halves and
// for what is no number: each line names a conversion and then has one result per value, in hexadecimal.
// The line "values" of a type says which.
//
// The values come from memory, so that the conversion is the device's and not the compiler's; those called "constant"
// are what the compiler makes of a value that it knows.
#include <cuda_fp16.h>

#include <cmath>
#include <cstdio>

#define ROUNDINGS(X, name) X(name##_rn(x)) X(name##_rz(x)) X(name##_rd(x)) X(name##_ru(x))
#define SIGNED_ROUNDINGS(X, type, name) \
    X((type)name##_rn(x)) X((type)name##_rz(x)) X((type)name##_rd(x)) X((type)name##_ru(x))
#define CASTS(X)                        \
    X((unsigned char)(signed char)x)    \
    X((unsigned char)x)                 \
    X((unsigned short)(short)x)         \
    X((unsigned short)x)                \
    X((unsigned)(int)x)                 \
    X((unsigned)x)                      \
    X((unsigned long)(long)x)           \
    X((unsigned long)x)                 \
    X((unsigned long long)(long long)x) \
    X((unsigned long long)x)            \
    X((bool)x)
#define FROM_FLOAT(X)                          \
    SIGNED_ROUNDINGS(X, unsigned, __float2int) \
    ROUNDINGS(X, __float2uint)                 \
    ROUNDINGS(X, __float2ll)                   \
    ROUNDINGS(X, __float2ull)                  \
    X(lrintf(x))                               \
    X(llrintf(x))                              \
    X(lroundf(x))                              \
    X(llroundf(x))                             \
    X(__half_as_ushort(__float2half_rn(x)))    \
    CASTS(X)
#define FROM_DOUBLE(X)                          \
    SIGNED_ROUNDINGS(X, unsigned, __double2int) \
    ROUNDINGS(X, __double2uint)                 \
    ROUNDINGS(X, __double2ll)                   \
    ROUNDINGS(X, __double2ull)                  \
    X(lrint(x))                                 \
    X(llrint(x))                                \
    X(lround(x))                                \
    X(llround(x))                               \
    X(__float_as_uint((float)x))                \
    X(__float_as_uint(__double2float_rz(x)))    \
    X(__float_as_uint(__double2float_rd(x)))    \
    X(__float_as_uint(__double2float_ru(x)))    \
    CASTS(X)
#define FROM_HALF(X)                                  \
    SIGNED_ROUNDINGS(X, unsigned, __half2int)         \
    ROUNDINGS(X, __half2uint)                         \
    SIGNED_ROUNDINGS(X, unsigned short, __half2short) \
    ROUNDINGS(X, __half2ushort)                       \
    ROUNDINGS(X, __half2ll)                           \
    ROUNDINGS(X, __half2ull)                          \
    X((unsigned char)__half2char_rz(x))               \
    X(__half2uchar_rz(x))                             \
    X((unsigned)(int)x)                               \
    X((unsigned)x)
#define FROM_CONSTANT(X)               \
    X(__double2uint_rz(-1.0))          \
    X((unsigned)__double2int_rz(3e9))  \
    X(__float2uint_rz(-1.0f))          \
    X((unsigned)__float2int_rz(1e20f)) \
    X(__float2ull_rz(-1.0f))           \
    X(__double2ull_rz(1e30))           \
    X(__double2ll_rz(1e30))            \
    X((unsigned)__float2int_rn(NAN))   \
    X((unsigned)__double2int_rn(NAN))  \
    X((unsigned)__float2int_rz(NAN))   \
    X(__float2ll_rz(INFINITY))         \
    X(lrintf(1e20f))                   \
    X(llround(-1e30))

#define NAME(expression) #expression,
#define RESULT(expression) results[(long)at++ * blockDim.x + threadIdx.x] = (unsigned long long)(expression);
#define CONVERSIONS(From, LIST, function)                                       \
    __global__ void function(const From* values, unsigned long long* results) { \
        const From x = values[threadIdx.x];                                     \
        int at = 0;                                                             \
        LIST(RESULT)                                                            \
    }                                                                           \
    const char* const function##_names[] = {LIST(NAME)};

CONVERSIONS(float, FROM_FLOAT, from_float)
CONVERSIONS(double, FROM_DOUBLE, from_double)
CONVERSIONS(__half, FROM_HALF, from_half)
CONVERSIONS(double, FROM_CONSTANT, from_constant)

double number(double x) { return x; }
double number(__half x) { return __half2float(x); }

template <int Names, class From>
void print(const char* type, void (*kernel)(const From*, unsigned long long*), const char* const (&names)[Names],
           const From* values, int count) {
    From* copy;
    unsigned long long* results;
    cudaMalloc(&copy, count * sizeof(From));
    cudaMallocManaged(&results, Names * count * sizeof(*results));
    cudaMemcpy(copy, values, count * sizeof(From), cudaMemcpyHostToDevice);
    kernel<<<1, count>>>(copy, results);
    if (const cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess)
        printf("%s: %s\n", type, cudaGetErrorString(error));
    printf("%s values:", type);
    for (int i = 0; i < count; ++i) printf(" %a", number(values[i]));
    printf("\n");
    for (int name = 0; name < Names; ++name) {
        printf("%s %s:", type, names[name]);
        for (int i = 0; i < count; ++i) printf(" %llx", results[name * count + i]);
        printf("\n");
    }
    cudaFree(copy);
    cudaFree(results);
}

int main() {
    const double values[] = {0.0,          -0.0,         0.5,     -0.5,     1.5,      -1.0,      -1.5,    2.5,
                             127.5,        -128.5,       -129,    255.5,    256.0,    300.0,     32767.5, 32768.0,
                             -32769.0,     65535.5,      65536.0, 100000.0, 2e9,      -2e9,      3e9,     -3e9,
                             4294967295.0, 4294967296.0, 5e9,     1e18,     -1e18,    9.3e18,    -9.3e18, 1.8e19,
                             1.9e19,       1e30,         -1e30,   1e-40,    INFINITY, -INFINITY, NAN,     2147483647.5};
    constexpr int kCount = sizeof(values) / sizeof(values[0]);
    float floats[kCount];
    __half halves[kCount];
    for (int i = 0; i < kCount; ++i) {
        floats[i] = (float)values[i];
        halves[i] = __float2half(floats[i]);
    }
    print("float", from_float, from_float_names, floats, kCount);
    print("double", from_double, from_double_names, values, kCount);
    print("half", from_half, from_half_names, halves, kCount);
    print("constant", from_constant, from_constant_names, values, 1);
    return 0;
}
