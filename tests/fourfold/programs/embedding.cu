// Rows of a table by number, and gradients added back to them, several to one row.
#include "fourfold.cuh"

__global__ void look_up(const float* table, const int* tokens, float* out, int width, int size) {
    const int token = tokens[blockIdx.x];
    for (int i = threadIdx.x; i < width; i += blockDim.x)
        out[blockIdx.x * width + i] = token >= 0 && token < size ? table[token * width + i] : 0;
}

__global__ void add_back(int* gradient, const int* tokens, const int* from, int width, int size) {
    const int token = tokens[blockIdx.x];
    if (token < 0 || token >= size) return;
    for (int i = threadIdx.x; i < width; i += blockDim.x)
        atomicAdd(&gradient[token * width + i], from[blockIdx.x * width + i]);
}

int main() {
    constexpr int size = 30, width = 48, tokens = 64;
    const std::vector<float> table = numbers<float>(size * width, -1, 1);
    const std::vector<int> which = numbers<int>(tokens, -2, size, 3), from = numbers<int>(tokens * width, -9, 9, 4);
    std::vector<float> rows(tokens * width);
    std::vector<int> gradient(size * width);
    for (int i = 0; i < tokens * width; ++i) {
        const int token = which[i / width];
        if (token < 0 || token >= size) continue;
        rows[i] = table[token * width + i % width];
        gradient[token * width + i % width] += from[i];
    }
    const Buffer<float> dtable(table), out(tokens * width);
    const Buffer<int> dwhich(which), dfrom(from), sums(size * width);
    look_up<<<tokens, 32>>>(dtable, dwhich, out, width, size);
    add_back<<<tokens, 48>>>(sums, dwhich, dfrom, width, size);
    return same("rows", out.host(), rows) + same("gradient", sums.host(), gradient);
}
