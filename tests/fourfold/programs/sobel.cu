// Edges of a grey image: a tile with a halo in shared memory, and the magnitude kept in a byte.
#include "fourfold.cuh"

__global__ void sobel(const unsigned char* in, unsigned char* out, int width, int height) {
    __shared__ int tile[18][18];
    for (int i = threadIdx.y * 16 + threadIdx.x; i < 18 * 18; i += 256) {
        const int x = min(max(int(blockIdx.x * 16 + i % 18) - 1, 0), width - 1),
                  y = min(max(int(blockIdx.y * 16 + i / 18) - 1, 0), height - 1);
        tile[i / 18][i % 18] = in[y * width + x];
    }
    __syncthreads();
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x >= width || y >= height) return;
    const int(*at)[18] = tile + threadIdx.y, c = threadIdx.x;
    const int gx = at[0][c + 2] + 2 * at[1][c + 2] + at[2][c + 2] - at[0][c] - 2 * at[1][c] - at[2][c];
    const int gy = at[2][c] + 2 * at[2][c + 1] + at[2][c + 2] - at[0][c] - 2 * at[0][c + 1] - at[0][c + 2];
    out[y * width + x] = static_cast<unsigned char>(min(255, abs(gx) + abs(gy)));
}

int main() {
    constexpr int width = 50, height = 37;
    const std::vector<unsigned char> image = numbers<unsigned char>(width * height, 0, 60);
    std::vector<unsigned char> expected(image.size());
    const auto at = [&](int x, int y) {
        x = x < 0 ? 0 : x >= width ? width - 1 : x;
        y = y < 0 ? 0 : y >= height ? height - 1 : y;
        return int(image[y * width + x]);
    };
    for (int i = 0; i < width * height; ++i) {
        const int x = i % width, y = i / width;
        int gx = 0, gy = 0;
        for (int d = -1; d <= 1; ++d) {
            gx += (2 - d * d) * (at(x + 1, y + d) - at(x - 1, y + d));
            gy += (2 - d * d) * (at(x + d, y + 1) - at(x + d, y - 1));
        }
        const int sum = std::abs(gx) + std::abs(gy);
        expected[i] = static_cast<unsigned char>(sum > 255 ? 255 : sum);
    }
    const Buffer<unsigned char> in(image), out(image.size());
    sobel<<<dim3(4, 3), dim3(16, 16)>>>(in, out, width, height);
    return same("edges", out.host(), expected);
}
