// Like zjin-lcf/HeCBench phmm-cuda/main.cu; flags: -O3
#include <cuda.h>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#define X_DIM 6
#define STATES 3
typedef double fArray[X_DIM][STATES - 1];
typedef double tArray[STATES][STATES];
__global__ void forward(const int step, const fArray* emission, const tArray* move, fArray* cur, fArray* next) {
    int batch = blockIdx.x, state = threadIdx.x, slot = threadIdx.y;
    double e = emission[step][slot][state], sum = 0.0;
    for (int s = 0; s < STATES - 1; s++) sum += cur[batch][slot][s] * move[step][state][s];
    next[batch][slot][state] = sum * e + (slot > 0 ? 1e-3 : 1e-2) * move[step][state][STATES - 1];
}
int main() {
    const int steps = 4, batches = 5;
    fArray *e = (fArray*)malloc(sizeof(fArray) * steps), *f = (fArray*)calloc(batches, sizeof(fArray)), *d_e, *d_cur,
           *d_next;
    tArray *t = (tArray*)malloc(sizeof(tArray) * steps), *d_t;
    srand(2);
    for (int i = 0; i < steps * X_DIM * (STATES - 1); i++) e[0][0][i] = rand() / (double)RAND_MAX;
    for (int i = 0; i < steps * STATES * STATES; i++) t[0][0][i] = rand() / (double)RAND_MAX;
    cudaMalloc((void**)&d_e, sizeof(fArray) * steps);
    cudaMalloc((void**)&d_t, sizeof(tArray) * steps);
    cudaMalloc((void**)&d_cur, sizeof(fArray) * batches);
    cudaMalloc((void**)&d_next, sizeof(fArray) * batches);
    cudaMemcpy(d_e, e, sizeof(fArray) * steps, cudaMemcpyHostToDevice);
    cudaMemcpy(d_t, t, sizeof(tArray) * steps, cudaMemcpyHostToDevice);
    cudaMemcpy(d_cur, f, sizeof(fArray) * batches, cudaMemcpyHostToDevice);
    fArray want = {};
    for (int s = 0; s < steps; s++) {
        forward<<<batches, dim3(STATES - 1, X_DIM)>>>(s, d_e, d_t, d_cur, d_next);
        fArray* swap = d_cur;
        d_cur = d_next;
        d_next = swap;
        fArray next;
        for (int x = 0; x < X_DIM; x++)
            for (int a = 0; a < STATES - 1; a++) {
                double sum = 0;
                for (int b = 0; b < STATES - 1; b++) sum += want[x][b] * t[s][a][b];
                next[x][a] = sum * e[s][x][a] + (x > 0 ? 1e-3 : 1e-2) * t[s][a][STATES - 1];
            }
        for (int i = 0; i < X_DIM * (STATES - 1); i++) want[0][i] = next[0][i];
    }
    cudaMemcpy(f, d_cur, sizeof(fArray) * batches, cudaMemcpyDeviceToHost);
    bool ok = true;
    for (int b = 0; b < batches; b++)
        for (int i = 0; i < X_DIM * (STATES - 1); i++) ok = ok && std::fabs(f[b][0][i] - want[0][i]) < 1e-12;
    printf("%s\n", ok ? "PASS" : "FAIL");
    cudaFree(d_e);
    cudaFree(d_t);
    cudaFree(d_cur);
    cudaFree(d_next);
    free(e);
    free(t);
    free(f);
    return !ok;
}
