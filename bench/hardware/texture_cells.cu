// What comes with a texel: one texel of each cell of so many bytes and rows is fetched, of a large image by all SMs,
// for the sectors that L2 is asked for and the bytes that come of DRAM, and of a small part by one block over and over,
// for what L1 keeps. Prints a line for each launch; the counters come from ncu.
#include <string>
#include <vector>

#include "../../examples/check.h"

namespace {

__global__ void fetch_cells(cudaTextureObject_t t, float* out, int columns, int cells, int cell_x, int cell_y,
                            int rounds) {
    float sum = 0;
    for (int round = 0; round < rounds; ++round)
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += gridDim.x * blockDim.x)
            sum += tex2D<float>(t, i % columns * cell_x + 0.5f, i / columns * cell_y + 0.5f);
    if (sum == -1.0f) *out = sum;
}
__global__ void write_cells(cudaSurfaceObject_t s, int columns, int cells, int cell_x, int cell_y) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += gridDim.x * blockDim.x)
        surf2Dwrite(float(i), s, i % columns * cell_x * 4, i / columns * cell_y);
}
__global__ void read_cells(cudaSurfaceObject_t s, float* out, int columns, int cells, int cell_x, int cell_y,
                           int rounds) {
    float sum = 0;
    for (int round = 0; round < rounds; ++round)
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += gridDim.x * blockDim.x)
            sum += surf2Dread<float>(s, i % columns * cell_x * 4, i / columns * cell_y);
    if (sum == -1.0f) *out = sum;
}

void say(const std::string& name) {
    finish_launch();
    std::printf("%s\n", name.c_str());
}

}  // namespace

int main() {
    constexpr int kWide = 4096, kHigh = 4096;
    float* out = device_buffer<float>(1);
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    CHECK(cudaMallocArray(&array, &format, kWide, kHigh, cudaArraySurfaceLoadStore));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how{};
    cudaTextureObject_t t = 0;
    cudaSurfaceObject_t s = 0;
    CHECK(cudaCreateTextureObject(&t, &resource, &how, nullptr));
    CHECK(cudaCreateSurfaceObject(&s, &resource));
    // In texels of four bytes.
    const struct {
        int x, y;
    } kCells[] = {{4, 2}, {8, 2}, {16, 2}, {32, 2}, {4, 4},  {8, 4},   {16, 4},
                  {4, 8}, {8, 8}, {16, 8}, {32, 8}, {8, 16}, {16, 16}, {32, 16}};
    for (const auto& cell : kCells) {
        const int columns = kWide / cell.x, cells = columns * (kHigh / cell.y);
        fetch_cells<<<264, 512>>>(t, out, columns, cells, cell.x, cell.y, 1);
        say("fetch " + std::to_string(cell.x * 4) + "x" + std::to_string(cell.y) + " " + std::to_string(cells));
    }
    for (const auto& cell : {kCells[0], kCells[1], kCells[5], kCells[9]}) {
        const int columns = kWide / cell.x, cells = columns * (kHigh / cell.y);
        read_cells<<<264, 512>>>(s, out, columns, cells, cell.x, cell.y, 1);
        say("read " + std::to_string(cell.x * 4) + "x" + std::to_string(cell.y) + " " + std::to_string(cells));
        write_cells<<<264, 512>>>(s, columns, cells, cell.x, cell.y);
        say("write " + std::to_string(cell.x * 4) + "x" + std::to_string(cell.y) + " " + std::to_string(cells));
    }
    // By one SM, four rounds.
    for (const auto& cell : {kCells[0], kCells[1], kCells[2], kCells[5], kCells[9], kCells[12]})
        for (const int cells : {512, 1024, 1536, 1792, 1920, 2048, 2560, 4096, 6144, 7168, 7680, 8192, 10240, 16384}) {
            fetch_cells<<<1, 512>>>(t, out, 64, cells, cell.x, cell.y, 4);
            say("rounds " + std::to_string(cell.x * 4) + "x" + std::to_string(cell.y) + " " + std::to_string(cells));
        }
    for (const int cells : {1024, 4096, 8192, 16384}) {
        read_cells<<<1, 512>>>(s, out, 64, cells, 4, 2, 4);
        say("rounds of reads 16x2 " + std::to_string(cells));
    }
    return 0;
}
