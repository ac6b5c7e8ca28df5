// Columns beyond the end of their row, which is another row's beginning: found where the user says how long rows are.
//
// check: memory
// run: --shape m=50x50 --shape n=50x50 --shape p=50x50 --shape padded=20x18:32 --shape tall=10x100 --shape wide=40x64
// case product: clean
// case product_m_column: out-of-bounds global LOAD_M
// case product_n_column: out-of-bounds global LOAD_N
// case product_p_column: out-of-bounds global STORE_P
// case transpose: clean
// case transpose_reads_on: out-of-bounds global TAKE; maybe out-of-bounds global PUT
// case transpose_writes_on: out-of-bounds global PUT
// case stencil: clean
// case stencil_left: out-of-bounds global LEFT
// case stencil_right: out-of-bounds global RIGHT
// case stencil_in_wide_blocks: clean
// case stencil_in_wide_blocks_right: out-of-bounds global RIGHT
// case halo: clean
// case halo_unchecked: out-of-bounds global HALO
// case one_by_one: clean
// case shifted_one_by_one: clean
// case flat_index: clean
// case flat_index_shifted: clean
// case flat_grid_of_two_dimensions: clean
// case strides: clean
// case vectors: clean
// case reversed: clean
// case padded_rows: clean
// case padded_rows_by_four: clean
// case into_the_padding: out-of-bounds global PADDING
// case behind_the_last_row: out-of-bounds global BEYOND
// case as_wide_as_the_grid: out-of-bounds global NEXT mild
#include <cstring>
#include <initializer_list>

constexpr int kTile = 16, kWidth = 50;
enum Missing { kNothing, kLoadM, kLoadN, kStoreP };

template <Missing kMissing>
__global__ void tiled(const float* m, const float* n, float* p) {
    __shared__ float ms[kTile][kTile], ns[kTile][kTile];
    const int row = blockIdx.y * kTile + threadIdx.y, col = blockIdx.x * kTile + threadIdx.x;
    float sum = 0;
    for (int phase = 0; phase < (kWidth + kTile - 1) / kTile; ++phase) {
        const int across = phase * kTile + threadIdx.x, down = phase * kTile + threadIdx.y;
        const bool m_there = row < kWidth - 1 && (across < kWidth || kMissing == kLoadM);
        const bool n_there = down < kWidth - 1 && (col < kWidth || kMissing == kLoadN);
        float of_m = 0, of_n = 0;
        if (m_there) of_m = m[row * kWidth + across];  // @LOAD_M
        if (n_there) of_n = n[down * kWidth + col];    // @LOAD_N
        ms[threadIdx.y][threadIdx.x] = of_m;
        ns[threadIdx.y][threadIdx.x] = of_n;
        __syncthreads();
        for (int k = 0; k < kTile; ++k) sum += ms[threadIdx.y][k] * ns[k][threadIdx.x];
        __syncthreads();
    }
    if (row < kWidth - 1 && (col < kWidth || kMissing == kStoreP)) {
        p[row * kWidth + col] = sum;  // @STORE_P
    }
}

// Blocks of 32 x 8 threads, 32 x 32 elements each.
__global__ void transposed(const float* m, float* p, int width, int height) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < width && y + j < 49) tile[threadIdx.y + j][threadIdx.x] = m[(y + j) * 50 + x];  // @TAKE
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < height && y + j < 49) p[(y + j) * 50 + x] = tile[threadIdx.x][threadIdx.y + j];  // @PUT
}

__global__ void stencil(const float* m, float* p, int first, int last) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 50 && y > 0 && y < 49) {
        float sum = m[y * 50 + x];
        if (x > first) sum += m[y * 50 + x - 1];  // @LEFT
        if (x < last) sum += m[y * 50 + x + 1];   // @RIGHT
        p[y * 50 + x] = sum + m[(y - 1) * 50 + x] + m[(y + 1) * 50 + x];
    }
}

__global__ void halo(const float* m, float* p, bool checked) {
    __shared__ float tile[18][18];
    for (int i = threadIdx.y; i < 18; i += 16)
        for (int j = threadIdx.x; j < 18; j += 16) {
            const int y = blockIdx.y * 16 + i - 1, x = blockIdx.x * 16 + j - 1;
            float value = 0;
            if (y >= 1 && y < 49 && (!checked || (x >= 0 && x < 50))) value = m[y * 50 + x];  // @HALO
            tile[i][j] = value;
        }
    __syncthreads();
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < 50 && y < 50) p[y * 50 + x] = tile[threadIdx.y + 1][threadIdx.x] + tile[threadIdx.y + 1][threadIdx.x + 2];
}

