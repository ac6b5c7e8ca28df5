// Like zjin-lcf/HeCBench clenergy-cuda/main.cu; flags: -O3
#include <cuda.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define MAXATOMS 400
#define UNROLLX 4
__constant__ float4 atominfo[MAXATOMS];
__global__ void cenergy(int numatoms, float gridspacing, float* energygrid) {
    unsigned int xindex = blockIdx.x * blockDim.x * UNROLLX + threadIdx.x,
                 yindex = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned int outaddr = gridDim.x * blockDim.x * UNROLLX * yindex + xindex;
    float coory = gridspacing * yindex, coorx = gridspacing * xindex, energy[UNROLLX] = {};
    float step = gridspacing * blockDim.x;
    for (int atom = 0; atom < numatoms; atom++) {
        float dy = coory - atominfo[atom].y, dyz2 = dy * dy + atominfo[atom].z, dx = coorx - atominfo[atom].x;
#pragma unroll
        for (int k = 0; k < UNROLLX; k++) {
            float d = dx + k * step;
            energy[k] += atominfo[atom].w * rsqrtf(d * d + dyz2);
        }
    }
    for (int k = 0; k < UNROLLX; k++) energygrid[outaddr + k * blockDim.x] += energy[k];
}
int copyatoms(float* atoms, int count) {
    if (count > MAXATOMS) return -1;
    cudaMemcpyToSymbol(atominfo, atoms, count * 4 * sizeof(float), 0);
    return 0;
}
int main() {
    const int count = 50, wide = 64, high = 16;
    float atoms[4 * count];
    srand(54321);
    for (int i = 0; i < count; i++) {
        atoms[4 * i] = rand() / (float)RAND_MAX * 6;
        atoms[4 * i + 1] = rand() / (float)RAND_MAX * 2;
        atoms[4 * i + 2] = 1 + rand() / (float)RAND_MAX;
        atoms[4 * i + 3] = rand() / (float)RAND_MAX * 2 - 1;
    }
    float *d, energies[wide * high];
    cudaMalloc((void**)&d, sizeof(energies));
    cudaMemset(d, 0, sizeof(energies));
    if (copyatoms(atoms, count)) return 1;
    cenergy<<<dim3(2, 2), dim3(8, 8)>>>(count, 0.1f, d);
    cudaMemcpy(energies, d, sizeof(energies), cudaMemcpyDeviceToHost);
    bool ok = true;
    for (int y = 0; y < high; y++)
        for (int x = 0; x < wide; x++) {
            double want = 0;
            for (int i = 0; i < count; i++) {
                double dx = 0.1f * x - atoms[4 * i], dy = 0.1f * y - atoms[4 * i + 1];
                want += atoms[4 * i + 3] / sqrt(dx * dx + dy * dy + atoms[4 * i + 2]);
            }
            ok = ok && fabs(want - energies[y * wide + x]) < 1e-3;
        }
    printf("%s\n", ok ? "PASS" : "FAIL");
    cudaFree(d);
    return !ok;
}
