// A picture of bits, thirty-two pixels a word: made thinner and thicker by shifts of neighbours.
#include "fourfold.cuh"

constexpr int kWords = 4, kHeight = 40;

__host__ __device__ inline unsigned word(const unsigned* p, int x, int y) {
    return x < 0 || x >= kWords || y < 0 || y >= kHeight ? 0 : p[y * kWords + x];
}

template <bool Thicker>
__host__ __device__ unsigned across(const unsigned* p, int x, int y) {
    const unsigned own = word(p, x, y), left = own << 1 | word(p, x - 1, y) >> 31,
                   right = own >> 1 | word(p, x + 1, y) << 31;
    return Thicker ? own | left | right : own & left & right;
}

template <bool Thicker>
__host__ __device__ unsigned around(const unsigned* p, int x, int y) {
    const unsigned a = across<Thicker>(p, x, y - 1), b = across<Thicker>(p, x, y), c = across<Thicker>(p, x, y + 1);
    return Thicker ? a | b | c : a & b & c;
}

template <bool Thicker>
__global__ void change(const unsigned* in, unsigned* out) {
    const int y = blockIdx.x * blockDim.y + threadIdx.y;
    if (y < kHeight) out[y * kWords + threadIdx.x] = around<Thicker>(in, threadIdx.x, y);
}

int main() {
    std::vector<unsigned> image = numbers<unsigned>(kWords * kHeight, 0, 4294967294.0), thin(image.size()),
                          thick(image.size());
    for (std::size_t i = 0; i < image.size(); ++i) image[i] |= image[i] << 3 | image[i] >> 5;
    for (int i = 0; i < kWords * kHeight; ++i) thin[i] = around<false>(image.data(), i % kWords, i / kWords);
    for (int i = 0; i < kWords * kHeight; ++i) thick[i] = around<true>(thin.data(), i % kWords, i / kWords);
    const Buffer<unsigned> a(image), b(image.size()), c(image.size());
    change<false><<<5, dim3(kWords, 8)>>>(a, b);
    change<true><<<5, dim3(kWords, 8)>>>(b, c);
    return same("thinner", b.host(), thin) + same("opened", c.host(), thick);
}
