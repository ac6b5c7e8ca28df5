// A grid's shape, and what is shared by the host's way and the device's.
#pragma once
struct Shape {
    int nx, ny;
};
void divergence_host(Shape shape, const double* vx, const double* vy, double* out);
double divergence_device(Shape shape, const double* vx, const double* vy, double* out);
