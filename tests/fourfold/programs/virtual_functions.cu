// Classes with virtual functions, made on the device, called there, and taken down.
#include "fourfold.cuh"

struct Shape {
    __device__ virtual float area() const = 0;
    __device__ virtual int corners() const { return 0; }
    __device__ virtual ~Shape() {}
};
struct Square : Shape {
    __device__ explicit Square(float s) : side(s) {}
    __device__ float area() const override { return side * side; }
    __device__ int corners() const override { return 4; }
    float side;
};
struct Circle final : Shape {
    __device__ explicit Circle(float r) : radius(r) {}
    __device__ float area() const override { return 3.0f * radius * radius; }
    float radius;
};

__global__ void make(Shape** shapes, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) shapes[i] = i % 3 == 0 ? static_cast<Shape*>(new Circle(i)) : new Square(i);
}
__global__ void ask(Shape* const* shapes, float* areas, int* corners, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) areas[i] = shapes[i]->area(), corners[i] = shapes[i]->corners();
}
__global__ void take_down(Shape** shapes, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) delete shapes[i];
}

int main() {
    constexpr int count = 50;
    const Buffer<Shape*> shapes(count);
    const Buffer<float> areas(count);
    const Buffer<int> corners(count);
    make<<<2, 32>>>(shapes, count);
    ask<<<2, 32>>>(shapes, areas, corners, count);
    take_down<<<2, 32>>>(shapes, count);
    std::vector<float> a;
    std::vector<int> c;
    for (int i = 0; i < count; ++i) a.push_back((i % 3 == 0 ? 3.0f : 1.0f) * i * i), c.push_back(i % 3 == 0 ? 0 : 4);
    return same("areas", areas.host(), a) + same("corners", corners.host(), c);
}
