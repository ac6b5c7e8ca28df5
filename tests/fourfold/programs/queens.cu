// Boards without a threat: a thread for each pair of first columns, with a stack of its own.
#include "fourfold.cuh"

__host__ __device__ inline int solutions(int size, unsigned first, unsigned second) {
    const unsigned all = (1u << size) - 1;
    unsigned free[12], columns[12], left[12], right[12];
    int depth = 2, found = 0;
    if (first == second || first << 1 == second || second << 1 == first) return 0;
    columns[2] = first | second;
    left[2] = (first << 1 | second) << 1;
    right[2] = (first >> 1 | second) >> 1;
    free[2] = all & ~(columns[2] | left[2] | right[2]);
    while (depth >= 2) {
        if (free[depth] == 0) {
            --depth;
            continue;
        }
        const unsigned bit = free[depth] & -free[depth];
        free[depth] ^= bit;
        if (depth == size - 1) {
            ++found;
            continue;
        }
        columns[depth + 1] = columns[depth] | bit;
        left[depth + 1] = (left[depth] | bit) << 1;
        right[depth + 1] = (right[depth] | bit) >> 1;
        ++depth;
        free[depth] = all & ~(columns[depth] | left[depth] | right[depth]);
    }
    return found;
}

__global__ void count(int size, int* boards, int* total) {
    const int i = threadIdx.x;
    boards[i] = solutions(size, 1u << (i / size), 1u << (i % size));
    atomicAdd(total, boards[i]);
}

int main() {
    constexpr int size = 7;
    std::vector<int> expected(size * size);
    for (int i = 0; i < size * size; ++i) expected[i] = solutions(size, 1u << (i / size), 1u << (i % size));
    const Buffer<int> boards(size * size), total(1);
    count<<<1, size * size>>>(size, boards, total);
    return same("boards", boards.host(), expected) + same("all of seven", total.host(), {40});
}
