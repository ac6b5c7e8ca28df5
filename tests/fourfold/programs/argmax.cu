// Where the largest of each row stands: pairs of value and place through shuffles, the first of equals.
#include <algorithm>

#include "fourfold.cuh"

struct Place {
    float value;
    int index;
};

__device__ Place better(Place a, Place b) {
    if (a.value != b.value) return a.value > b.value ? a : b;
    return a.index < b.index ? a : b;
}

__global__ void largest(const float* in, int columns, int* where, float* what) {
    __shared__ Place warps[4];
    const float* row = in + blockIdx.x * columns;
    Place best = {-1e30f, columns};
    for (int i = threadIdx.x; i < columns; i += blockDim.x) best = better(best, Place{row[i], i});
    for (int offset = 16; offset > 0; offset >>= 1)
        best =
            better(best, Place{__shfl_down_sync(~0u, best.value, offset), __shfl_down_sync(~0u, best.index, offset)});
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = best;
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (int i = 1; i < 4; ++i) best = better(best, warps[i]);
    where[blockIdx.x] = best.index;
    what[blockIdx.x] = best.value;
}

int main() {
    constexpr int rows = 20, columns = 300;
    std::vector<float> values = numbers<float>(rows * columns, -9, 9), high(rows);
    values[17] = values[33] = 11;  // Twice the same.
    std::vector<int> places(rows);
    for (int r = 0; r < rows; ++r) {
        const auto row = values.begin() + r * columns;
        places[r] = static_cast<int>(std::max_element(row, row + columns) - row);
        high[r] = row[places[r]];
    }
    const Buffer<float> in(values), what(rows);
    const Buffer<int> where(rows);
    largest<<<rows, 128>>>(in, columns, where, what);
    return same("places", where.host(), places) + same("values", what.host(), high);
}