__global__ void one_by_one(const float* m, float* p, int shift) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + shift < 2500) p[i] = m[i + shift];
}
__global__ void flat_index(const float* m, float* p, int shift) {
    const int i = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    if (i + shift < 2500) p[i] = m[i + shift];
}
__global__ void flat_grid(const float* m, float* p) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const int i = x + y * blockDim.x * gridDim.x;
    if (i < 2500) p[i] = m[i];
}
__global__ void strides(const float* m, float* p) {
    for (int i = threadIdx.y * blockDim.x + threadIdx.x; i < 2500; i += blockDim.x * blockDim.y) p[i] = m[i];
}
__global__ void vectors(const float4* m, float4* p) {
    const int i = threadIdx.y * blockDim.x + threadIdx.x;
    for (int k = i; k < 625; k += blockDim.x * blockDim.y) p[k] = m[k];
}
__global__ void reversed(const float* m, float* p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 2500) p[2499 - i] = m[i];
}

__global__ void scale(float* padded, int columns) {
    const int x = threadIdx.x, y = blockIdx.x * blockDim.y + threadIdx.y;
    if (x < columns && y < 20) padded[y * 32 + x] *= 2;  // @PADDING
}
__global__ void scale_by_four(float* padded) {
    const int x = 4 * threadIdx.x, y = blockIdx.x * blockDim.y + threadIdx.y;
    if (x < 18 && y < 20) {
        float4* const at = reinterpret_cast<float4*>(padded + y * 32 + x);
        *at = make_float4(at->x * 2, at->y * 2, at->z * 2, at->w * 2);
    }
}
__global__ void rows(float* tall, int count) {
    for (int row = 0; row < count; ++row) tall[row * 100 + threadIdx.x] = row;  // @BEYOND
}
__global__ void next(const float* wide, float* out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (y < 39) out[y * 64 + x] = wide[y * 64 + x + 1];  // @NEXT
}

template <class Launch>
void with_buffers(Launch launch) {
    float *a, *b, *c;
    constexpr int kBytes = 3000 * sizeof(float);
    for (float** each : {&a, &b, &c}) {
        cudaMalloc(each, kBytes);
        cudaMemset(*each, 0, kBytes);
    }
    launch(a, b, c);
    cudaDeviceSynchronize();
    for (float* each : {a, b, c}) cudaFree(each);
}

int main(int, char** argv) {
    const auto is = [&](const char* name) { return !strcmp(argv[1], name); };
    const dim3 tiles(4, 4), tile(16, 16);
    with_buffers([&](float* a, float* b, float* c) {
        if (is("product")) tiled<kNothing><<<tiles, tile>>>(a, b, c);
        if (is("product_m_column")) tiled<kLoadM><<<tiles, tile>>>(a, b, c);
        if (is("product_n_column")) tiled<kLoadN><<<tiles, tile>>>(a, b, c);
        if (is("product_p_column")) tiled<kStoreP><<<tiles, tile>>>(a, b, c);
        if (is("transpose")) transposed<<<dim3(2, 2), dim3(32, 8)>>>(a, c, 50, 50);
        if (is("transpose_reads_on")) transposed<<<dim3(2, 2), dim3(32, 8)>>>(a, c, 64, 50);
        if (is("transpose_writes_on")) transposed<<<dim3(2, 2), dim3(32, 8)>>>(a, c, 50, 64);
        if (is("stencil")) stencil<<<tiles, tile>>>(a, c, 0, 49);
        if (is("stencil_left")) stencil<<<tiles, tile>>>(a, c, -1, 49);
        if (is("stencil_right")) stencil<<<tiles, tile>>>(a, c, 0, 50);
        if (is("stencil_in_wide_blocks")) stencil<<<dim3(1, 7), dim3(64, 8)>>>(a, c, 0, 49);
        if (is("stencil_in_wide_blocks_right")) stencil<<<dim3(1, 7), dim3(64, 8)>>>(a, c, 0, 50);
        if (is("halo")) halo<<<tiles, tile>>>(a, c, true);
        if (is("halo_unchecked")) halo<<<tiles, tile>>>(a, c, false);
        if (is("one_by_one")) one_by_one<<<10, 256>>>(a, c, 0);
        if (is("shifted_one_by_one")) one_by_one<<<10, 256>>>(a, c, 1);
        if (is("flat_index")) flat_index<<<10, tile>>>(a, c, 0);
        if (is("flat_index_shifted")) flat_index<<<10, dim3(50, 5)>>>(a, c, 1);
        if (is("flat_grid_of_two_dimensions")) flat_grid<<<tiles, tile>>>(a, c);
        if (is("strides")) strides<<<1, tile>>>(a, c);
        if (is("vectors")) vectors<<<1, tile>>>((float4*)a, (float4*)c);
        if (is("reversed")) reversed<<<10, 256>>>(a, c);
        if (is("padded_rows")) scale<<<3, dim3(32, 8)>>>(a, 18);
        if (is("padded_rows_by_four")) scale_by_four<<<3, dim3(8, 8)>>>(a);
        if (is("into_the_padding")) scale<<<3, dim3(32, 8)>>>(a, 19);
        if (is("behind_the_last_row")) rows<<<1, 100>>>(a, 11);
        if (is("as_wide_as_the_grid")) next<<<dim3(4, 5), dim3(16, 8)>>>(a, b);
    });
}
