#include "shape.hpp"
void divergence_host(Shape shape, const double* vx, const double* vy, double* out) {
    for (int y = 1; y + 1 < shape.ny; y++)
        for (int x = 1; x + 1 < shape.nx; x++) {
            const int i = y * shape.nx + x;
            out[i] = 0.5 * (vx[i + 1] - vx[i - 1]) + 0.5 * (vy[i + shape.nx] - vy[i - shape.nx]);
        }
}
