// Dynamic programming a row at a time: a knapsack, and ways to pay with coins.
#include "fourfold.cuh"

__global__ void item(const int* before, int* now, int weight, int value, int capacity) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c <= capacity) now[c] = c >= weight ? max(before[c], before[c - weight] + value) : before[c];
}

__global__ void coins(unsigned* ways, const int* values, int kinds, int total) {
    if (threadIdx.x == 0) ways[0] = 1;
    __syncthreads();
    for (int k = 0; k < kinds; ++k) {
        if (threadIdx.x < values[k])
            for (int t = threadIdx.x + values[k]; t <= total; t += values[k]) ways[t] += ways[t - values[k]];
        __syncthreads();
    }
}

int main() {
    constexpr int items = 12, capacity = 150, total = 200;
    const std::vector<int> weights = numbers<int>(items, 1, 40), values = numbers<int>(items, 1, 100, 2),
                           kinds = {1, 2, 5, 10, 20, 50};
    std::vector<int> best(capacity + 1);
    std::vector<unsigned> ways(total + 1);
    for (int i = 0; i < items; ++i)
        for (int c = capacity; c >= weights[i]; --c) best[c] = std::max(best[c], best[c - weights[i]] + values[i]);
    ways[0] = 1;
    for (const int kind : kinds)
        for (int t = kind; t <= total; ++t) ways[t] += ways[t - kind];
    const Buffer<int> a(capacity + 1), b(capacity + 1), list(kinds);
    const Buffer<unsigned> out(total + 1);
    for (int i = 0; i < items; ++i) item<<<2, 128>>>(i % 2 ? b : a, i % 2 ? a : b, weights[i], values[i], capacity);
    coins<<<1, 64>>>(out, list, static_cast<int>(kinds.size()), total);
    return same("knapsack", a.host(), best) + same("coins", out.host(), ways);
}
