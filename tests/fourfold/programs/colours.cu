// Red, green and blue in three bytes a pixel to grey, and to planes, and a histogram of the grey.
#include "fourfold.cuh"

__global__ void to_grey(const uchar3* in, unsigned char* grey, int* histogram, int count) {
    __shared__ int mine[64];
    if (threadIdx.x < 64) mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        const uchar3 c = in[i];
        const unsigned char g = (77 * c.x + 150 * c.y + 29 * c.z) >> 8;
        grey[i] = g;
        atomicAdd(&mine[g / 4], 1);
    }
    __syncthreads();
    if (threadIdx.x < 64 && mine[threadIdx.x] != 0) atomicAdd(&histogram[threadIdx.x], mine[threadIdx.x]);
}

__global__ void to_planes(const unsigned char* in, unsigned char* planes, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count * 3) planes[i % 3 * count + i / 3] = in[i];
}

int main() {
    constexpr int count = 1500;
    const std::vector<unsigned char> image = numbers<unsigned char>(count * 3, 0, 255);
    std::vector<unsigned char> grey(count), planes(count * 3);
    std::vector<int> histogram(64);
    for (int i = 0; i < count; ++i) {
        grey[i] = static_cast<unsigned char>((77 * image[3 * i] + 150 * image[3 * i + 1] + 29 * image[3 * i + 2]) >> 8);
        ++histogram[grey[i] / 4];
        for (int k = 0; k < 3; ++k) planes[k * count + i] = image[3 * i + k];
    }
    const Buffer<unsigned char> in(image), out(count), apart(count * 3);
    const Buffer<int> bins(64);
    to_grey<<<3, 128>>>((const uchar3*)in.at, out, bins, count);
    to_planes<<<(count * 3 + 255) / 256, 256>>>(in, apart, count);
    return same("grey", out.host(), grey) + same("histogram", bins.host(), histogram) +
           same("planes", apart.host(), planes);
}
