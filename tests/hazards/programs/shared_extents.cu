// Shared arrays side by side: an index that leaves one and lands in the next, and code that only looks like it.
//
// check: memory
// case into_next: out-of-bounds shared INTO_NEXT
// case into_previous: out-of-bounds shared INTO_PREVIOUS
// case store_into_next: out-of-bounds shared STORE_INTO_NEXT
// case atomic_into_next: out-of-bounds shared ATOMIC_INTO_NEXT
// case row_past_the_last: out-of-bounds shared PAST_LAST_ROW
// case walking_past: out-of-bounds shared WALKING_PAST
// case before_dynamic: out-of-bounds shared BEFORE_DYNAMIC
// case wide_across: out-of-bounds shared WIDE_ACROSS
// case side_by_side: clean
// case parts_of_one: clean
// case flattened: clean
// case one_of_two: clean
// case end_pointer: clean
// case swapped_buffers: clean
// case by_function: clean
// case dynamic_parts: clean
// case reinterpreted: clean
// case negative_offset: clean
#include <cstring>

__device__ int in[256], out[256];

template <int kStep>
__global__ void read_next() {
    __shared__ int first[64], second[64];
    const int t = threadIdx.x;
    first[t] = in[t];
    second[t] = in[t + 64];
    __syncthreads();
    out[t] = first[t + kStep] + second[t];  // @INTO_NEXT
}

// One of the two has a neighbour below, whichever comes first; the other one leaves the block's memory.
__global__ void read_previous(int step) {
    __shared__ int first[64], second[64];
    const int t = threadIdx.x;
    first[t] = in[t];
    second[t] = in[t + 64];
    __syncthreads();
    out[t] = first[t - step] + second[t - step];  // @INTO_PREVIOUS
}

__global__ void store_next(int step) {
    __shared__ int first[64], second[64];
    const int t = threadIdx.x;
    first[t] = second[t] = 0;
    __syncthreads();
    first[t + step] = in[t];   // @STORE_INTO_NEXT
    second[t + step] = in[t];  // @STORE_INTO_NEXT
    __syncthreads();
    out[t] = first[t] + second[t];
}

__global__ void atomic_next(int bins) {
    __shared__ int counts[16], others[16], more[16];
    const int t = threadIdx.x;
    if (t < 16) counts[t] = others[t] = more[t] = 0;
    __syncthreads();
    atomicAdd(&counts[in[t] % bins], 1);  // @ATOMIC_INTO_NEXT
    atomicAdd(&others[in[t] % bins], 1);  // @ATOMIC_INTO_NEXT
    atomicAdd(&more[in[t] % 16], 1);
    __syncthreads();
    if (t < 16) out[t] = counts[t] + others[t] + more[t];
}

template <int kRows>
__global__ void rows() {
    __shared__ float tile[8][9], above[8][9];
    const int x = threadIdx.x % 8, y = threadIdx.x / 8;
    tile[y][x] = in[threadIdx.x];
    above[y][x] = in[threadIdx.x + 64];
    __syncthreads();
    float sum = 0;
    for (int row = 0; row < kRows; ++row) sum += tile[row][x] + above[row][x];  // @PAST_LAST_ROW
    out[threadIdx.x] = sum;
}

