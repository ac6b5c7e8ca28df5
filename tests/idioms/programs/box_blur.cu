// A blur over a square of a picture of four bytes a pixel: rows with a pitch, a tile in shared memory, clamped edges.
#include <algorithm>

#include "program.cuh"

constexpr int block_size = 16;

// A row of a picture whose rows lie a pitch of bytes apart.
template <class T>
__device__ __forceinline__ T* row_of(T* base, size_t pitch, int y) {
    return (T*)((char*)base + y * pitch);
}

template <int Radius>
__global__ void blur(const uchar4* in, size_t in_pitch, uchar4* out, size_t out_pitch, int width, int height) {
    constexpr int side = block_size + 2 * Radius;
    __shared__ uchar4 tile[side][side];
    __shared__ ushort4 sums[side][block_size];
    const int x0 = blockIdx.x * block_size - Radius, y0 = blockIdx.y * block_size - Radius;
    for (int ty = threadIdx.y; ty < side; ty += block_size) {
        const uchar4* row = row_of(in, in_pitch, min(max(y0 + ty, 0), height - 1));
        for (int tx = threadIdx.x; tx < side; tx += block_size) tile[ty][tx] = row[min(max(x0 + tx, 0), width - 1)];
    }
    __syncthreads();
    // Sums along rows first, then along columns.
    for (int ty = threadIdx.y; ty < side; ty += block_size) {
        ushort4 sum = make_ushort4(0, 0, 0, 0);
        for (int k = 0; k <= 2 * Radius; ++k) {
            const uchar4 pixel = tile[ty][threadIdx.x + k];
            sum.x += pixel.x, sum.y += pixel.y, sum.z += pixel.z, sum.w += pixel.w;
        }
        sums[ty][threadIdx.x] = sum;
    }
    __syncthreads();
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    uint4 total = {0, 0, 0, 0};
    for (int k = 0; k <= 2 * Radius; ++k) {
        const ushort4 sum = sums[threadIdx.y + k][threadIdx.x];
        total.x += sum.x, total.y += sum.y, total.z += sum.z, total.w += sum.w;
    }
    constexpr unsigned area = (2 * Radius + 1) * (2 * Radius + 1);
    row_of(out, out_pitch, y)[x] = make_uchar4((total.x + area / 2) / area, (total.y + area / 2) / area,
                                               (total.z + area / 2) / area, (total.w + area / 2) / area);
}

std::vector<unsigned char> on_host(const std::vector<unsigned char>& in, int width, int height, int radius) {
    std::vector<unsigned char> out(in.size());
    const unsigned area = (2 * radius + 1) * (2 * radius + 1);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (int c = 0; c < 4; ++c) {
                unsigned sum = 0;
                for (int dy = -radius; dy <= radius; ++dy)
                    for (int dx = -radius; dx <= radius; ++dx)
                        sum +=
                            in[4 * (std::clamp(y + dy, 0, height - 1) * width + std::clamp(x + dx, 0, width - 1)) + c];
                out[4 * (y * width + x) + c] = static_cast<unsigned char>((sum + area / 2) / area);
            }
    return out;
}

int main() {
    constexpr int width = 75, height = 53;
    std::vector<unsigned char> picture(4 * width * height), found(picture.size());
    for (std::size_t i = 0; i < picture.size(); ++i) picture[i] = static_cast<unsigned char>(i * i / 7 % 256);

    uchar4 *in, *out;
    size_t in_pitch, out_pitch;
    const size_t row_bytes = width * sizeof(uchar4);
    CHECK(cudaMallocPitch(&in, &in_pitch, row_bytes, height));
    CHECK(cudaMallocPitch((void**)&out, &out_pitch, row_bytes, height));
    int bad = verdict("a pitch of whole rows", in_pitch >= row_bytes && in_pitch % 32 == 0);
    CHECK(cudaMemcpy2D(in, in_pitch, picture.data(), row_bytes, row_bytes, height, cudaMemcpyHostToDevice));
    CHECK(cudaMemset2D(out, out_pitch, 0xa5, row_bytes, height));

    const dim3 block(block_size, block_size);
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    blur<3><<<grid, block>>>(in, in_pitch, out, out_pitch, width, height);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy2D(found.data(), row_bytes, out, out_pitch, row_bytes, height, cudaMemcpyDeviceToHost));
    bad += verdict("seven by seven", found == on_host(picture, width, height, 3));

    // Blurred again, from device memory to device memory, in a stream.
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMemcpy2DAsync(in, in_pitch, out, out_pitch, row_bytes, height, cudaMemcpyDeviceToDevice, stream));
    blur<1><<<grid, block, 0, stream>>>(in, in_pitch, out, out_pitch, width, height);
    CHECK(cudaGetLastError());
    // Only a window of the result.
    constexpr int wx = 10, wy = 7, window_width = 31, window_height = 22;
    std::vector<unsigned char> window(4 * window_width * window_height);
    CHECK(cudaMemcpy2DAsync(window.data(), 4 * window_width, (char*)out + wy * out_pitch + wx * sizeof(uchar4),
                            out_pitch, 4 * window_width, window_height, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    const std::vector<unsigned char> twice = on_host(found, width, height, 1);
    bool same = true;
    for (int y = 0; y < window_height; ++y)
        same = same && std::equal(&window[4 * y * window_width], &window[4 * y * window_width] + 4 * window_width,
                                  &twice[4 * ((wy + y) * width + wx)]);
    bad += verdict("three by three, a window", same);
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return bad;
}
