// Like zjin-lcf/HeCBench src/cobahh-cuda (main.cu, neuron_update.h, neuron_update_host.h); flags: -O3
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "neuron.h"
int main() {
    const int n = 100, steps = 8;
    float *h[3], *d[3];
    char *h_rests = NULL, *d_rests = NULL;
    for (int a = 0; a < 3; a++)
        if (posix_memalign((void**)&h[a], 1024, n * sizeof(float)) ||
            posix_memalign((void**)&d[a], 1024, n * sizeof(float)))
            return 1;
    if (posix_memalign((void**)&h_rests, 1024, n) || posix_memalign((void**)&d_rests, 1024, n)) return 1;
    srand(2);
    for (int i = 0; i < n; i++) {
        h[0][i] = d[0][i] = -70.0f + rand() % 60;
        h[1][i] = d[1][i] = 0.35f + ((rand() % 2 == 0) ? 0.3 : -0.3);
        h[2][i] = d[2][i] = -1.0f / (rand() % 1000 + 1);
    }
    for (int s = 0; s < steps; s++)
        for (int i = 0; i < n; i++) step(h[0] + i, h[1] + i, h[2] + i, h_rests + i, 0.001f * s, 0.001f);
    update_device(d[0], d[1], d[2], d_rests, n, steps);
    double rsme = 0.0;
    for (int i = 0; i < n; i++) rsme += (h[0][i] - d[0][i]) * (h[0][i] - d[0][i]) + (h_rests[i] != d_rests[i]);
    bool ok = sqrt(rsme / n) < 1e-3;
    printf("%s\n", ok ? "PASS" : "FAIL");
    for (int a = 0; a < 3; a++) {
        free(h[a]);
        free(d[a]);
    }
    free(h_rests);
    free(d_rests);
    return !ok;
}
