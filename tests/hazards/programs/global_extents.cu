// Buffers and device variables side by side: an index that leaves one by so much that it lands in another one.
//
// check: memory
// case into_next_buffer: out-of-bounds global BEYOND
// case into_previous_buffer: out-of-bounds global BEYOND
// case stored_into_next_buffer: out-of-bounds global STORED
// case atomic_into_next_buffer: out-of-bounds global ATOMIC
// case from_structure: out-of-bounds global FROM_STRUCTURE
// case rows_unchecked: out-of-bounds global ROWS
// case copied_from_next: out-of-bounds global COPIED
// case into_next_variable: out-of-bounds global INTO_NEXT_VARIABLE; out-of-bounds global INTO_PREVIOUS_VARIABLE
// case into_next_constant: out-of-bounds constant INTO_NEXT_CONSTANT
// case long_index: out-of-bounds global LONG_INDEX
// case walking_pointer: out-of-bounds global WALKING
// case in_place: clean
// case one_of_two_buffers: clean
// case swapped: clean
// case middle_of_a_buffer: clean
// case pointers_in_memory: clean
// case relative_pointer: clean
// case variables: clean
// case variable_by_pointer: clean
// case numbers: clean
#include <cstdint>
#include <cstring>

// Allocations and variables are a page apart at least, and larger than that here.
constexpr int kN = 4096;
__device__ int first[kN], second[kN];
__constant__ int table[2048], other_table[2048];

__global__ void beyond(const int* in, int* out, int by) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i + by];  // @BEYOND
}
__global__ void stored(int* out, int by) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 2) out[i + by] = i;  // @STORED
}
__global__ void atomic(int* out, int by) {
    atomicAdd(&out[threadIdx.x % 2 ? threadIdx.x + by : 0], 1);  // @ATOMIC
}

struct View {
    const int* data;
    int n;
};
__global__ void from_structure(View view, int* out, int by) {
    out[threadIdx.x] = view.data[threadIdx.x + by];  // @FROM_STRUCTURE
}

// A product whose rows nobody checks.
__global__ void rows(const float* m, const float* n, float* p, int width, int height, bool checks) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= width || (checks && row >= height)) return;
    float sum = 0;
    for (int k = 0; k < width; ++k) sum += m[row * width + k] * n[k * width + column];  // @ROWS
    if (row < height) p[row * width + column] = sum;
}

__global__ void copied(const int* in, int* out, int by) {
    __shared__ int part[64];
    const auto to = static_cast<unsigned>(__cvta_generic_to_shared(&part[threadIdx.x]));
    const int* const from = in + threadIdx.x + by;
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(from) : "memory");  // @COPIED
    asm volatile("cp.async.wait_all;" ::: "memory");
    out[threadIdx.x] = part[threadIdx.x];
}

__global__ void variable(int* out, int by) {
    const int i = threadIdx.x;
    out[threadIdx.x] = first[i + by];    // @INTO_NEXT_VARIABLE
    out[threadIdx.x] += second[i - by];  // @INTO_PREVIOUS_VARIABLE
}
__global__ void constant(int* out, int by) {
    const int i = threadIdx.x;
    out[threadIdx.x] = table[i + by] + other_table[i - by];  // @INTO_NEXT_CONSTANT
}
__global__ void long_index(const int* in, int* out, long long by) {
    out[threadIdx.x] = in[threadIdx.x * 1LL + by];  // @LONG_INDEX
}
__global__ void walking(const int* in, int* out, int steps) {
    int sum = 0;
    for (const int* at = in + threadIdx.x; steps > 0; --steps, at += 64) sum += *at;  // @WALKING
    out[threadIdx.x] = sum;
}

