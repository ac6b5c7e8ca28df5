// Points that stay and points that go, with complex numbers of an own class.
#include "fourfold.cuh"

struct Complex {
    float re, im;
    __host__ __device__ Complex(float r, float i) : re(r), im(i) {}
    __host__ __device__ float magnitude() const { return re * re + im * im; }
    __host__ __device__ Complex operator*(const Complex& o) const {
        return {re * o.re - im * o.im, im * o.re + re * o.im};
    }
    __host__ __device__ Complex operator+(const Complex& o) const { return {re + o.re, im + o.im}; }
};

__host__ __device__ inline int julia(int x, int y, int side) {
    const Complex c(-0.75f, 0.125f);
    Complex z(1.5f * (x - side / 2) / (side / 2), 1.5f * (y - side / 2) / (side / 2));
    int step = 0;
    while (step < 40 && z.magnitude() < 1000) z = z * z + c, ++step;
    return step;
}

__global__ void draw(int* out, int side) {
    const int x = blockIdx.x, y = threadIdx.x;
    out[y * side + x] = julia(x, y, side);
}

int main() {
    constexpr int side = 64;
    std::vector<int> expected(side * side);
    for (int i = 0; i < side * side; ++i) expected[i] = julia(i % side, i / side, side);
    const Buffer<int> out(side * side);
    draw<<<side, side>>>(out, side);
    const std::vector<int> found = out.host();
    int off = 0;
    for (int i = 0; i < side * side; ++i) off += found[i] != expected[i];
    tell("picture", found);
    return verdict("all but a few are the host's", off < side);
}
