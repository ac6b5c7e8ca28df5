// Tables of one dimension: a curve that is filtered between its points, and lists of numbers in linear memory.
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <vector>

#define CUDA_SAFE_CALL(call)                                                                  \
    do {                                                                                      \
        cudaError_t err = call;                                                               \
        if (cudaSuccess != err) {                                                             \
            fprintf(stderr, "Cuda error in file '%s' in line %i : %s.\n", __FILE__, __LINE__, \
                    cudaGetErrorString(err));                                                 \
            return 1;                                                                         \
        }                                                                                     \
    } while (0)

// A curve at points that lie half-way, on a point, and beyond its ends.
__global__ void curve(cudaTextureObject_t table, int points, float* out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float at = (i - 16) * 0.125f;
        out[i] = tex1D<float>(table, (at + 0.5f) / points);
    }
}

// A sparse matrix whose vector is read through a texture of doubles as pairs of integers.
static __inline__ __device__ double fetch_double(cudaTextureObject_t t, int i) {
    int2 v = tex1Dfetch<int2>(t, i);
    return __hiloint2double(v.y, v.x);
}
__global__ void spmv(const int* rowPtr, cudaTextureObject_t cols, cudaTextureObject_t vals, cudaTextureObject_t x,
                     double* y, int rows) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    double sum = 0;
    for (int j = rowPtr[row]; j < rowPtr[row + 1]; ++j)
        sum += tex1Dfetch<float>(vals, j) * fetch_double(x, tex1Dfetch<int>(cols, j));
    y[row] = sum;
}

// Bytes through a table of 256.
__global__ void apply(cudaTextureObject_t lut, const uint8_t* in, float4* out, int n) {
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) out[i] = tex1Dfetch<float4>(lut, in[i]);
}

template <class T>
static cudaError_t linear_texture(cudaTextureObject_t* tex, T* memory, size_t count,
                                  cudaTextureReadMode mode = cudaReadModeElementType) {
    cudaResourceDesc res = {};
    res.resType = cudaResourceTypeLinear;
    res.res.linear.devPtr = memory;
    res.res.linear.desc = cudaCreateChannelDesc<T>();
    res.res.linear.sizeInBytes = count * sizeof(T);
    cudaTextureDesc desc = {};
    desc.readMode = mode;
    return cudaCreateTextureObject(tex, &res, &desc, nullptr);
}