// Correct ones.
__global__ void one_of_two(const int* a, const int* b, int* out) {
    const int* const from = threadIdx.x % 2 ? a : b;
    out[threadIdx.x] = from[kN - 1 - threadIdx.x];
}
__global__ void swapped(int* a, int* b, int rounds) {
    for (; rounds > 0; --rounds) {
        b[threadIdx.x] = a[threadIdx.x] + 1;
        int* const kept = a;
        a = b;
        b = kept;
    }
}
__global__ void middle(const int* middle_of_it, int* out) {
    out[threadIdx.x] = middle_of_it[static_cast<int>(threadIdx.x) - 32] + middle_of_it[threadIdx.x];
}
__global__ void pointers(int* const* all, int* out) {
    for (int k = 0; k < 2; ++k) out[threadIdx.x] += all[k][threadIdx.x];
}
// How far a buffer lies from another one is no index, but some programs reckon so.
__global__ void relative(const char* base, const char* other, int* out) {
    const std::int64_t distance = other - base;
    out[threadIdx.x] = *reinterpret_cast<const int*>(base + distance + 4 * threadIdx.x);
}
__global__ void variable_by_pointer(int* in, int* out, bool own) {
    int* const from = own ? first : in;
    out[threadIdx.x] = from[threadIdx.x] + second[threadIdx.x];
}
__global__ void numbers(int* out, long long n, long long stride) {
    for (long long i = n - 1 - threadIdx.x; i >= 0; i -= stride) out[i] = 1;
}

int main(int, char** argv) {
    int *one, *two;
    cudaMalloc(&one, kN * sizeof(int));
    cudaMalloc(&two, kN * sizeof(int));
    cudaMemset(one, 0, kN * sizeof(int));
    cudaMemset(two, 0, kN * sizeof(int));
    // Whichever lies lower.
    int *low = one < two ? one : two, *high = one < two ? two : one;
    const int apart = high - low;
    const auto is = [&](const char* name) { return !strcmp(argv[1], name); };
    if (is("into_next_buffer")) beyond<<<1, 64>>>(low, low, apart);
    if (is("into_previous_buffer")) beyond<<<1, 64>>>(high, high, -apart);
    if (is("stored_into_next_buffer")) stored<<<1, 64>>>(low, apart);
    if (is("atomic_into_next_buffer")) atomic<<<1, 64>>>(low, apart);
    if (is("from_structure")) from_structure<<<1, 64>>>({low, kN}, low, apart);
    if (is("rows_unchecked")) {
        float* const m = reinterpret_cast<float*>(low);
        rows<<<dim3(4, 8), dim3(16, 16)>>>(m, m, m, 64, 64, false);
    }
    if (is("copied_from_next")) copied<<<1, 64>>>(low, low, apart);
    if (is("long_index")) long_index<<<1, 64>>>(low, low, apart);
    if (is("walking_pointer")) walking<<<1, 64>>>(low, low, (apart + kN) / 64);
    if (is("into_next_variable") || is("variables")) {
        void *a, *b;
        cudaGetSymbolAddress(&a, first);
        cudaGetSymbolAddress(&b, second);
        variable<<<1, 64>>>(low, is("variables") ? 0 : static_cast<int*>(b) - static_cast<int*>(a));
    }
    if (is("into_next_constant")) {
        void *a, *b;
        cudaGetSymbolAddress(&a, table);
        cudaGetSymbolAddress(&b, other_table);
        constant<<<1, 64>>>(low, static_cast<int*>(b) - static_cast<int*>(a));
    }
    if (is("in_place")) beyond<<<1, 64>>>(low, high, kN - 64);
    if (is("one_of_two_buffers")) one_of_two<<<1, 64>>>(low, high, low);
    if (is("swapped")) swapped<<<1, 64>>>(low, high, 5);
    if (is("middle_of_a_buffer")) middle<<<1, 32>>>(low + kN / 2, high);
    if (is("pointers_in_memory")) {
        int** all;
        cudaMalloc(&all, sizeof(int*) * 2);
        cudaMemcpy(all, &one, sizeof one, cudaMemcpyHostToDevice);
        cudaMemcpy(all + 1, &two, sizeof two, cudaMemcpyHostToDevice);
        pointers<<<1, 64>>>(all, low);
        cudaFree(all);
    }
    if (is("relative_pointer")) relative<<<1, 64>>>((const char*)low, (const char*)high, low);
    if (is("variable_by_pointer")) {
        variable_by_pointer<<<1, 64>>>(low, high, true);
        variable_by_pointer<<<1, 64>>>(low, high, false);
    }
    if (is("numbers")) numbers<<<1, 64>>>(low, kN, 64);
    const int result = cudaDeviceSynchronize();
    cudaFree(one);
    cudaFree(two);
    return result;
}
