// First programs of a course, as they are handed in: pairs about which a rule must speak and must be silent, where the
// two differ in what threads do with the bytes rather than in how many bytes there are.
#include <cuda_runtime.h>
#include <cstdio>

#define CHECK(call)                                                                 \
    do {                                                                            \
        const cudaError_t status = (call);                                          \
        if (status != cudaSuccess) {                                                \
            std::fprintf(stderr, "%d: %s\n", __LINE__, cudaGetErrorString(status)); \
            return 1;                                                               \
        }                                                                           \
    } while (0)

constexpr int N = 1 << 20;

// ---- barriers: without shared memory, and needed all the same
__global__ void sort_neighbours(float* data) {
    // In order already: the stores never happen, and the barrier is needed all the same.
    float* mine = data + blockIdx.x * 2 * blockDim.x;
    for (unsigned int phase = 0; phase < 8; ++phase) {
        unsigned int i = 2 * threadIdx.x + phase % 2;
        if (i + 1 < 2 * blockDim.x && mine[i] > mine[i + 1]) {
            float larger = mine[i];
            mine[i] = mine[i + 1];
            mine[i + 1] = larger;
        }
        __syncthreads();
    }
}
__global__ void sum_in_place(float* input, float* output) {
    unsigned int i = 2 * blockDim.x * blockIdx.x + 2 * threadIdx.x;
    for (unsigned int stride = 1; stride <= blockDim.x; stride *= 2) {
        if (threadIdx.x % stride == 0) input[i] += input[i + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0) output[blockIdx.x] = input[i];
}
__global__ void diffuse(float* a, float* b, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int left = threadIdx.x == 0 ? i : i - 1, right = threadIdx.x == blockDim.x - 1 ? i : i + 1;
    for (int s = 0; s < steps; ++s) {
        b[i] = 0.25f * a[left] + 0.5f * a[i] + 0.25f * a[right];
        __syncthreads();
        float* other = a;
        a = b;
        b = other;
    }
}
__global__ void count_positive(const float* in, int* out) {
    int positive = __syncthreads_count(in[blockIdx.x * blockDim.x + threadIdx.x] > 0);
    if (threadIdx.x == 0) out[blockIdx.x] = positive;
}
__global__ void square_with_barrier(const float* in, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i];
    __syncthreads();
    out[i] = x * x;
}

// ---- pad: rows of a tile, a plain array, and an order that no padding mends
__global__ void transpose(const float* in, float* out, int width) {
    __shared__ float tile[32][32];
    tile[threadIdx.y][threadIdx.x] = in[(blockIdx.y * 32 + threadIdx.y) * width + blockIdx.x * 32 + threadIdx.x];
    __syncthreads();
    out[(blockIdx.x * 32 + threadIdx.y) * width + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void scan_by_thread(float* data) {
    __shared__ float values[2048];
    for (int k = 0; k < 16; ++k) values[k * 128 + threadIdx.x] = data[blockIdx.x * 2048 + k * 128 + threadIdx.x];
    __syncthreads();
    for (int k = 1; k < 16; ++k) values[threadIdx.x * 16 + k] += values[threadIdx.x * 16 + k - 1];
    __syncthreads();
    for (int k = 0; k < 16; ++k) data[blockIdx.x * 2048 + k * 128 + threadIdx.x] = values[k * 128 + threadIdx.x];
}
__global__ void look_up(const int* index, const float* table, float* out) {
    __shared__ float copy[4096];
    for (int k = threadIdx.x; k < 4096; k += blockDim.x) copy[k] = table[k];
    __syncthreads();
    for (int k = 0; k < 32; ++k) {
        int i = (blockIdx.x * 32 + k) * blockDim.x + threadIdx.x;
        out[i] = copy[index[i] % 4096];
    }
}

// ---- register: a thread and its own element, which a store in between may have changed
__global__ void pull(const float* x, float* force, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 1; k <= n; ++k) force[k * gridDim.x * blockDim.x + i] = x[i] * k;
}
__global__ void pull_from_register(const float* x, float* force, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float mine = x[i];
    for (int k = 1; k <= n; ++k) force[k * gridDim.x * blockDim.x + i] = mine * k;
}
// The elements of its row three times: no register holds a row, and no other thread wants it.
__global__ void normalise_columns(const float* in, float* out, int rows, int columns) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0, most = 0;
    for (int r = 0; r < rows; ++r) most = fmaxf(most, in[r * columns + c]);
    for (int r = 0; r < rows; ++r) sum += in[r * columns + c] - most;
    for (int r = 0; r < rows; ++r) out[r * columns + c] = (in[r * columns + c] - most) / sum;
}
// Vectors that are asked for in one block more often than the matrix: to be named.
__global__ void matrix_times_vector(const float* A, const float* x, float* y, int rows, int columns) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < columns; ++k) sum += A[k * rows + row] * x[k];
    y[row] = sum;
}

