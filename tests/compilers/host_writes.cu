// Device and constant variables that only the host writes: a compiler that sees no write must not take their initial
// value for their value, whatever the form in which this file keeps them to itself.
#include <cstdio>

static __device__ int of_this_file = 1;
static __constant__ int constant_of_this_file = 1;
namespace {
__device__ int nameless = 1;
__constant__ int constant_nameless[4] = {1, 1, 1, 1};
}  // namespace
template <int N>
__constant__ int of_a_template = N;

__global__ void read(int* out) {
    out[0] = of_this_file;
    out[1] = constant_of_this_file;
    out[2] = nameless;
    out[3] = constant_nameless[2];
    out[4] = of_a_template<1>;
}

template <class Symbol>
bool write(Symbol& symbol) {
    static_assert(sizeof(symbol) % sizeof(int) == 0);
    int values[sizeof(symbol) / sizeof(int)];
    for (int& value : values) value = 7;
    return cudaMemcpyToSymbol(symbol, values, sizeof(values)) == cudaSuccess;
}

int main() {
    const char* const names[] = {"static device variable", "static constant", "device variable in a nameless namespace",
                                 "constant in a nameless namespace", "constant of a template"};
    const bool written[] = {write(of_this_file), write(constant_of_this_file), write(nameless),
                            write(constant_nameless), write(of_a_template<1>)};
    int *out, failed = 0;
    cudaMallocManaged(&out, sizeof(written) * sizeof(int));
    read<<<1, 1>>>(out);
    if (cudaDeviceSynchronize() != cudaSuccess) failed = 1;
    for (int i = 0; i < 5; ++i) {
        const bool right = written[i] && out[i] == 7;
        printf("%s %s\n", right ? "PASS" : "FAIL", names[i]);
        failed += !right;
    }
    return failed != 0;
}
