// Sums of all rectangles from a corner: scans along rows, then along columns, then sums of boxes by four corners.
#include "fourfold.cuh"

__global__ void rows(const int* in, long long* out, int width) {
    const int lane = threadIdx.x;
    long long carried = 0;
    for (int at = 0; at < width; at += 32) {
        long long value = at + lane < width ? in[blockIdx.x * width + at + lane] : 0;
        for (int o = 1; o < 32; o *= 2) {
            const long long left = __shfl_up_sync(~0u, value, o);
            if (lane >= o) value += left;
        }
        if (at + lane < width) out[blockIdx.x * width + at + lane] = carried + value;
        carried += __shfl_sync(~0u, value, 31);
    }
}

__global__ void columns(long long* sums, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;
    for (int y = 1; y < height; ++y) sums[y * width + x] += sums[(y - 1) * width + x];
}

__global__ void boxes(const long long* sums, long long* out, int width, int height, int r) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= width) return;
    const int left = x - r - 1, top = y - r - 1, right = min(x + r, width - 1), low = min(y + r, height - 1);
    const auto at = [&](int px, int py) { return px < 0 || py < 0 ? 0LL : sums[py * width + px]; };
    out[y * width + x] = at(right, low) - at(left, low) - at(right, top) + at(left, top);
}

int main() {
    constexpr int width = 70, height = 33, r = 3;
    const std::vector<int> image = numbers<int>(width * height, -5, 50);
    std::vector<long long> expected(image.size());
    for (int i = 0; i < width * height; ++i)
        for (int y = std::max(0, i / width - r); y <= std::min(height - 1, i / width + r); ++y)
            for (int x = std::max(0, i % width - r); x <= std::min(width - 1, i % width + r); ++x)
                expected[i] += image[y * width + x];
    const Buffer<int> in(image);
    const Buffer<long long> sums(image.size()), out(image.size());
    rows<<<height, 32>>>(in, sums, width);
    columns<<<2, 64>>>(sums, width, height);
    boxes<<<dim3(2, height), 64>>>(sums, out, width, height, r);
    return same("boxes", out.host(), expected);
}
