// Kernels with nothing to advise: matrices and pictures, in tiles where many ask for the same and without where not.
#include "pairs.h"

using namespace pairs;

// A tile of 64 x 64 for a block, 4 x 4 for a thread, all sixteen sums in registers.
__global__ void __launch_bounds__(256)
    good_product(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n, int depth) {
    __shared__ float left[16][64 + 4], right[16][64];
    int tx = threadIdx.x % 16, ty = threadIdx.x / 16, row = blockIdx.y * 64, column = blockIdx.x * 64;
    float sums[4][4] = {};
    for (int start = 0; start < depth; start += 16) {
        float4 v = *reinterpret_cast<const float4*>(&a[(row + threadIdx.x / 4) * depth + start + threadIdx.x % 4 * 4]);
        int k0 = threadIdx.x % 4 * 4, y = threadIdx.x / 4;
        left[k0][y] = v.x;
        left[k0 + 1][y] = v.y;
        left[k0 + 2][y] = v.z;
        left[k0 + 3][y] = v.w;
        *reinterpret_cast<float4*>(&right[ty][tx * 4]) =
            *reinterpret_cast<const float4*>(&b[(start + ty) * n + column + tx * 4]);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; ++k) {
            float4 p = *reinterpret_cast<const float4*>(&left[k][ty * 4]);
            float4 q = *reinterpret_cast<const float4*>(&right[k][tx * 4]);
            float x[4] = {p.x, p.y, p.z, p.w}, z[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
            for (int i = 0; i < 4; ++i) {
#pragma unroll
                for (int j = 0; j < 4; ++j) sums[i][j] += x[i] * z[j];
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        *reinterpret_cast<float4*>(&c[(row + ty * 4 + i) * n + column + tx * 4]) =
            make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
    }
}
void product(Suite& suite) {
    const int n = 1024, depth = scaled(128);
    Array<float> a(n * depth, unit), b(depth * n, [](int i) { return unit(i + 99); }), c(n * n);
    suite.good(
        "good_product", c, [&] { good_product<<<dim3(n / 64, n / 64), 256>>>(a, b, c, n, depth); },
        [&](int i) {
            double sum = 0;
            for (int k = 0; k < depth; ++k) sum += a.at(i / n * depth + k) * b.at(k * n + i % n);
            return sum;
        });
}

__global__ void good_transpose(const float* __restrict__ in, float* __restrict__ out, int rows, int columns) {
    __shared__ float tile[32][33];
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.x;
#pragma unroll
    for (int k = 0; k < 32; k += 8) {
        tile[threadIdx.y + k][threadIdx.x] = in[(blockIdx.y * 32 + threadIdx.y + k) * columns + column];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 32; k += 8) {
        out[(blockIdx.x * 32 + threadIdx.y + k) * rows + row] = tile[threadIdx.x][threadIdx.y + k];
    }
}
void transpose(Suite& suite) {
    const int height = scaled(2048), width = 2048;
    Array<float> in(height * width, unit), out(height * width);
    suite.good(
        "good_transpose", out,
        [&] { good_transpose<<<dim3(width / 32, height / 32), dim3(32, 8)>>>(in, out, height, width); },
        [&](int i) { return in.at(i % height * width + i / height); });
}

// A matrix and a vector: a warp for a row, sixteen bytes a lane.
__global__ void good_matvec(const float4* __restrict__ a, const float4* __restrict__ x, float* __restrict__ y, int rows,
                            int columns) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x, row = thread / 32, lane = thread % 32;
    if (row >= rows) return;
    float sum = 0;
#pragma unroll 4
    for (int k = lane; k < columns; k += 32) {
        float4 p = a[row * columns + k], q = x[k];
        sum += p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
    }
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (lane == 0) y[row] = sum;
}
void matvec(Suite& suite) {
    const int height = scaled(8192), width = 1024;
    Array<float> a(height * width, unit), x(width, [](int i) { return unit(i + 3); }), y(height);
    suite.good(
        "good_matvec", y,
        [&] { good_matvec<<<height / 8, 256>>>(a.as<float4>(), x.as<float4>(), y, height, width / 4); },
        [&](int i) {
            double sum = 0;
            for (int k = 0; k < width; ++k) sum += a.at(i * width + k) * x.at(k);
            return sum;
        });
}

// A sparse matrix with some hundred entries a row: a warp for each.
__global__ void good_sparse(const int* __restrict__ starts, const int* __restrict__ columns,
                            const float* __restrict__ values, const float* __restrict__ x, float* __restrict__ y,
                            int rows) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x, row = thread / 32, lane = thread % 32;
    if (row >= rows) return;
    int end = starts[row + 1];
    float sum = 0;
    for (int k = starts[row] + lane; k < end; k += 32) sum += values[k] * x[columns[k]];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (lane == 0) y[row] = sum;
}
void sparse(Suite& suite) {
    const int height = scaled(1 << 14);
    std::vector<int> first(height + 1);
    for (int i = 0; i < height; ++i) first[i + 1] = first[i] + 96 + hash(i) % 64;
    const int n = first[height];
    Array<int> starts(first), columns(n, [&](int i) { return hash(i) % height; });
    Array<float> values(n, unit), x(height, [](int i) { return unit(i + 9); }), y(height);
    suite.good(
        "good_sparse", y, [&] { good_sparse<<<height / 8, 256>>>(starts, columns, values, x, y, height); },
        [&](int i) {
            double sum = 0;
            for (int k = first[i]; k < first[i + 1]; ++k) sum += values.at(k) * x.at(columns.at(k));
            return sum;
        });
}

