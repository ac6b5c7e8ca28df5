// Columns beyond the end of their row where no shape is given, and the index shows how long rows are: warnings.
//
// check: memory
// case product: clean
// case product_m_column: out-of-bounds global LOAD_M mild
// case product_n_column: out-of-bounds global LOAD_N mild
// case product_p_column: out-of-bounds global STORE_P mild
// case stencil: clean
// case stencil_right: out-of-bounds global RIGHT mild
// case windows_by_step: clean
// case windows_of_whole_steps: clean
// case windows_that_end_early: clean
// case four_a_pixel: clean
// case four_a_pixel_beyond: out-of-bounds global PIXEL mild
// case two_rows_a_thread: clean
// case two_rows_a_thread_beyond: out-of-bounds global SECOND mild
// case padded: clean
// case batches: clean
#include <cstdio>
#include <cstring>

constexpr int kTile = 16;

template <bool kM, bool kN, bool kP>
__global__ void product(const float* m, const float* n, float* p, int width) {
    __shared__ float ms[kTile][kTile], ns[kTile][kTile];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * kTile + ty, col = blockIdx.x * kTile + tx;
    float sum = 0;
    for (int first = 0; first < width; first += kTile) {
        ms[ty][tx] = row < width && (!kM || first + tx < width) ? m[row * width + first + tx] : 0;    // @LOAD_M
        ns[ty][tx] = first + ty < width && (!kN || col < width) ? n[(first + ty) * width + col] : 0;  // @LOAD_N
        __syncthreads();
        for (int k = 0; k < kTile; ++k) sum += ms[ty][k] * ns[k][tx];
        __syncthreads();
    }
    if (row < width && (!kP || col < width)) p[row * width + col] = sum;  // @STORE_P
}

template <bool kRight>
__global__ void stencil(const float* in, float* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y + 1 >= height) return;
    const float right = !kRight || x + 1 < width ? in[y * width + x + 1] : 0;  // @RIGHT
    out[y * width + x] = right;
}

// Rows are as long as the allocation's, and the part that is worked on is narrower.
__global__ void inner(float* out, int pitch, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) out[y * pitch + x] = 1;
}

// Windows that overlap: step is less than they are wide, and the buffer no whole number of steps.
__global__ void windows(const float* in, float* out, int step, int count) {
    const int x = threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (y < count) out[y * blockDim.x + x] = in[y * step + x];
}

// The same with a width of its own, in a buffer of whole steps.
__global__ void checked_windows(const float* in, float* out, int step, int window, int count) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < window && y < count) out[y * window + x] = in[y * step + x];
}

// Rows of pixels of four values each.
__global__ void pixels(const float* in, float* out, int width, int height, int more) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 4 * width + more && y < height) out[y * width * 4 + x] = in[y * width * 4 + x];  // @PIXEL
}

// A thread has two rows, of which each is as long as the parameter says.
template <bool kChecked>
__global__ void two_rows(float* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = (blockIdx.y * blockDim.y + threadIdx.y) * 2;
    if (y + 1 >= height) return;
    if (x < width) out[y * width + x] = 1;
    if (!kChecked || x < width) out[(y + 1) * width + x] = 2;  // @SECOND
}

int main(int argc, char** argv) {
    const char* name = argc > 1 ? argv[1] : "";
    const auto is = [&](const char* other) { return std::strcmp(name, other) == 0; };
    constexpr int kWidth = 50, kHeight = 40;
    // Ten rows more than are used: what leaves the last row stays in the buffer.
    constexpr std::size_t kBytes = (kWidth + 10) * kWidth * sizeof(float);
    float *m = nullptr, *n = nullptr, *p = nullptr;
    cudaMalloc(&m, kBytes);
    cudaMalloc(&n, kBytes);
    cudaMalloc(&p, kBytes);
    cudaMemset(m, 0, kBytes);
    cudaMemset(n, 0, kBytes);
    const dim3 block(kTile, kTile), grid(4, 4);
    if (is("product"))
        product<true, true, true><<<grid, block>>>(m, n, p, kWidth);
    else if (is("product_m_column"))
        product<false, true, true><<<grid, block>>>(m, n, p, kWidth);
    else if (is("product_n_column"))
        product<true, false, true><<<grid, block>>>(m, n, p, kWidth);
    else if (is("product_p_column"))
        product<true, true, false><<<grid, block>>>(m, n, p, kWidth);
    else if (is("stencil"))
        stencil<true><<<grid, block>>>(m, p, kWidth, kWidth);
    else if (is("stencil_right"))
        stencil<false><<<grid, block>>>(m, p, kWidth, kWidth);
    else if (is("padded"))
        inner<<<grid, block>>>(p, kWidth, kHeight, kWidth);
    else if (is("windows_by_step"))
        windows<<<dim3(1, 4), dim3(kTile, 4)>>>(m, p, 9, 16);
    else if (is("windows_of_whole_steps"))
        checked_windows<<<dim3(2, 4), dim3(kTile, 4)>>>(m, p, 10, 24, 16);
    else if (is("windows_that_end_early"))
        windows<<<dim3(1, 4), dim3(kTile, 4)>>>(m, p, 10, 16);
    else if (is("four_a_pixel"))
        pixels<<<dim3(7, 4), dim3(kTile, 4)>>>(m, p, 25, 30, 0);
    else if (is("four_a_pixel_beyond"))
        pixels<<<dim3(7, 8), dim3(kTile, 4)>>>(m, p, 25, 29, 8);
    else if (is("two_rows_a_thread"))
        two_rows<true><<<grid, block>>>(p, kWidth, kHeight);
    else if (is("two_rows_a_thread_beyond"))
        two_rows<false><<<grid, block>>>(p, kWidth, kHeight);
    else if (is("batches"))
        inner<<<dim3(1, 4), dim3(25, 4)>>>(p, 25, 25, 16);
    else {
        std::printf("usage: rows_that_show CASE\n");
        return 1;
    }
    cudaDeviceSynchronize();
    cudaFree(m);
    cudaFree(n);
    cudaFree(p);
    return 0;
}
