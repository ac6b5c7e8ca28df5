// Exercises of courses, each once right and once with a mistake that is often made in it.
//
// check: all
// case dot: clean
// case dot_no_barrier: race shared DOT_STEP DOT_STEP
// case scan_in_two_buffers: clean
// case scan_in_one_buffer: race shared SCAN_STEP SCAN_STEP
// case bins: clean
// case bins_zeroed_late: race shared ZERO_BIN ADD_BIN
// case convolution: clean
// case convolution_no_right_halo: uninitialized STORE_TAPS FETCH
// case odd_even: clean
// case odd_even_no_barrier: race shared SWAP SWAP; maybe race shared SWAP SORTED
// case bitonic: clean
// case bitonic_barrier_inside: divergent-barrier MEET_INSIDE; maybe race shared EXCHANGE
// case life: clean
// case life_in_place: race global GENERATION GENERATION
// case jacobi: clean
// case jacobi_in_place: race global SWEEP SWEEP
// case matrix_vector: clean
// case matrix_vector_plain: race global ADD_PLAIN
// case centroids: clean
// case centroids_not_zeroed: uninitialized ADD_CENTROID; maybe uninitialized FETCH; maybe uninitialized MEAN
// case grey: clean
// case grey_no_bound: out-of-bounds global GREY
// case reverse: clean
// case reverse_no_barrier: race shared PUT_REVERSED TAKE_REVERSED; maybe uninitialized FETCH mild
// case maximum: clean
// case maximum_plain: race global KEEP_MAXIMUM KEEP_MAXIMUM
// case warp_sums: clean
// case warp_sums_read_early: race shared WARP_SUM SUM_OF_WARPS
// case polynomial: clean
// case polynomial_forgotten: leak POLYNOMIAL_BUFFER mild
#include <cstring>
#include <initializer_list>

constexpr int kThreads = 128;
constexpr int kMost = 4096;
float host[kMost];
__constant__ float taps[5];

template <bool kBarrier>
__global__ void dot(const float* a, const float* b, float* sum, int n) {
    __shared__ float parts[kThreads];
    float own = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) own += a[i] * b[i];
    parts[threadIdx.x] = own;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];  // @DOT_STEP
        if (kBarrier) __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(sum, parts[0]);
}

__global__ void scan_in_two_buffers(float* values) {
    __shared__ float buffers[2][kThreads];
    int from = 0;
    buffers[0][threadIdx.x] = values[threadIdx.x];
    for (int reach = 1; reach < kThreads; reach *= 2, from ^= 1) {
        __syncthreads();
        float value = buffers[from][threadIdx.x];
        if (threadIdx.x >= reach) value += buffers[from][threadIdx.x - reach];
        buffers[from ^ 1][threadIdx.x] = value;
    }
    values[threadIdx.x] = buffers[from][threadIdx.x];
}
__global__ void scan_in_one_buffer(float* values) {
    __shared__ float buffer[kThreads];
    buffer[threadIdx.x] = values[threadIdx.x];
    for (int reach = 1; reach < kThreads; reach *= 2) {
        __syncthreads();
        if (threadIdx.x >= reach) buffer[threadIdx.x] += buffer[threadIdx.x - reach];  // @SCAN_STEP
    }
    values[threadIdx.x] = buffer[threadIdx.x];
}

template <bool kBarrier>
__global__ void bins(const float* values, int* all, int n) {
    __shared__ int own[64];
    if (threadIdx.x < 64) own[63 - threadIdx.x] = 0;  // @ZERO_BIN
    if (kBarrier) __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&own[static_cast<int>(values[i]) % 64], 1);  // @ADD_BIN
    __syncthreads();
    if (threadIdx.x < 64) atomicAdd(&all[threadIdx.x], own[threadIdx.x]);
}

template <bool kRight>
__global__ void convolution(const float* in, float* out, int n) {
    __shared__ float tile[kThreads + 4];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x + 2] = i < n ? in[i] : 0;
    if (threadIdx.x < 2) {
        tile[threadIdx.x] = i >= 2 ? in[i - 2] : 0;
        if (kRight) tile[kThreads + 2 + threadIdx.x] = i + kThreads < n ? in[i + kThreads] : 0;
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 5; ++k) sum += taps[k] * tile[threadIdx.x + k];  // @TAPS
    if (i < n) out[i] = sum > 0 ? sum : 0;                               // @STORE_TAPS
}

