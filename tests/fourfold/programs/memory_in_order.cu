// Memory that a stream allocates and frees, used again, and symbols of the device read and written by parts.
#include "fourfold.cuh"

__device__ int table[64];
__constant__ short steps[4] = {1, 2, 3, 4};

__global__ void fill(int* scratch, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) scratch[i] = i * steps[i & 3];
}
__global__ void keep(const int* scratch, int n) {
    const int i = threadIdx.x;
    int sum = 0;
    for (int k = i; k < n; k += 64) sum += scratch[k];
    table[i] += sum;
}

int main() {
    constexpr int n = 500;
    std::vector<int> expected(64), found(64), part = {100, 200, 300};
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMemcpyToSymbol(table, part.data(), 3 * sizeof(int), 10 * sizeof(int)));
    for (int i = 0; i < 3; ++i) expected[10 + i] = part[i];
    for (short round = 0; round < 3; ++round) {
        const short other = static_cast<short>(round + 7);
        if (round == 2) CHECK(cudaMemcpyToSymbol(steps, &other, sizeof other, sizeof(short)));
        int* scratch = nullptr;
        CHECK(cudaMallocAsync((void**)&scratch, n * sizeof(int), stream));
        fill<<<2, 256, 0, stream>>>(scratch, n);
        keep<<<1, 64, 0, stream>>>(scratch, n);
        CHECK(cudaFreeAsync(scratch, stream));
        CHECK(cudaStreamSynchronize(stream));
        for (int i = 0; i < n; ++i) expected[i % 64] += i * ((i & 3) == 1 && round == 2 ? 9 : (i & 3) + 1);
    }
    int* address = nullptr;
    CHECK(cudaGetSymbolAddress((void**)&address, table));
    CHECK(cudaMemcpy(found.data(), address, 32 * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpyFromSymbol(found.data() + 32, table, 32 * sizeof(int), 32 * sizeof(int)));
    CHECK(cudaStreamDestroy(stream));
    return same("table", found, expected);
}
