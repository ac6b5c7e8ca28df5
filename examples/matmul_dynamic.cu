// A tiled product whose tile width is chosen at run time from what the device offers.
//
// A kernel can have one dynamically sized shared array only. Its size is the third argument of the launch, and the
// kernel cuts it into what it needs: here the first half holds a tile of M, the second a tile of N.
#include "check.h"

// bytes_of_m is where N's tile begins. A tile of width T takes T * T * 4 bytes, so 16 × 16 needs 1024 + 1024.
__global__ void tiled_dynamic(const float* M, const float* N, float* P, int width, int tile, unsigned bytes_of_m) {
    extern __shared__ char cells[];
    float* Mds = reinterpret_cast<float*>(cells);
    float* Nds = reinterpret_cast<float*>(cells + bytes_of_m);
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * tile + ty;
    int col = blockIdx.x * tile + tx;
    float sum = 0;
    for (int first = 0; first < width; first += tile) {
        int m_col = first + tx;
        int n_row = first + ty;
        Mds[ty * tile + tx] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;
        Nds[ty * tile + tx] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < tile; ++k) sum += Mds[ty * tile + k] * Nds[k * tile + tx];
        __syncthreads();
    }
    if (row < width && col < width) P[row * width + col] = sum;
}

// The widest power of two whose two tiles fit in `shared_bytes` and whose square is a legal block.
static int widest_tile(std::size_t shared_bytes, int threads_per_block) {
    int tile = 1;
    while (true) {
        const int next = tile * 2;
        const std::size_t bytes = 2 * sizeof(float) * next * next;
        if (bytes > shared_bytes || next * next > threads_per_block) return tile;
        tile = next;
    }
}

static std::vector<float> on_host(const std::vector<float>& M, const std::vector<float>& N, int width) {
    std::vector<float> P(static_cast<std::size_t>(width) * width);
    for (int row = 0; row < width; ++row)
        for (int k = 0; k < width; ++k)
            for (int col = 0; col < width; ++col) P[row * width + col] += M[row * width + k] * N[k * width + col];
    return P;
}

int main() {
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    std::printf("%s: %zu bytes of shared memory and %d threads for a block\n", properties.name,
                properties.sharedMemPerBlock, properties.maxThreadsPerBlock);

    const int width = 250;
    const std::size_t elements = static_cast<std::size_t>(width) * width;
    const std::vector<float> M = eighths(elements, 7), N = eighths(elements, 8);
    const std::vector<float> want = on_host(M, N, width);
    float* d_M = to_device(M);
    float* d_N = to_device(N);
    float* d_P = device_buffer<float>(elements);
    Verdict verdict;

    // All that the device has, and what would be left if other arrays took most of it.
    for (std::size_t shared_bytes : {properties.sharedMemPerBlock, std::size_t{2048}, std::size_t{600}}) {
        const int tile = widest_tile(shared_bytes, properties.maxThreadsPerBlock);
        const unsigned bytes_of_m = static_cast<unsigned>(sizeof(float)) * tile * tile;
        const unsigned blocks = (width + tile - 1) / tile;
        CHECK(cudaMemset(d_P, 0, elements * sizeof(float)));
        tiled_dynamic<<<dim3(blocks, blocks), dim3(tile, tile), 2 * bytes_of_m>>>(d_M, d_N, d_P, width, tile,
                                                                                  bytes_of_m);
        finish_launch();

        char what[96];
        std::snprintf(what, sizeof what, "tile %d: %u bytes of shared memory, of %zu", tile, 2 * bytes_of_m,
                      shared_bytes);
        verdict.equal(what, to_host(d_P, elements), want);
    }
    CHECK(cudaFree(d_M));
    CHECK(cudaFree(d_N));
    CHECK(cudaFree(d_P));
    return verdict.status();
}