template <bool kBarrier>
__global__ void odd_even(float* values) {
    __shared__ float own[2 * kThreads];
    own[threadIdx.x] = values[threadIdx.x];
    own[threadIdx.x + kThreads] = values[threadIdx.x + kThreads];
    __syncthreads();
    for (int turn = 0; turn < 2 * kThreads; ++turn) {
        const int left = 2 * threadIdx.x + turn % 2;
        if (left + 1 < 2 * kThreads) {
            const float a = own[left], b = own[left + 1];  // @SWAP
            if (a > b) own[left] = b, own[left + 1] = a;   // @SWAP
        }
        if (kBarrier) __syncthreads();
    }
    values[threadIdx.x] = own[threadIdx.x];                        // @SORTED
    values[threadIdx.x + kThreads] = own[threadIdx.x + kThreads];  // @SORTED
}

template <bool kInside>
__global__ void bitonic(float* values) {
    __shared__ float own[kThreads];
    own[threadIdx.x] = values[threadIdx.x];
    __syncthreads();
    for (int size = 2; size <= kThreads; size *= 2)
        for (int reach = size / 2; reach > 0; reach /= 2) {
            const int other = threadIdx.x ^ reach;
            if (other > threadIdx.x) {
                const bool up = (threadIdx.x & size) == 0;
                const float a = own[threadIdx.x], b = own[other];         // @EXCHANGE
                if ((a > b) == up) own[threadIdx.x] = b, own[other] = a;  // @EXCHANGE
                if (kInside) __syncthreads();                             // @MEET_INSIDE
            }
            if (!kInside) __syncthreads();
        }
    values[threadIdx.x] = own[threadIdx.x];
}

__global__ void life(const float* now, float* then, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float alive = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (dx != 0 || dy != 0)
                alive += now[(y + dy + height) % height * width + (x + dx + width) % width];  // @GENERATION
    then[y * width + x] = alive == 3 || (alive == 2 && now[y * width + x] == 1);              // @GENERATION
}

__global__ void jacobi(const float* now, float* then, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) then[i] = 0.5f * (now[i - 1] + now[i + 1]);  // @SWEEP
}

template <bool kAtomic>
__global__ void matrix_vector(const float* matrix, const float* x, float* y, int n) {
    const int row = blockIdx.x, col = threadIdx.x;
    for (int k = col; k < n; k += blockDim.x) {
        const float part = matrix[row * n + k] * x[k];
        if (kAtomic)
            atomicAdd(&y[row], part);
        else
            y[row] += part;  // @ADD_PLAIN
    }
}

__global__ void add_points(const float* points, float* sums, int* counts, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int nearest = static_cast<int>(points[i]) % 4;
    atomicAdd(&sums[nearest], points[i]);
    atomicAdd(&counts[nearest], 1);  // @ADD_CENTROID
}
__global__ void mean(float* sums, const int* counts) {
    if (counts[threadIdx.x] > 0) sums[threadIdx.x] /= counts[threadIdx.x];  // @MEAN
}

__global__ void grey(const uchar3* colours, unsigned char* greys, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const uchar3 c = colours[i];  // @GREY
    greys[i] = (c.x * 2 + c.y * 5 + c.z) / 8;
}

template <bool kBarrier>
__global__ void reverse(float* values) {
    extern __shared__ float own[];
    own[threadIdx.x] = values[threadIdx.x];  // @PUT_REVERSED
    if (kBarrier) __syncthreads();
    values[threadIdx.x] = own[blockDim.x - 1 - threadIdx.x];  // @TAKE_REVERSED
}

template <bool kAtomic>
__global__ void maximum(const float* values, int* most, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int value = static_cast<int>(values[i]);
    if (kAtomic)
        atomicMax(most, value);
    else if (value > *most)  // @KEEP_MAXIMUM
        *most = value;       // @KEEP_MAXIMUM
}

template <bool kBarrier>
__global__ void warp_sums(const float* values, float* out) {
    __shared__ float sums[kThreads / 32];
    float own = values[threadIdx.x];
    for (int reach = 16; reach > 0; reach /= 2) own += __shfl_down_sync(0xffffffff, own, reach);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = own;  // @WARP_SUM
    if (kBarrier) __syncthreads();
    if (threadIdx.x == 0) {
        float all = 0;
        for (int i = 0; i < kThreads / 32; ++i) all += sums[i];  // @SUM_OF_WARPS
        *out = all;
    }
}

__global__ void polynomial(float* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = (values[i] * 3 + 2) * values[i] + 1;
}

void fetch(const void* from, size_t bytes) {
    cudaMemcpy(host, from, bytes, cudaMemcpyDeviceToHost);  // @FETCH
}

