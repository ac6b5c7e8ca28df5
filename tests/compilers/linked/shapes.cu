#include "shapes.cuh"

__device__ int visits = 100;
__managed__ int shared_by_all = 7;

namespace {
struct Square : Shape {
    float side;
    __device__ explicit Square(float s) : side(s) {}
    __device__ float area() const override { return side * side; }
};
struct Strip : Shape {
    float length;
    __device__ explicit Strip(float s) : length(s) {}
    __device__ float area() const override { return halved(length); }
};
}  // namespace

__device__ Shape* make_shape(int which, float size) {
    atomicAdd(&visits, 1);
    if (which == 0) return new Square(size);
    return new Strip(size);
}

__device__ int count_up(int to);
__device__ int count_down(int from) { return from <= 0 ? shared_by_all : count_up(from - 1) + 1; }
