// One matrix in three sparse forms times a vector: padded rows, coordinates, and blocks of two by two.
#include "fourfold.cuh"

__global__ void padded(const int* columns, const float* values, const float* x, float* y, int rows, int width) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int i = 0; i < width; ++i) {
        const int column = columns[i * rows + row];
        if (column >= 0) sum += values[i * rows + row] * x[column];
    }
    y[row] = sum;
}

__global__ void coordinates(const int2* places, const float* values, const float* x, float* y, int count) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        atomicAdd(&y[places[i].x], values[i] * x[places[i].y]);
}

__global__ void several(const int* starts, const int* columns, const float* values, const float* x, float* y, int rows,
                        int right) {
    const int row = blockIdx.x, q = threadIdx.x;
    float sum = 0;
    for (int i = starts[row]; i < starts[row + 1]; ++i) sum += values[i] * x[columns[i] * right + q];
    if (row < rows) y[row * right + q] = sum;
}

int main() {
    constexpr int rows = 80, width = 5, right = 32;
    const std::vector<int> picked = numbers<int>(rows * width, -20, rows - 1);
    const std::vector<float> values = numbers<float>(rows * width, -1, 1, 2), x = numbers<float>(rows, -1, 1, 3),
                             many = numbers<float>(rows * right, -1, 1, 4);
    std::vector<float> y(rows), z(rows * right), packed;
    std::vector<int2> places;
    std::vector<int> starts{0}, columns;
    for (int r = 0; r < rows; ++r) {
        for (int i = 0; i < width; ++i) {
            const int column = picked[i * rows + r];
            if (column < 0) continue;
            const float value = values[i * rows + r];
            places.push_back({r, column});
            columns.push_back(column);
            packed.push_back(value);
            y[r] += value * x[column];
            for (int q = 0; q < right; ++q) z[r * right + q] += value * many[column * right + q];
        }
        starts.push_back(static_cast<int>(columns.size()));
    }
    const Buffer<int> dpicked(picked), dstarts(starts), dcolumns(columns);
    const Buffer<int2> dplaces(places);
    const Buffer<float> dvalues(values), dpacked(packed), dx(x), dmany(many), first(rows), second(rows),
        third(z.size());
    padded<<<2, 64>>>(dpicked, dvalues, dx, first, rows, width);
    coordinates<<<2, 64>>>(dplaces, dpacked, dx, second, static_cast<int>(places.size()));
    several<<<rows, right>>>(dstarts, dcolumns, dpacked, dmany, third, rows, right);
    return near("padded", first.host(), y) + near("coordinates", second.host(), y) + near("several", third.host(), z);
}
