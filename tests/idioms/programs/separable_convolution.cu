// A blur as two passes, rows and then columns, with weights in constant memory and tiles with halos in shared memory.
#include <algorithm>
#include <cmath>

#include "program.cuh"

#define RADIUS 4
#define TAPS (2 * RADIUS + 1)
#define ROW_TILE_X 32
#define ROW_TILE_Y 4
#define COLUMN_TILE_X 16
#define COLUMN_TILE_Y 16

__constant__ float c_weights[TAPS];

__global__ void rows_pass(float* out, const float* in, int width, int height) {
    __shared__ float tile[ROW_TILE_Y][ROW_TILE_X + 2 * RADIUS];
    const int x0 = blockIdx.x * ROW_TILE_X, y = blockIdx.y * ROW_TILE_Y + threadIdx.y;
    for (int i = threadIdx.x; i < ROW_TILE_X + 2 * RADIUS; i += ROW_TILE_X) {
        const int x = x0 + i - RADIUS;
        tile[threadIdx.y][i] = y < height && x >= 0 && x < width ? in[y * width + x] : 0.0f;
    }
    __syncthreads();
    const int x = x0 + threadIdx.x;
    if (x >= width || y >= height) return;
    float sum = 0.0f;
#pragma unroll
    for (int k = -RADIUS; k <= RADIUS; ++k) sum += c_weights[RADIUS + k] * tile[threadIdx.y][threadIdx.x + RADIUS + k];
    out[y * width + x] = sum;
}

__global__ void columns_pass(float* out, const float* in, int width, int height) {
    // One more column than needed, so that lanes of a warp meet different banks.
    __shared__ float tile[COLUMN_TILE_X][COLUMN_TILE_Y + 2 * RADIUS + 1];
    const int x = blockIdx.x * COLUMN_TILE_X + threadIdx.x, y0 = blockIdx.y * COLUMN_TILE_Y;
    for (int i = threadIdx.y; i < COLUMN_TILE_Y + 2 * RADIUS; i += COLUMN_TILE_Y) {
        const int y = y0 + i - RADIUS;
        tile[threadIdx.x][i] = x < width && y >= 0 && y < height ? in[y * width + x] : 0.0f;
    }
    __syncthreads();
    const int y = y0 + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0.0f;
#pragma unroll
    for (int k = -RADIUS; k <= RADIUS; ++k) sum += c_weights[RADIUS + k] * tile[threadIdx.x][threadIdx.y + RADIUS + k];
    out[y * width + x] = sum;
}

void on_host(const std::vector<float>& in, std::vector<float>& out, const float* weights, int width, int height,
             bool along_rows) {
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            float sum = 0;
            for (int k = -RADIUS; k <= RADIUS; ++k) {
                const int sx = along_rows ? x + k : x, sy = along_rows ? y : y + k;
                if (sx >= 0 && sx < width && sy >= 0 && sy < height) sum += weights[RADIUS + k] * in[sy * width + sx];
            }
            out[y * width + x] = sum;
        }
}

int main(int argc, char** argv) {
    const int width = argc > 1 ? std::atoi(argv[1]) : 117, height = argc > 2 ? std::atoi(argv[2]) : 70;
    float weights[TAPS], sum = 0;
    for (int k = 0; k < TAPS; ++k) sum += weights[k] = std::exp(-0.1f * (k - RADIUS) * (k - RADIUS));
    for (float& w : weights) w /= sum;
    CHECK(cudaMemcpyToSymbol(c_weights, weights, sizeof(weights)));

    std::vector<float> image(width * height), between(image), expected(image);
    for (std::size_t i = 0; i < image.size(); ++i) image[i] = static_cast<float>(i * 2654435761u % 1009) / 1009;
    on_host(image, between, weights, width, height, true);
    on_host(between, expected, weights, width, height, false);

    float *in = to_device(image), *rows, *out;
    const std::size_t bytes = image.size() * sizeof(float);
    CHECK(cudaMalloc((void**)&rows, bytes));
    CHECK(cudaMalloc((void**)&out, bytes));
    const dim3 row_block(ROW_TILE_X, ROW_TILE_Y), column_block(COLUMN_TILE_X, COLUMN_TILE_Y);
    const dim3 row_grid((width + ROW_TILE_X - 1) / ROW_TILE_X, (height + ROW_TILE_Y - 1) / ROW_TILE_Y);
    const dim3 column_grid((width + COLUMN_TILE_X - 1) / COLUMN_TILE_X, (height + COLUMN_TILE_Y - 1) / COLUMN_TILE_Y);
    rows_pass<<<row_grid, row_block>>>(rows, in, width, height);
    CHECK(cudaGetLastError());
    columns_pass<<<column_grid, column_block>>>(out, rows, width, height);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());

    double difference = 0, norm = 0;
    const std::vector<float> found = to_host(out, image.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        difference += (found[i] - expected[i]) * (found[i] - expected[i]);
        norm += expected[i] * expected[i];
    }
    // The weights are read back, too: nothing changed them.
    float again[TAPS];
    CHECK(cudaMemcpyFromSymbol(again, c_weights, sizeof(again)));
    int bad = verdict("separable convolution", std::sqrt(difference / norm) < 1e-6);
    bad += verdict("weights in constant memory", std::equal(again, again + TAPS, weights));
    for (float* p : {in, rows, out}) CHECK(cudaFree(p));
    return bad;
}
