// Equalising an image's greys: a histogram in bins of each warp, a scan of 256 sums, a table in constant memory.
#include <algorithm>
#include <cmath>

#include "program.cuh"

constexpr int kGreys = 256, kWarps = 4;

__constant__ unsigned char table[kGreys];

// Four pixels a word; each warp has its own bins.
__global__ void count_greys(const uchar4* pixels, int quads, unsigned* histogram) {
    __shared__ unsigned bins[kWarps][kGreys];
    for (int i = threadIdx.x; i < kWarps * kGreys; i += blockDim.x) (&bins[0][0])[i] = 0;
    __syncthreads();
    unsigned* own = bins[threadIdx.x / 32];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += gridDim.x * blockDim.x) {
        const uchar4 p = pixels[i];
        atomicAdd(&own[p.x], 1u);
        atomicAdd(&own[p.y], 1u);
        atomicAdd(&own[p.z], 1u);
        atomicAdd(&own[p.w], 1u);
    }
    __syncthreads();
    for (int g = threadIdx.x; g < kGreys; g += blockDim.x) {
        unsigned sum = 0;
        for (int w = 0; w < kWarps; ++w) sum += bins[w][g];
        if (sum) atomicAdd(&histogram[g], sum);
    }
}
// Inclusive sums by up-sweep and down-sweep over shared memory, then the table of new greys.
__global__ void make_table(const unsigned* histogram, unsigned total, unsigned* sums, unsigned char* greys) {
    extern __shared__ unsigned tree[];
    __shared__ unsigned lowest;
    const int t = threadIdx.x;
    const unsigned count = histogram[t];
    tree[t] = count;
    if (t == 0) lowest = total;
    for (int stride = 1; stride < kGreys; stride *= 2) {
        __syncthreads();
        const int at = 2 * stride * (t + 1) - 1;
        if (at < kGreys) tree[at] += tree[at - stride];
    }
    for (int stride = kGreys / 4; stride > 0; stride /= 2) {
        __syncthreads();
        const int at = 2 * stride * (t + 1) - 1 + stride;
        if (at < kGreys) tree[at] += tree[at - stride];
    }
    __syncthreads();
    const unsigned sum = tree[t];
    sums[t] = sum;
    if (count) atomicMin(&lowest, sum);
    __syncthreads();
    const unsigned range = total - lowest;
    const unsigned above = sum < lowest ? 0 : sum - lowest;
    greys[t] = static_cast<unsigned char>(range ? (above * 255u + range / 2) / range : t);
}
__global__ void remap(const unsigned char* in, unsigned char* out, int width, int height, int stride) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) out[y * stride + x] = table[in[y * stride + x]];
}

int main() {
    constexpr int width = 124, height = 90, total = width * height;
    std::vector<unsigned char> image(total), expected(total);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)  // dim: greys 60 to 120 or so
            image[y * width + x] = static_cast<unsigned char>(60 + (x * x + 3 * y) % 47 + (x * y) % 14);
    std::vector<unsigned> counts(kGreys), cumulative(kGreys);
    for (unsigned char p : image) ++counts[p];
    unsigned sum = 0, lowest = 0;
    for (int g = 0; g < kGreys; ++g) {
        cumulative[g] = sum += counts[g];
        if (!lowest) lowest = sum;
    }
    for (int i = 0; i < total; ++i)
        expected[i] =
            static_cast<unsigned char>(std::floor(255.0 * (cumulative[image[i]] - lowest) / (total - lowest) + 0.5));

    unsigned char *in = to_device(image), *out, *greys;
    unsigned *histogram, *sums;
    CHECK(cudaMalloc(&out, total));
    CHECK(cudaMalloc(&greys, kGreys));
    CHECK(cudaMalloc(&histogram, kGreys * sizeof(unsigned)));
    CHECK(cudaMalloc(&sums, kGreys * sizeof(unsigned)));
    CHECK(cudaMemset(histogram, 0, kGreys * sizeof(unsigned)));
    count_greys<<<6, kWarps * 32>>>(reinterpret_cast<const uchar4*>(in), total / 4, histogram);
    make_table<<<1, kGreys, kGreys * sizeof(unsigned)>>>(histogram, total, sums, greys);
    CHECK(cudaMemcpyToSymbol(table, greys, kGreys, 0, cudaMemcpyDeviceToDevice));
    remap<<<dim3((width + 31) / 32, (height + 3) / 4), dim3(32, 4)>>>(in, out, width, height, width);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    const std::vector<unsigned char> found = to_host(out, total);
    const auto ends = std::minmax_element(found.begin(), found.end());
    const int status = verdict("histogram", to_host(histogram, kGreys) == counts) |
                       verdict("sums over the histogram", to_host(sums, kGreys) == cumulative) |
                       verdict("equalised image", found == expected) |
                       verdict("equalised image spans all greys", *ends.first == 0 && *ends.second == 255);
    for (void* p : {(void*)in, (void*)out, (void*)greys, (void*)histogram, (void*)sums}) CHECK(cudaFree(p));
    return status;
}
