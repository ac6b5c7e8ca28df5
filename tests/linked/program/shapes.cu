#include "parts.cuh"

namespace {
struct Square : Shape {
    float side;
    __device__ explicit Square(float s) : side(s) {}
    __device__ float area() const override { return side * side; }
};
struct Half : Shape {
    float side;
    __device__ explicit Half(float s) : side(s) {}
    __device__ float area() const override { return side / 2; }
};
}  // namespace

__device__ Shape* make_shape(int which, float size) {
    visit();
    if (which == 0) return new Square(size);
    return new Half(size);
}
