// The same table of coefficients in constant and in global memory, read in two ways.
//
// Constant memory has a cache that gives one address to a whole warp at a time. When all lanes want the same
// coefficient, that is one pass and nothing moves from global memory. When every lane wants another one, the distinct
// addresses are served one after the other, up to 32 passes for one instruction, and global memory is the better home.
#include "check.h"

constexpr int kCoefficients = 64;  // constant memory holds 65,536 bytes in all
constexpr int kElements = 1 << 16;
constexpr int kThreads = 256;

__constant__ float c_table[kCoefficients];

// y = sum of table[k] * x^k by Horner's rule: every thread of the grid reads the same entry in the same step.
__global__ void broadcast_constant(const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = kCoefficients - 1; k >= 0; --k) sum = sum * x[i] + c_table[k];
    y[i] = sum;
}
__global__ void broadcast_global(const float* x, float* y, const float* table) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = kCoefficients - 1; k >= 0; --k) sum = sum * x[i] + table[k];
    y[i] = sum;
}

// A look-up that differs by lane: neighbouring threads read different entries.
__global__ void lookup_constant(const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] * c_table[i % kCoefficients];
}
__global__ void lookup_global(const float* x, float* y, const float* table) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] * table[i % kCoefficients];
}

int main() {
    // x is 0, 1/2, -1/2 or 1 and the coefficients are small whole numbers; then the polynomial is exact up to the bits
    // that fall off below the 24 of a float, and those fall off the same way on both sides only if the host does the
    // very same operations. The comparison below therefore allows a rounding error.
    std::vector<float> x(kElements), table = eighths(kCoefficients, 10);
    const float choices[] = {0.0f, 0.5f, -0.5f, 1.0f};
    for (int i = 0; i < kElements; ++i) x[i] = choices[i / 7 % 4];

    std::vector<float> polynomial(kElements), looked_up(kElements);
    for (int i = 0; i < kElements; ++i) {
        double sum = 0;
        for (int k = kCoefficients - 1; k >= 0; --k) sum = sum * x[i] + table[k];
        polynomial[i] = static_cast<float>(sum);
        looked_up[i] = x[i] * table[i % kCoefficients];
    }

    float* d_x = to_device(x);
    float* d_y = device_buffer<float>(kElements);
    float* d_table = to_device(table);
    CHECK(cudaMemcpyToSymbol(c_table, table.data(), table.size() * sizeof(float)));
    const int blocks = kElements / kThreads;
    Verdict verdict;
    const auto is_polynomial = [&](const char* what) {
        finish_launch();
        const std::vector<float> got = to_host(d_y, kElements);
        bool close = true;
        for (int i = 0; i < kElements; ++i) {
            const float difference = got[i] - polynomial[i];
            close = close && difference < 1e-5f && difference > -1e-5f;
        }
        verdict.that(what, close);
    };

    broadcast_constant<<<blocks, kThreads>>>(d_x, d_y);
    is_polynomial("broadcast from constant memory");
    broadcast_global<<<blocks, kThreads>>>(d_x, d_y, d_table);
    is_polynomial("broadcast from global memory");
    lookup_constant<<<blocks, kThreads>>>(d_x, d_y);
    finish_launch();
    verdict.equal("one entry per lane from constant memory", to_host(d_y, kElements), looked_up);
    lookup_global<<<blocks, kThreads>>>(d_x, d_y, d_table);
    finish_launch();
    verdict.equal("one entry per lane from global memory", to_host(d_y, kElements), looked_up);

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_table));
    return verdict.status();
}
