// What a program can ask too much of, the last bit of two functions, and words of older C++.
#include <cstdint>
#include <cstdio>
#include <cstring>

__global__ void functions(double* out, double x, double y, double z) {
    register int at = 0;
    out[at] = tanh(x);
    for (int t : {1, 2}) at = t;
    out[1] = remainder(y, z);
    out[at] = remainder(-y, z);
}

__global__ void prints(int n) {
    for (int i = 0; i < n; ++i) printf("line %d\n", i);
}

static long long bits(double x) {
    long long b;
    memcpy(&b, &x, sizeof b);
    return b;
}

static void expect(bool right, const char* what) { printf("%s %s\n", right ? "PASS" : "FAIL", what); }

int main() {
    void* pinned = nullptr;
    const bool refused = cudaMallocHost(&pinned, std::size_t{1} << 46) == cudaErrorMemoryAllocation;
    expect(refused && pinned == nullptr && cudaGetLastError() == cudaErrorMemoryAllocation, "64 TiB of pinned memory");
    expect(cudaMallocHost(&pinned, 4096) == cudaSuccess && cudaFreeHost(pinned) == cudaSuccess, "a page of it");

    double* out;
    cudaMallocManaged(&out, 3 * sizeof(double));
    functions<<<1, 1>>>(out, -0.47769843788963895, 3e-277, 5e-324);
    cudaDeviceSynchronize();
    const long long off = bits(out[0]) - bits(-0.44439847413131861);  // an H100's
    expect(off >= -1 && off <= 1, "tanh");
    expect(bits(out[1]) == 0 && bits(out[2]) == INT64_MIN, "a remainder of zero has the dividend's sign");

    std::size_t bytes = 0;
    cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1024);
    expect(cudaDeviceGetLimit(&bytes, cudaLimitPrintfFifoSize) == cudaSuccess && bytes == 524288,
           "the least for printf");
    prints<<<1, 1>>>(6000);
    expect(cudaDeviceSynchronize() == cudaSuccess, "more prints than the buffer holds");
}