// ---- no-reuse: an array of each thread whose index only the data know
__global__ void busiest_digit(const int* in, int* out) {
    __shared__ int digits[128 * 10];
    int* mine = digits + threadIdx.x * 10;
    for (int d = 0; d < 10; ++d) mine[d] = 0;
    for (int k = 0; k < 64; ++k) mine[(in[(blockIdx.x * 64 + k) * blockDim.x + threadIdx.x] & 0xffff) % 10]++;
    int best = 0;
    for (int d = 1; d < 10; ++d)
        if (mine[d] > mine[best]) best = d;
    out[blockIdx.x * blockDim.x + threadIdx.x] = best;
}
__global__ void scale_by_way_of_shared(const float* in, float* out) {
    __shared__ float here[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    here[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = 2.0f * here[threadIdx.x];
}

// ---- atomics: lanes that meet, and lanes that do not
__global__ void count_bytes(const int* in, int* bins) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&bins[in[i] & 31], 1);
}
__global__ void scatter_counts(const int* in, int* bins) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&bins[in[i] % N], 1);
}

// ---- fp64: a constant without an f, and a sum that is double on purpose
__global__ void scale(const float* in, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] * 0.1 + 0.3;
}
__global__ void scale_in_float(const float* in, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] * 0.1f + 0.3f;
}
__global__ void mean_of_rows(const float* in, float* out, int rows, int columns) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    double sum = 0;
    for (int k = 0; k < columns; ++k) sum += in[k * rows + row];
    double mean = sum / columns;
    out[row] = static_cast<float>(mean);
}

// ---- tile: as large as fills the device, and of one block
__global__ void multiply(const float* M, const float* N, float* P, int width) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < width; ++k) sum += M[row * width + k] * N[k * width + column];
    P[row * width + column] = sum;
}

int main() {
    float *a, *b;
    int *numbers, *results;
    CHECK(cudaMalloc(&a, N * sizeof(float)));
    CHECK(cudaMalloc(&b, N * sizeof(float)));
    CHECK(cudaMalloc(&numbers, N * sizeof(int)));
    CHECK(cudaMalloc(&results, N * sizeof(int)));
    int* host = new int[N];
    unsigned seed = 1;
    for (int i = 0; i < N; ++i) {
        seed = seed * 1664525u + 1013904223u;
        host[i] = static_cast<int>(seed >> 8);
    }
    CHECK(cudaMemcpy(numbers, host, N * sizeof(int), cudaMemcpyHostToDevice));
    delete[] host;

    sort_neighbours<<<512, 256>>>(a);  // zeros
    sum_in_place<<<1024, 256>>>(a, b);
    diffuse<<<1024, 256>>>(a, b, 8);
    count_positive<<<1024, 256>>>(a, results);
    square_with_barrier<<<1024, 256>>>(a, b);
    transpose<<<dim3(32, 32), dim3(32, 32)>>>(a, b, 1024);
    scan_by_thread<<<512, 128>>>(a);
    look_up<<<128, 256>>>(numbers, a, b);
    pull<<<64, 256>>>(a, b, 32);
    pull_from_register<<<64, 256>>>(a, b, 32);
    normalise_columns<<<64, 128>>>(a, b, 64, 8192);
    matrix_times_vector<<<64, 128>>>(a, b, b + N / 2, 8192, 128);
    busiest_digit<<<128, 128>>>(numbers, results);
    scale_by_way_of_shared<<<1024, 256>>>(a, b);
    count_bytes<<<1024, 256>>>(numbers, results);
    scatter_counts<<<1024, 256>>>(numbers, results);
    scale<<<1024, 256>>>(a, b);
    scale_in_float<<<1024, 256>>>(a, b);
    mean_of_rows<<<64, 128>>>(a, b, 8192, 128);
    multiply<<<dim3(16, 16), dim3(16, 16)>>>(a, b, a, 256);
    multiply<<<dim3(1, 1), dim3(16, 16)>>>(a, b, a, 16);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    return 0;
}
