#include <cmath>
#include "sobol.h"
void initSobolVectors(unsigned int* directions) {
    for (int i = 0; i < n_directions; i++) directions[i] = 1u << (31 - i);
    for (int i = 1; i < n_directions; i++) directions[i] ^= directions[i - 1] >> 1;
}
void sobolCPU(int n, const unsigned int* directions, float* out) {
    unsigned int x = 0;
    for (int i = 0; i < n; i++) {
        if (i > 0) {
            int low = 0;
            while ((i >> low & 1) == 0) low++;
            x ^= directions[low];
        }
        out[i] = std::ldexp((float)x, -32);
    }
}
