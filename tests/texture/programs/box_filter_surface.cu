// A box filter that reads and writes surfaces: rows from one array into the other, columns back; threads walk along a
// line.
#include <cuda.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CK(call)                                                                                                  \
    {                                                                                                             \
        const cudaError_t error = call;                                                                           \
        if (error != cudaSuccess) {                                                                               \
            printf("Error: %s:%d, code: %d, reason: %s\n", __FILE__, __LINE__, error, cudaGetErrorString(error)); \
            exit(1);                                                                                              \
        }                                                                                                         \
    }

#define W 72
#define H 56

__global__ void rows(cudaSurfaceObject_t in, cudaSurfaceObject_t out, int r) {
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= H) return;
    ushort4 sum = make_ushort4(0, 0, 0, 0);
    uchar4 v;
    for (int x = -r; x <= r; x++) {
        v = surf2Dread<uchar4>(in, x * (int)sizeof(uchar4), y, cudaBoundaryModeClamp);
        sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
    }
    for (int x = 0; x < W; x++) {
        surf2Dwrite(sum, out, x * sizeof(ushort4), y);
        uchar4 add = surf2Dread<uchar4>(in, (x + r + 1) * (int)sizeof(uchar4), y, cudaBoundaryModeClamp);
        uchar4 sub = surf2Dread<uchar4>(in, (x - r) * (int)sizeof(uchar4), y, cudaBoundaryModeClamp);
        sum.x += add.x - sub.x, sum.y += add.y - sub.y, sum.z += add.z - sub.z, sum.w += add.w - sub.w;
    }
}

// Beyond the image there are zeros here.
__global__ void columns(cudaSurfaceObject_t in, cudaSurfaceObject_t out, int r) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= W) return;
    uint4 sum = make_uint4(0, 0, 0, 0);
    ushort4 v;
    for (int y = -r; y <= r; y++) {
        surf2Dread(&v, in, x * sizeof(ushort4), y, cudaBoundaryModeZero);
        sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
    }
    const unsigned area = (2 * r + 1) * (2 * r + 1);
    for (int y = 0; y < H; y++) {
        uchar4 mean = make_uchar4(sum.x / area, sum.y / area, sum.z / area, sum.w / area);
        surf2Dwrite<uchar4>(mean, out, x * sizeof(uchar4), y, cudaBoundaryModeTrap);
        ushort4 add, sub;
        surf2Dread(&add, in, x * sizeof(ushort4), y + r + 1, cudaBoundaryModeZero);
        surf2Dread(&sub, in, x * sizeof(ushort4), y - r, cudaBoundaryModeZero);
        sum.x += add.x - sub.x, sum.y += add.y - sub.y, sum.z += add.z - sub.z, sum.w += add.w - sub.w;
    }
}

int main(int argc, char** argv) {
    static uchar4 h_in[H][W], h_out[H][W];
    const int r = 3;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) h_in[y][x] = make_uchar4(x * 3, y * 4, x * y, (x * x + y * 7) / 3);
    cudaArray_t a, b;
    cudaChannelFormatDesc da = cudaCreateChannelDesc<uchar4>(), db = cudaCreateChannelDesc<ushort4>();
    CK(cudaMallocArray(&a, &da, W, H, cudaArraySurfaceLoadStore));
    CK(cudaMallocArray(&b, &db, W, H, cudaArraySurfaceLoadStore));
    CK(cudaMemcpy2DToArray(a, 0, 0, h_in, sizeof h_in[0], sizeof h_in[0], H, cudaMemcpyHostToDevice));
    struct cudaResourceDesc res = {};
    res.resType = cudaResourceTypeArray;
    cudaSurfaceObject_t sa, sb;
    res.res.array.array = a;
    CK(cudaCreateSurfaceObject(&sa, &res));
    res.res.array.array = b;
    CK(cudaCreateSurfaceObject(&sb, &res));
    rows<<<(H + 31) / 32, 32>>>(sa, sb, r);
    CK(cudaGetLastError());
    columns<<<(W + 63) / 64, 64>>>(sb, sa, r);
    CK(cudaGetLastError());
    CK(cudaMemcpy2DFromArray(h_out, sizeof h_out[0], a, 0, 0, sizeof h_out[0], H, cudaMemcpyDeviceToHost));
    unsigned long long hash = 5381;
    int errors = 0;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            unsigned sum[4] = {0, 0, 0, 0};
            for (int dy = -r; dy <= r; dy++)
                for (int dx = -r; dx <= r; dx++) {
                    int i = x + dx < 0 ? 0 : x + dx >= W ? W - 1 : x + dx, j = y + dy;
                    if (j < 0 || j >= H) continue;
                    sum[0] += h_in[j][i].x, sum[1] += h_in[j][i].y, sum[2] += h_in[j][i].z, sum[3] += h_in[j][i].w;
                }
            const unsigned char* got = &h_out[y][x].x;
            for (int c = 0; c < 4; c++) {
                errors += got[c] != sum[c] / 49;
                hash = hash * 33 + got[c];
            }
        }
    printf("box filter, radius %d: hash %016llx\n", r, hash);
    printf("Test %s (%d errors)\n", errors ? "FAIL" : "PASS", errors);
    CK(cudaDestroySurfaceObject(sa));
    CK(cudaDestroySurfaceObject(sb));
    CK(cudaFreeArray(a));
    CK(cudaFreeArray(b));
    CK(cudaDeviceReset());
    return errors != 0;
}
