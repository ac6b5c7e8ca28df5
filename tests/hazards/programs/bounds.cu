// Accesses past the end and before the start: tail blocks, negative indices, pitch, shared and local arrays.
//
// check: memory
// case tail_checked: clean
// case tail_unchecked: out-of-bounds global TAIL
// case one_too_many: out-of-bounds global LESS_OR_EQUAL
// case grid_stride: clean
// case left_neighbour_checked: clean
// case left_neighbour: out-of-bounds global LEFT
// case unsigned_below_zero: out-of-bounds global BELOW
// case pitch_right: clean
// case pitch_in_elements: out-of-bounds global PITCH_ELEMENTS
// case rows_and_columns_swapped: out-of-bounds global SWAPPED
// case shared_right: clean
// case shared_past_the_end: out-of-bounds shared SHARED
// case shared_into_the_neighbour: out-of-bounds shared INTO_NEIGHBOUR
// case device_array_right: clean
// case device_array_past_the_end: out-of-bounds global VARIABLE
// case atomic_past_the_end: out-of-bounds global ATOMIC
// case null_pointer: out-of-bounds global NULL_POINTER
// case host_pointer: out-of-bounds global HOST_POINTER
// case constant_by_variable_index: clean
#include <cstdlib>
#include <cstring>

__device__ int numbers[100], out[64];
__constant__ int table[16];

template <bool kChecked>
__global__ void tail(float* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n || !kChecked) values[i] = i;  // @TAIL
}

__global__ void one_too_many(float* values, int n) {
    for (int i = threadIdx.x; i <= n; i += blockDim.x) values[i] = 1;  // @LESS_OR_EQUAL
}

__global__ void grid_stride(float* values, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) values[i] = 1;
}

template <bool kChecked>
__global__ void left_neighbour(const float* values) {
    const int i = threadIdx.x;
    float left = 0;
    if (i > 0 || !kChecked) left = values[i - 1];  // @LEFT
    out[i] = left;
}

__global__ void unsigned_below_zero(const float* values) {
    const unsigned i = threadIdx.x;
    out[i] = values[i - 4u];  // @BELOW
}

__global__ void rows(char* image, size_t pitch, int width, int height) {
    const int x = threadIdx.x, y = blockIdx.x;
    if (x < width && y < height) reinterpret_cast<float*>(image + y * pitch)[x] = 1;
}

__global__ void rows_in_elements(float* image, size_t pitch, int width, int height) {
    const int x = threadIdx.x, y = blockIdx.x;
    if (x < width && y < height) image[y * pitch + x] = 1;  // @PITCH_ELEMENTS
}

__global__ void swapped(float* values, int width, int height) {
    const int x = threadIdx.x, y = blockIdx.x;
    if (x < width && y < height) values[x * width + y] = 1;  // @SWAPPED
}

template <int kStep>
__global__ void in_shared() {
    __shared__ int last[64];
    const int t = threadIdx.x;
    last[t] = t;
    __syncthreads();
    out[t] = last[t + kStep];  // @SHARED
}

__global__ void into_neighbour() {
    __shared__ int first[64], second[64];
    const int t = threadIdx.x;
    first[t] = t;
    second[t] = t;
    __syncthreads();
    out[t] = first[t + 1] + second[t];  // @INTO_NEIGHBOUR
}

template <int kStep>
__global__ void device_array() {
    out[threadIdx.x] = numbers[threadIdx.x * 2 + kStep];  // @VARIABLE
}

__global__ void atomic_past_the_end(int* values) {
    atomicAdd(&values[threadIdx.x], 1);  // @ATOMIC
}

__global__ void store_to_null(int* values) {
    values[threadIdx.x] = 1;  // @NULL_POINTER
}

__global__ void store_to_host(int* values) {
    values[threadIdx.x] = 1;  // @HOST_POINTER
}

__global__ void constants() { out[threadIdx.x] = table[threadIdx.x % 16]; }

void pitched(bool in_elements) {
    void* image = nullptr;
    size_t pitch = 0;
    cudaMallocPitch(&image, &pitch, 50 * sizeof(float), 20);
    if (in_elements)
        rows_in_elements<<<20, 64>>>(static_cast<float*>(image), pitch, 50, 20);
    else
        rows<<<20, 64>>>(static_cast<char*>(image), pitch, 50, 20);
    cudaDeviceSynchronize();
    cudaFree(image);
}

int main(int, char** argv) {
    const auto is = [&](const char* name) { return !strcmp(argv[1], name); };
    float* values = nullptr;
    int* const on_host = static_cast<int*>(malloc(256));
    cudaMalloc(&values, 100 * sizeof(float));
    cudaMemset(values, 0, 100 * sizeof(float));
    if (is("tail_checked")) tail<true><<<4, 32>>>(values, 100);
    if (is("tail_unchecked")) tail<false><<<4, 32>>>(values, 100);
    if (is("one_too_many")) one_too_many<<<1, 32>>>(values, 100);
    if (is("grid_stride")) grid_stride<<<2, 32>>>(values, 100);
    if (is("left_neighbour_checked")) left_neighbour<true><<<1, 32>>>(values);
    if (is("left_neighbour")) left_neighbour<false><<<1, 32>>>(values);
    if (is("unsigned_below_zero")) unsigned_below_zero<<<1, 32>>>(values);
    if (is("pitch_right")) pitched(false);
    if (is("pitch_in_elements")) pitched(true);
    if (is("rows_and_columns_swapped")) swapped<<<5, 32>>>(values, 20, 5);
    if (is("shared_right")) in_shared<0><<<1, 64>>>();
    if (is("shared_past_the_end")) in_shared<1><<<1, 64>>>();
    if (is("shared_into_the_neighbour")) into_neighbour<<<1, 64>>>();
    if (is("device_array_right")) device_array<0><<<1, 50>>>();
    if (is("device_array_past_the_end")) device_array<2><<<1, 50>>>();
    if (is("atomic_past_the_end")) atomic_past_the_end<<<1, 101>>>(reinterpret_cast<int*>(values));
    if (is("null_pointer")) store_to_null<<<1, 32>>>(nullptr);
    if (is("host_pointer")) store_to_host<<<1, 32>>>(on_host);
    if (is("constant_by_variable_index")) constants<<<1, 32>>>();
    cudaDeviceSynchronize();
    cudaFree(values);
    free(on_host);
}
