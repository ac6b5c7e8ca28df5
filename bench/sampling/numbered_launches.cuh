// What the programs of launches by number share: arrays of floats, random numbers, and a sparse matrix with as many
// elements in each row; and RUN, which launches what has the number that was asked for.
#pragma once

#include <cuda_runtime.h>

#include <cstdlib>
#include <vector>

#include "../../examples/check.h"

struct Arrays {
    float *a, *b, *c;      // of which a and b are 0
    unsigned* index;       // random
    int *starts, *places;  // of the matrix: where rows begin, columns

    Arrays(int n, int randoms, int rows, int each) {
        CHECK(cudaMalloc(&a, n * sizeof(float)));
        CHECK(cudaMalloc(&b, n * sizeof(float)));
        CHECK(cudaMalloc(&c, n * sizeof(float)));
        CHECK(cudaMemset(a, 0, n * sizeof(float)));
        CHECK(cudaMemset(b, 0, n * sizeof(float)));
        std::vector<unsigned> random(randoms);
        unsigned state = 1;
        for (unsigned& number : random) number = (state = state * 1664525u + 1013904223u) >> 4;
        CHECK(cudaMalloc(&index, randoms * sizeof(unsigned)));
        CHECK(cudaMemcpy(index, random.data(), randoms * sizeof(unsigned), cudaMemcpyHostToDevice));
        std::vector<int> begins(rows + 1), place(rows * each);
        for (int i = 0; i <= rows; ++i) begins[i] = i * each;
        for (int i = 0; i < rows * each; ++i) place[i] = static_cast<int>((i / each + random[i] % 8192) % rows);
        CHECK(cudaMalloc(&starts, begins.size() * sizeof(int)));
        CHECK(cudaMalloc(&places, place.size() * sizeof(int)));
        CHECK(cudaMemcpy(starts, begins.data(), begins.size() * sizeof(int), cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(places, place.data(), place.size() * sizeof(int), cudaMemcpyHostToDevice));
    }
};

// Counts `number`, and launches where that is `only` or all are asked for.
#define RUN(...)                            \
    do {                                    \
        if (only < 0 || only == number) {   \
            __VA_ARGS__;                    \
            CHECK(cudaDeviceSynchronize()); \
        }                                   \
        ++number;                           \
    } while (false)
