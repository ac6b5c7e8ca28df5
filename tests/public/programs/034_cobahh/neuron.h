// One step of a neuron's voltage and gate, for host and device.
#pragma once
#include <math.h>
__host__ __device__ inline void step(float* v, float* m, float* last, char* rests, float t, float dt) {
    *rests = (t - *last) > 0.003f;
    const float rate = 1.0f / (1.0f + expf(-(*v + 40.0f) / 9.0f));
    *m += dt * (rate - *m) / fmaxf(0.1f, fabsf(*v) * 0.05f);
    *v += dt * (10.0f * (*m * *m * *m) * (50.0f - *v) - 0.3f * (*v + 60.0f));
    if (*v > -20.0f && *rests) *last = t;
}
void update_device(float* v, float* m, float* last, char* rests, int n, int steps);
