// Lanes whose addresses lie apart: fields of structures, columns, runs of elements, a transpose's stores.
#include "pairs.h"

using namespace pairs;

// Two of eight fields are asked for: an array of structures becomes arrays of fields.
struct Body {
    float x, y, z, mass, vx, vy, vz, charge;
};
__global__ void coalesce_fields_before(const Body* bodies, float* out, float dt, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = bodies[i].x + dt * bodies[i].vx;  // fault: coalesce_fields
}
__global__ void coalesce_fields_after(const float* x, const float* vx, float* out, float dt, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = x[i] + dt * vx[i];
}
void fields(Suite& suite) {
    const int n = scaled(7 << 18);
    Array<float> bodies(8 * n, unit), out(n);
    Array<float> x(n, [](int i) { return unit(8 * i); }), vx(n, [](int i) { return unit(8 * i + 4); });
    suite.pair(
        "coalesce_fields", out,
        [&] { coalesce_fields_before<<<blocks(n, 256), 256>>>(bodies.as<Body>(), out, 0.5f, n); },
        [&] { coalesce_fields_after<<<blocks(n, 256), 256>>>(x, vx, out, 0.5f, n); },
        [&](int i) { return bodies.at(8 * i) + 0.5f * bodies.at(8 * i + 4); });
}

// Lanes go down a column; they shall go along the row.
__global__ void coalesce_rows_before(const float* in, float* out, int rows, int columns) {
    int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && column < columns) {
        float v = in[row * columns + column];  // fault: coalesce_rows
        out[row * columns + column] = v / (1 + v);
    }
}
__global__ void coalesce_rows_after(const float* in, float* out, int rows, int columns) {
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && column < columns) {
        float v = in[row * columns + column];
        out[row * columns + column] = v / (1 + v);
    }
}
void rows(Suite& suite) {
    const int height = scaled(2048), width = 2048;
    Array<float> in(height * width, unit), out(height * width);
    dim3 block(32, 8);
    suite.pair(
        "coalesce_rows", out,
        [&] { coalesce_rows_before<<<dim3(blocks(height, 32), width / 8), block>>>(in, out, height, width); },
        [&] { coalesce_rows_after<<<dim3(width / 32, blocks(height, 8)), block>>>(in, out, height, width); },
        [&](int i) { return in.at(i) / (1 + in.at(i)); });
}

// The stores of a transpose: through shared memory they go along rows, too.
__global__ void coalesce_transpose_before(const float* in, float* out, int rows, int columns) {
    int column = blockIdx.x * 32 + threadIdx.x;
    for (int k = 0; k < 32; k += 8) {
        int row = blockIdx.y * 32 + threadIdx.y + k;
        out[column * rows + row] = in[row * columns + column];  // fault: coalesce_transpose
    }
}
__global__ void coalesce_transpose_after(const float* in, float* out, int rows, int columns) {
    __shared__ float tile[32][33];
    int column = blockIdx.x * 32 + threadIdx.x;
    for (int k = 0; k < 32; k += 8) {
        int row = blockIdx.y * 32 + threadIdx.y + k;
        tile[threadIdx.y + k][threadIdx.x] = in[row * columns + column];
    }
    __syncthreads();
    int row = blockIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 32; k += 8) {
        column = blockIdx.x * 32 + threadIdx.y + k;
        out[column * rows + row] = tile[threadIdx.x][threadIdx.y + k];
    }
}
void transpose(Suite& suite) {
    const int height = scaled(2048), width = 2048;
    Array<float> in(height * width, unit), out(height * width);
    dim3 grid(width / 32, height / 32), block(32, 8);
    suite.pair(
        "coalesce_transpose", out, [&] { coalesce_transpose_before<<<grid, block>>>(in, out, height, width); },
        [&] { coalesce_transpose_after<<<grid, block>>>(in, out, height, width); },
        [&](int i) { return in.at(i % height * width + i / height); });
}

// A thread takes a run of neighbours, so that lanes lie 16 apart; neighbours shall go to neighbouring lanes.
constexpr int kRun = 16;
__global__ void coalesce_runs_before(const float* x, const float* y, float* out, float a, int n) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < kRun; ++k) {
        int i = thread * kRun + k;  // fault: coalesce_runs
        if (i < n) out[i] = a * x[i] + y[i];
    }
}
__global__ void coalesce_runs_after(const float* x, const float* y, float* out, float a, int n) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    for (int k = 0; k < kRun; ++k) {
        int i = k * threads + thread;
        if (i < n) out[i] = a * x[i] + y[i];
    }
}
void runs(Suite& suite) {
    const int n = scaled(1 << 22);
    Array<float> x(n, unit), y(n, [](int i) { return unit(i + 7); }), out(n);
    suite.pair(
        "coalesce_runs", out, [&] { coalesce_runs_before<<<n / kRun / 256, 256>>>(x, y, out, 3, n); },
        [&] { coalesce_runs_after<<<n / kRun / 256, 256>>>(x, y, out, 3, n); },
        [&](int i) { return 3 * x.at(i) + y.at(i); });
}

int main(int argc, char** argv) {
    Suite suite(argc, argv);
    fields(suite);
    rows(suite);
    transpose(suite);
    runs(suite);
    return suite.status();
}