int main(int, char** argv) {
    const auto is = [&](const char* name) { return !strcmp(argv[1], name); };
    constexpr int n = 1000;
    constexpr size_t kBytes = kMost * sizeof(float);
    const float five[5] = {1, 2, 3, 2, 1};
    cudaMemcpyToSymbol(taps, five, sizeof five);
    for (int i = 0; i < kMost; ++i) host[i] = (i * 37 + 11) % 101;
    float *a, *b, *c;
    for (float** each : {&a, &b, &c}) cudaMalloc(each, kBytes);
    cudaMemcpy(a, host, kBytes, cudaMemcpyHostToDevice);
    cudaMemcpy(b, host, kBytes, cudaMemcpyHostToDevice);
    if (!is("centroids_not_zeroed")) cudaMemset(c, 0, kBytes);
    int* const counts = reinterpret_cast<int*>(c) + 64;
    if (is("dot")) dot<true><<<4, kThreads>>>(a, b, c, n);
    if (is("dot_no_barrier")) dot<false><<<4, kThreads>>>(a, b, c, n);
    if (is("scan_in_two_buffers")) scan_in_two_buffers<<<1, kThreads>>>(a);
    if (is("scan_in_one_buffer")) scan_in_one_buffer<<<1, kThreads>>>(a);
    if (is("bins")) bins<true><<<2, kThreads>>>(a, counts, n);
    if (is("bins_zeroed_late")) bins<false><<<2, kThreads>>>(a, counts, n);
    if (is("convolution")) convolution<true><<<8, kThreads>>>(a, c, n);
    if (is("convolution_no_right_halo")) convolution<false><<<8, kThreads>>>(a, c, n);
    if (is("odd_even")) odd_even<true><<<1, kThreads>>>(a);
    if (is("odd_even_no_barrier")) odd_even<false><<<1, kThreads>>>(a);
    if (is("bitonic")) bitonic<false><<<1, kThreads>>>(a);
    if (is("bitonic_barrier_inside")) bitonic<true><<<1, kThreads>>>(a);
    if (is("life")) life<<<dim3(3, 3), dim3(16, 16)>>>(a, c, 40, 40);
    if (is("life_in_place")) life<<<dim3(3, 3), dim3(16, 16)>>>(a, a, 40, 40);
    if (is("jacobi")) jacobi<<<8, kThreads>>>(a, c, n), jacobi<<<8, kThreads>>>(c, a, n);
    if (is("jacobi_in_place")) jacobi<<<8, kThreads>>>(a, a, n);
    if (is("matrix_vector")) matrix_vector<true><<<40, 32>>>(a, b, c, 40);
    if (is("matrix_vector_plain")) matrix_vector<false><<<40, 32>>>(a, b, c, 40);
    if (is("centroids") || is("centroids_not_zeroed"))
        add_points<<<8, kThreads>>>(a, c, counts, n), mean<<<1, 4>>>(c, counts);
    if (is("grey")) grey<<<8, kThreads>>>(reinterpret_cast<uchar3*>(a), reinterpret_cast<unsigned char*>(c), n);
    if (is("grey_no_bound"))
        grey<<<64, kThreads>>>(reinterpret_cast<uchar3*>(a), reinterpret_cast<unsigned char*>(c), 64 * kThreads);
    if (is("reverse")) reverse<true><<<1, 100, 100 * sizeof(float)>>>(a);
    if (is("reverse_no_barrier")) reverse<false><<<1, 100, 100 * sizeof(float)>>>(a);
    if (is("maximum")) maximum<true><<<8, kThreads>>>(a, counts, n);
    if (is("maximum_plain")) maximum<false><<<8, kThreads>>>(a, counts, n);
    if (is("warp_sums")) warp_sums<true><<<1, kThreads>>>(a, c);
    if (is("warp_sums_read_early")) warp_sums<false><<<1, kThreads>>>(a, c);
    if (is("polynomial") || is("polynomial_forgotten")) {
        float* more;
        cudaMalloc(&more, n * sizeof(float));  // @POLYNOMIAL_BUFFER
        cudaMemcpy(more, host, n * sizeof(float), cudaMemcpyHostToDevice);
        polynomial<<<8, kThreads>>>(more, n);
        fetch(more, n * sizeof(float));
        if (is("polynomial")) cudaFree(more);
    }
    const bool in_sums = is("centroids_not_zeroed"), in_c = is("convolution") || is("convolution_no_right_halo");
    fetch(in_sums || in_c ? c : a, in_sums ? 4 * sizeof(float) : kBytes);
    for (float* each : {a, b, c}) cudaFree(each);
}
