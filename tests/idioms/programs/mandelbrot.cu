// The Mandelbrot set on a grid of two dimensions, in float and in double: rounds until a point escapes, then colours.
#include <cmath>
#include <cstdint>

#include "program.cuh"

template <typename Real>
struct View {
    Real left, top, step;
};
// Products and sums are rounded one by one, that the host finds the same rounds.
__device__ __forceinline__ float times(float a, float b) { return __fmul_rn(a, b); }
__device__ __forceinline__ double times(double a, double b) { return __dmul_rn(a, b); }
__device__ __forceinline__ float plus(float a, float b) { return __fadd_rn(a, b); }
__device__ __forceinline__ double plus(double a, double b) { return __dadd_rn(a, b); }

template <typename Real>
__global__ void escape(View<Real> view, int width, int height, int limit, uint16_t* rounds) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const Real a = plus(view.left, times(view.step, static_cast<Real>(x)));
    const Real b = plus(view.top, times(-view.step, static_cast<Real>(y)));
    Real re = 0, im = 0;
    int n = 0;
    while (n < limit) {
        const Real square = times(re, re), other = times(im, im);
        if (plus(square, other) > Real(4)) break;
        const Real product = times(re, im);
        im = plus(plus(product, product), b);
        re = plus(plus(square, -other), a);
        ++n;
    }
    rounds[y * width + x] = static_cast<uint16_t>(n);
}
__global__ void colour(const uint16_t* rounds, int count, int limit, uchar3* picture, unsigned long long* inside) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int n = i < count ? rounds[i] : 0;
    const unsigned stayed = __ballot_sync(0xffffffffu, i < count && n == limit);
    if (threadIdx.x % 32 == 0 && stayed) atomicAdd(inside, static_cast<unsigned long long>(__popc(stayed)));
    if (i >= count) return;
    const unsigned char grey = n == limit ? 0 : static_cast<unsigned char>(255 - 255 * n / limit);
    picture[i] = make_uchar3(grey, grey >> 1, static_cast<unsigned char>(n & 0xff));
}

template <typename Real>
int draw(View<Real> view, const char* shape, const char* colours) {
    constexpr int width = 70, height = 50, count = width * height, limit = 60;
    std::vector<uint16_t> expected(count);
    unsigned long long expected_inside = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const Real across = view.step * static_cast<Real>(x), down = -view.step * static_cast<Real>(y);
            const Real a = view.left + across, b = view.top + down;
            Real re = 0, im = 0;
            int n = 0;
            for (; n < limit; ++n) {
                const Real square = re * re, other = im * im, product = re * im;
                if (square + other > Real(4)) break;
                im = product + product + b;
                re = square - other + a;
            }
            expected[y * width + x] = static_cast<uint16_t>(n);
            expected_inside += n == limit;
        }

    uint16_t* rounds = to_device(std::vector<uint16_t>(count, 0xffff));
    uchar3* picture;
    unsigned long long *inside, found_inside = 0;
    CHECK(cudaMalloc(&picture, count * sizeof(uchar3)));
    CHECK(cudaMalloc(&inside, sizeof *inside));
    CHECK(cudaMemset(inside, 0, sizeof *inside));
    const dim3 block(16, 8), grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    escape<<<grid, block>>>(view, width, height, limit, rounds);
    CHECK(cudaGetLastError());
    colour<<<(count + 255) / 256, 256>>>(rounds, count, limit, picture, inside);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&found_inside, inside, sizeof found_inside, cudaMemcpyDeviceToHost));
    const bool same = to_host(rounds, count) == expected;
    const std::vector<uchar3> pixels = to_host(picture, count);
    bool coloured = found_inside == expected_inside && found_inside > 0 && found_inside < count;
    for (int i = 0; i < count; ++i) {
        const int n = expected[i], grey = n == limit ? 0 : 255 - 255 * n / limit;
        coloured &= pixels[i].x == grey && pixels[i].y == grey / 2 && pixels[i].z == n;
    }
    CHECK(cudaFree(rounds));
    CHECK(cudaFree(picture));
    CHECK(cudaFree(inside));
    return verdict(shape, same) | verdict(colours, coloured);
}

int main() {
    return draw(View<float>{-2.2f, 1.2f, 0.045f}, "float: rounds", "float: colours") |
           draw(View<double>{-0.76, 0.11, 0.0004}, "double: rounds", "double: colours");
}
