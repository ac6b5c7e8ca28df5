// Memory that is read before anybody wrote it, and copies of it that nobody uses.
//
// check: init
// case shared_written: clean
// case shared_never_written: uninitialized shared SHARED_READ
// case shared_partly_written: uninitialized shared PARTLY
// case global_set: clean
// case global_never_set: uninitialized global GLOBAL_READ
// case global_set_too_short: uninitialized global GLOBAL_READ
// case copied_and_never_used: clean
// case padding_copied: clean
// case local_written: clean
// case local_never_written: uninitialized local LOCAL_READ
// case read_by_the_host: uninitialized global COPY_OUT
// case device_variable: clean
#include <cstring>

__device__ int out[64], variable[64];

template <int kWritten>
__global__ void in_shared() {
    __shared__ int values[64];
    const int t = threadIdx.x;
    if (t < kWritten) values[t] = t;
    __syncthreads();
    if (kWritten == 0 && values[63 - t] > 0) out[t] = 1;  // @SHARED_READ
    if (kWritten != 0 && values[63 - t] > 0) out[t] = 1;  // @PARTLY
}

__global__ void in_global(const int* values) {
    if (values[threadIdx.x] > 0) out[threadIdx.x] = 1;  // @GLOBAL_READ
}

__global__ void copy(const int* from, int* to) { to[threadIdx.x] = from[threadIdx.x]; }

struct Padded {
    char small;
    int large;
};
__global__ void copy_padded(const Padded* from, Padded* to) {
    to[threadIdx.x] = from[threadIdx.x];
    if (to[threadIdx.x].large > 0) out[threadIdx.x] = 1;
}
__global__ void fill_padded(Padded* to) {
    to[threadIdx.x].small = 1;
    to[threadIdx.x].large = 2;
}

template <bool kWrites>
__global__ void in_local(int at) {
    int values[16];
    for (int i = 0; i < (kWrites ? 16 : at); ++i) values[(i * at) % 16] = i;
    for (int i = 0; i < 16; ++i) values[(i * 7 + at) % 16] += kWrites ? 1 : 0;
    if (values[(at + 3) % 16] > 0) out[threadIdx.x] = 1;  // @LOCAL_READ
}

__global__ void in_variable() {
    if (variable[threadIdx.x] > 0) out[threadIdx.x] = 1;
}

int main(int, char** argv) {
    const auto is = [&](const char* name) { return !strcmp(argv[1], name); };
    int *values = nullptr, *more = nullptr;
    cudaMalloc(&values, 512);
    cudaMalloc(&more, 512);
    if (is("shared_written")) in_shared<64><<<1, 64>>>();
    if (is("shared_never_written")) in_shared<0><<<1, 64>>>();
    if (is("shared_partly_written")) in_shared<48><<<1, 64>>>();
    if (is("global_set")) cudaMemset(values, 0, 256);
    if (is("global_set_too_short")) cudaMemset(values, 0, 64);
    if (is("global_set") || is("global_never_set") || is("global_set_too_short")) in_global<<<1, 64>>>(values);
    if (is("copied_and_never_used")) copy<<<1, 64>>>(values, more);
    if (is("padding_copied")) {
        fill_padded<<<1, 64>>>(reinterpret_cast<Padded*>(values));
        copy_padded<<<1, 64>>>(reinterpret_cast<Padded*>(values), reinterpret_cast<Padded*>(more));
    }
    if (is("local_written")) in_local<true><<<1, 64>>>(5);
    if (is("local_never_written")) in_local<false><<<1, 64>>>(1);
    if (is("read_by_the_host")) {
        int on_host[4];
        cudaMemcpy(on_host, values, sizeof on_host, cudaMemcpyDeviceToHost);  // @COPY_OUT
        if (on_host[0] > 0) return 1;
    }
    if (is("device_variable")) in_variable<<<1, 64>>>();
    cudaDeviceSynchronize();
    cudaFree(values);
    cudaFree(more);
}