__global__ void walk(int count) {
    __shared__ int first[32], second[32];
    first[threadIdx.x] = second[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    int sum = 0;
#pragma unroll 1
    for (const int* p = first; p != first + count; ++p) sum += *p;  // @WALKING_PAST
#pragma unroll 1
    for (const int* p = second; p != second + count; ++p) sum += *p;  // @WALKING_PAST
    out[threadIdx.x] = sum;
}

__global__ void below(int step) {
    extern __shared__ int dynamic[];
    __shared__ int fixed[64];
    const int t = threadIdx.x;
    fixed[t] = in[t];
    dynamic[t] = in[t];
    __syncthreads();
    out[t] = dynamic[t - step] + fixed[t];  // @BEFORE_DYNAMIC
}

template <int kStep>
__global__ void wide() {
    __shared__ __align__(16) int first[68], second[68];
    const int t = threadIdx.x;
    first[t] = second[t] = in[t];
    __syncthreads();
    if (t < 17)
        out[t] = reinterpret_cast<int4*>(first)[t + kStep].w + reinterpret_cast<int4*>(second)[t].x;  // @WIDE_ACROSS
}

// One array used as several: the compiler sees one.
__global__ void parts() {
    __shared__ int all[192];
    int* const first = all;
    int* const second = all + 64;
    int* const third = second + 64;
    const int t = threadIdx.x;
    first[t] = in[t];
    second[t] = in[t + 64];
    __syncthreads();
    third[t] = first[63 - t] + second[63 - t];
    __syncthreads();
    out[t] = first[t + 128];
}

__global__ void flat() {
    __shared__ int tile[8][8], other[8][8];
    const int t = threadIdx.x;
    tile[0][t] = in[t];
    (&other[0][0])[t] = in[t + 64];
    __syncthreads();
    out[t] = tile[0][63 - t] + other[t / 8][t % 8];
}

__global__ void either(int which) {
    __shared__ int first[64], second[32];
    const int t = threadIdx.x;
    first[t] = in[t];
    if (t < 32) second[t] = in[t];
    __syncthreads();
    const int* const chosen = which ? first : second;
    out[t] = chosen[which ? t : t % 32];
}

__global__ void to_end(int count) {
    __shared__ int first[64], second[64];
    const int t = threadIdx.x;
    first[t] = second[t] = in[t];
    __syncthreads();
    int sum = 0;
    for (const int *p = first, *end = first + 64; p < end; p += count) sum += *p;
    for (const int* p = second + 64; p != second;) sum += *--p;
    out[t] = sum;
}

__global__ void swapped(int rounds) {
    __shared__ int first[64], second[64];
    const int t = threadIdx.x;
    int *from = first, *to = second;
    from[t] = in[t];
    for (int i = 0; i < rounds; ++i) {
        __syncthreads();
        to[t] = from[(t + 1) % 64];
        int* const other = from;
        from = to;
        to = other;
    }
    out[t] = from[t];
}

__device__ __noinline__ int sum_of(const int* values, int count) {
    int sum = 0;
    for (int i = 0; i < count; ++i) sum += values[i];
    return sum;
}

__global__ void by_function() {
    __shared__ int first[64], second[32];
    const int t = threadIdx.x;
    first[t] = in[t];
    if (t < 32) second[t] = in[t];
    __syncthreads();
    out[t] = sum_of(first, 64) + sum_of(second, 32);
}

__global__ void dynamic_parts(int count) {
    extern __shared__ int dynamic[];
    __shared__ int fixed[8];
    int* const second = dynamic + count;
    const int t = threadIdx.x;
    if (t < 8) fixed[t] = t;
    dynamic[t] = in[t];
    second[t] = in[t + 64];
    __syncthreads();
    out[t] = dynamic[2 * t] + fixed[t % 8];
}

__global__ void reinterpreted() {
    __shared__ double numbers[32], others[32];
    const int t = threadIdx.x;
    reinterpret_cast<int*>(numbers)[t] = in[t];
    reinterpret_cast<char*>(others)[4 * t] = in[t];
    __syncthreads();
    out[t] = reinterpret_cast<int*>(numbers)[63 - t] + reinterpret_cast<short*>(others)[2 * t];
}

__global__ void offset_below(int first_index) {
    __shared__ int before[64], halo[66];
    const int t = threadIdx.x;
    before[t] = in[t];
    halo[t + 1] = in[t];
    if (t == 0) halo[0] = halo[65] = 0;
    __syncthreads();
    // The address of halo[-first_index] is never used as it is.
    out[t] = halo[t + first_index - first_index] + (halo - first_index)[t + first_index + 2] + before[t];
}

int main(int, char** argv) {
    const auto is = [&](const char* name) { return !strcmp(argv[1], name); };
    if (is("into_next")) read_next<1><<<1, 64>>>();
    if (is("into_previous")) read_previous<<<1, 64>>>(1);
    if (is("store_into_next")) store_next<<<1, 64>>>(1);
    if (is("atomic_into_next")) {
        int numbers[256];
        for (int i = 0; i < 256; ++i) numbers[i] = i;
        cudaMemcpyToSymbol(in, numbers, sizeof numbers);
        atomic_next<<<1, 64>>>(17);
    }
    if (is("row_past_the_last")) rows<9><<<1, 64>>>();
    if (is("walking_past")) walk<<<1, 32>>>(33);
    if (is("before_dynamic")) below<<<1, 64, 256>>>(1);
    if (is("wide_across")) wide<1><<<1, 68>>>();
    if (is("side_by_side")) {
        read_next<0><<<1, 64>>>();
        read_previous<<<1, 64>>>(0);
        store_next<<<1, 64>>>(0);
        atomic_next<<<1, 64>>>(16);
        rows<8><<<1, 64>>>();
        walk<<<1, 32>>>(32);
        below<<<1, 64, 256>>>(0);
        wide<0><<<1, 68>>>();
    }
    if (is("parts_of_one")) parts<<<1, 64>>>();
    if (is("flattened")) flat<<<1, 64>>>();
    if (is("one_of_two")) either<<<1, 64>>>(0), either<<<1, 64>>>(1);
    if (is("end_pointer")) to_end<<<1, 64>>>(1);
    if (is("swapped_buffers")) swapped<<<1, 64>>>(3);
    if (is("by_function")) by_function<<<1, 64>>>();
    if (is("dynamic_parts")) dynamic_parts<<<1, 64, 1024>>>(64);
    if (is("reinterpreted")) reinterpreted<<<1, 64>>>();
    if (is("negative_offset")) offset_below<<<1, 64>>>(1000);
    return cudaDeviceSynchronize();
}