// Three by three with weights in constant memory, which all lanes ask at the same place.
__constant__ float small_weights[9];
__global__ void good_filter3(const float* __restrict__ in, float* __restrict__ out, int width) {
    int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y, pitch = width + 32;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 9; ++k) sum += small_weights[k] * in[(y + k / 3) * pitch + x + k % 3];
    out[y * width + x] = sum;
}
void filter3(Suite& suite) {
    const int width = 2048, height = scaled(1024), pitch = width + 32;
    Array<float> in(pitch * (height + 2), unit), out(width * height);
    float weights[9];
    for (int k = 0; k < 9; ++k) weights[k] = unit(k + 5) / 4;
    PAIRS_CHECK(cudaMemcpyToSymbol(small_weights, weights, sizeof(weights)));
    suite.good(
        "good_filter3", out, [&] { good_filter3<<<dim3(width / 64, height / 4), dim3(64, 4)>>>(in, out, width); },
        [&](int i) {
            double sum = 0;
            for (int k = 0; k < 9; ++k) sum += weights[k] * in.at((i / width + k / 3) * pitch + i % width + k % 3);
            return sum;
        });
}

// One product of a column and a row is added to a matrix.
__global__ void good_rank_one(const float* __restrict__ u, const float4* __restrict__ v, const float4* __restrict__ in,
                              float4* __restrict__ out, int columns) {
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    float a = u[row];
    float4 b = v[column], c = in[row * columns + column];
    out[row * columns + column] = make_float4(c.x + a * b.x, c.y + a * b.y, c.z + a * b.z, c.w + a * b.w);
}
void rank_one(Suite& suite) {
    const int width = 2048, height = scaled(2048);
    Array<float> u(height, unit), v(width, [](int i) { return unit(i + 1); }), in(width * height, unit);
    Array<float> out(width * height);
    suite.good(
        "good_rank_one", out,
        [&] {
            good_rank_one<<<dim3(width / 4 / 256, height), 256>>>(u, v.as<float4>(), in.as<float4>(), out.as<float4>(),
                                                                  width / 4);
        },
        [&](int i) { return in.at(i) + u.at(i / width) * v.at(i % width); });
}

// Twice the size, between the pixels.
__global__ void good_enlarge(const float* __restrict__ in, float* __restrict__ out, int width) {
    int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y, pitch = width / 2 + 1;
    const float* p = &in[y / 2 * pitch + x / 2];
    float fx = x % 2 * 0.5f, fy = y % 2 * 0.5f;
    float top = p[0] + fx * (p[1] - p[0]), bottom = p[pitch] + fx * (p[pitch + 1] - p[pitch]);
    out[y * width + x] = top + fy * (bottom - top);
}
void enlarge(Suite& suite) {
    const int width = 2048, height = scaled(2048), pitch = width / 2 + 1;
    Array<float> in(pitch * (height / 2 + 1), unit), out(width * height);
    suite.good(
        "good_enlarge", out, [&] { good_enlarge<<<dim3(width / 64, height / 4), dim3(64, 4)>>>(in, out, width); },
        [&](int i) {
            int x = i % width, y = i / width;
            const float* p = &in.host()[y / 2 * pitch + x / 2];
            float fx = x % 2 * 0.5f, fy = y % 2 * 0.5f;
            float top = p[0] + fx * (p[1] - p[0]), bottom = p[pitch] + fx * (p[pitch + 1] - p[pitch]);
            return top + fy * (bottom - top);
        });
}

// Many small systems: four lanes have a matrix of 4 x 4 and hand the vector round.
__global__ void good_batch(const float4* __restrict__ matrices, const float* __restrict__ vectors,
                           float* __restrict__ out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 row = matrices[i];
    float own = vectors[i];
    float x = __shfl_sync(0xffffffff, own, 0, 4), y = __shfl_sync(0xffffffff, own, 1, 4);
    float z = __shfl_sync(0xffffffff, own, 2, 4), w = __shfl_sync(0xffffffff, own, 3, 4);
    out[i] = row.x * x + row.y * y + row.z * z + row.w * w;
}
void batch(Suite& suite) {
    const int n = scaled(1 << 20);
    Array<float> matrices(4 * n, unit), vectors(n, [](int i) { return unit(i + 9); }), out(n);
    suite.good(
        "good_batch", out, [&] { good_batch<<<n / 256, 256>>>(matrices.as<float4>(), vectors, out, n); },
        [&](int i) {
            double sum = 0;
            for (int k = 0; k < 4; ++k) sum += matrices.at(4 * i + k) * vectors.at(i / 4 * 4 + k);
            return sum;
        });
}

int main(int argc, char** argv) {
    Suite suite(argc, argv);
    product(suite);
    transpose(suite);
    matvec(suite);
    sparse(suite);
    filter3(suite);
    rank_one(suite);
    enlarge(suite);
    batch(suite);
    return suite.status();
}