int main() {
    bool ok = true;
    {
        const int points = 33, n = 300;
        std::vector<float> gamma(points), out(n);
        for (int i = 0; i < points; ++i) gamma[i] = powf(i / 32.0f, 2.0f) * 1024;
        cudaArray_t array;
        cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
        CUDA_SAFE_CALL(cudaMallocArray(&array, &desc, points));
        CUDA_SAFE_CALL(cudaMemcpy2DToArray(array, 0, 0, gamma.data(), points * sizeof(float), points * sizeof(float), 1,
                                           cudaMemcpyHostToDevice));
        cudaResourceDesc res = {};
        res.resType = cudaResourceTypeArray;
        res.res.array.array = array;
        cudaTextureDesc tex = {};
        tex.addressMode[0] = cudaAddressModeClamp;
        tex.filterMode = cudaFilterModeLinear;
        tex.normalizedCoords = 1;
        cudaTextureObject_t table;
        CUDA_SAFE_CALL(cudaCreateTextureObject(&table, &res, &tex, nullptr));
        float* d_out;
        CUDA_SAFE_CALL(cudaMalloc(&d_out, n * sizeof(float)));
        curve<<<2, 96>>>(table, points, d_out, n);
        CUDA_SAFE_CALL(cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost));
        double sum = 0, worst = 0;
        for (int i = 0; i < n; ++i) {
            double at = fmin(fmax((i - 16) * 0.125, 0.0), points - 1.0);
            int k = (int)at;
            double want = k + 1 < points ? gamma[k] + (at - k) * (gamma[k + 1] - gamma[k]) : gamma[k];
            worst = fmax(worst, fabs(want - out[i]));
            sum += out[i];
        }
        ok = ok && worst < 0.5;
        printf("curve: sum %.4f, %s\n", sum, worst < 0.5 ? "PASS" : "FAIL");
        CUDA_SAFE_CALL(cudaDestroyTextureObject(table));
        CUDA_SAFE_CALL(cudaFreeArray(array));
        CUDA_SAFE_CALL(cudaFree(d_out));
    }
    {
        const int rows = 200;
        std::vector<int> rowPtr(rows + 1), cols;
        std::vector<float> vals;
        std::vector<double> x(rows), y(rows);
        for (int r = 0; r < rows; ++r) {
            rowPtr[r] = (int)cols.size();
            for (int k = 0; k <= r % 7; ++k)
                cols.push_back((r * 31 + k * 57) % rows), vals.push_back((float)(k - 3 + r % 5));
            x[r] = 1.0 + r / 256.0;
        }
        rowPtr[rows] = (int)cols.size();
        int *d_rowPtr, *d_cols;
        float* d_vals;
        double *d_x, *d_y;
        CUDA_SAFE_CALL(cudaMalloc((void**)&d_rowPtr, rowPtr.size() * sizeof(int)));
        CUDA_SAFE_CALL(cudaMalloc((void**)&d_cols, cols.size() * sizeof(int)));
        CUDA_SAFE_CALL(cudaMalloc((void**)&d_vals, vals.size() * sizeof(float)));
        CUDA_SAFE_CALL(cudaMalloc((void**)&d_x, rows * sizeof(double)));
        CUDA_SAFE_CALL(cudaMalloc((void**)&d_y, rows * sizeof(double)));
        CUDA_SAFE_CALL(cudaMemcpy(d_rowPtr, &rowPtr[0], rowPtr.size() * sizeof(int), cudaMemcpyHostToDevice));
        CUDA_SAFE_CALL(cudaMemcpy(d_cols, &cols[0], cols.size() * sizeof(int), cudaMemcpyHostToDevice));
        CUDA_SAFE_CALL(cudaMemcpy(d_vals, &vals[0], vals.size() * sizeof(float), cudaMemcpyHostToDevice));
        CUDA_SAFE_CALL(cudaMemcpy(d_x, &x[0], rows * sizeof(double), cudaMemcpyHostToDevice));
        cudaTextureObject_t colTex, valTex, xTex;
        CUDA_SAFE_CALL(linear_texture(&colTex, d_cols, cols.size()));
        CUDA_SAFE_CALL(linear_texture(&valTex, d_vals, vals.size()));
        CUDA_SAFE_CALL(linear_texture(&xTex, (int2*)d_x, rows));
        spmv<<<(rows + 63) / 64, 64>>>(d_rowPtr, colTex, valTex, xTex, d_y, rows);
        CUDA_SAFE_CALL(cudaMemcpy(&y[0], d_y, rows * sizeof(double), cudaMemcpyDeviceToHost));
        int bad = 0;
        double total = 0;
        for (int r = 0; r < rows; ++r) {
            double sum = 0;
            for (int j = rowPtr[r]; j < rowPtr[r + 1]; ++j) sum += vals[j] * x[cols[j]];
            bad += sum != y[r];
            total += y[r];
        }
        ok = ok && !bad;
        printf("sparse matrix: sum %.6f, %s\n", total, bad ? "FAIL" : "PASS");
        cudaDestroyTextureObject(colTex), cudaDestroyTextureObject(valTex), cudaDestroyTextureObject(xTex);
        cudaFree(d_rowPtr), cudaFree(d_cols), cudaFree(d_vals), cudaFree(d_x), cudaFree(d_y);
    }
    {
        const int n = 1000;
        std::vector<uchar4> lut(256);
        std::vector<uint8_t> in(n);
        std::vector<float4> out(n);
        for (int i = 0; i < 256; ++i) lut[i] = make_uchar4(255 - i, i / 2, i * 7, 255);
        for (int i = 0; i < n; ++i) in[i] = (uint8_t)(i * i + i / 3);
        uchar4* d_lut;
        uint8_t* d_in;
        float4* d_out;
        CUDA_SAFE_CALL(cudaMalloc(&d_lut, 256 * sizeof(uchar4)));
        CUDA_SAFE_CALL(cudaMalloc(&d_in, n));
        CUDA_SAFE_CALL(cudaMalloc(&d_out, n * sizeof(float4)));
        CUDA_SAFE_CALL(cudaMemcpy(d_lut, lut.data(), 256 * sizeof(uchar4), cudaMemcpyHostToDevice));
        CUDA_SAFE_CALL(cudaMemcpy(d_in, in.data(), n, cudaMemcpyHostToDevice));
        cudaTextureObject_t tex;
        CUDA_SAFE_CALL(linear_texture(&tex, d_lut, 256, cudaReadModeNormalizedFloat));
        apply<<<4, 256>>>(tex, d_in, d_out, n);
        CUDA_SAFE_CALL(cudaMemcpy(out.data(), d_out, n * sizeof(float4), cudaMemcpyDeviceToHost));
        int bad = 0;
        unsigned long long hash = 0;
        for (int i = 0; i < n; ++i) {
            const uchar4 c = lut[in[i]];
            bad += out[i].x != c.x / 255.0f || out[i].y != c.y / 255.0f || out[i].z != c.z / 255.0f || out[i].w != 1.0f;
            uint32_t bits;
            memcpy(&bits, &out[i].z, 4);
            hash = hash * 6364136223846793005ull + bits;
        }
        ok = ok && !bad;
        printf("colours: hash %016llx, %s\n", hash, bad ? "FAIL" : "PASS");
        cudaDestroyTextureObject(tex);
        cudaFree(d_lut), cudaFree(d_in), cudaFree(d_out);
    }
    return ok ? 0 : 1;
}
