// Device memory over a whole program: sets, copies, kernels after each other, atomics, and what the host reads.
//
// check: init
// case histogram_zeroed: clean
// case histogram_not_zeroed: uninitialized global BINS COPY_OUT
// case ticket_zeroed: clean
// case ticket_not_zeroed: uninitialized global TICKET TICKET_USE
// case exchanged_first: clean
// case set_in_parts: clean
// case set_short_of_the_end: uninitialized global FIRST_USE
// case copied_from_the_host: clean
// case copied_on_the_device: clean
// case copied_undefined: uninitialized global FIRST_USE
// case copied_undefined_and_overwritten: clean
// case handed_to_the_next_kernel: clean
// case sum_handed_to_the_next_kernel: uninitialized global SUM_READ SUM_USE
// case values_to_the_host: uninitialized global SUM_READ COPY_OUT
// case tail_never_written: uninitialized global COPY_OUT mild
// case padding_to_the_host: clean
// case pitched_rows: clean
// case managed: clean
// case pinned: clean
// case freed_and_made_again: uninitialized global FIRST_USE
// case heap_written: clean
// case heap_not_written: uninitialized global HEAP_USE
// case across_blocks: clean
// case host_sees_nothing_of_it: uninitialized global COPY_OUT
#include <cstdio>
#include <cstring>

__device__ int out[64];

__global__ void histogram(const unsigned char* data, int* bins) {
    atomicAdd(&bins[data[threadIdx.x] & 15], 1);  // @BINS
}

__global__ void last_one(unsigned* count) {
    const unsigned ticket = atomicAdd(count, 1u);          // @TICKET
    if (ticket == gridDim.x * blockDim.x - 1) out[0] = 1;  // @TICKET_USE
}

__global__ void exchange_and_add(int* values) {
    atomicExch(&values[threadIdx.x], 0);
    atomicAdd(&values[threadIdx.x], 2);
    if (values[threadIdx.x] == 5) out[threadIdx.x] = 1;
}

__global__ void use(const int* values, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count && values[i] == 12345) out[0] = 1;  // @FIRST_USE
}

__global__ void write(int* values, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) values[i] = i;
}
__global__ void sum(const int* values, int* sums, int count) {
    int total = 0;
    for (int i = 0; i < count; ++i) total += values[i];  // @SUM_READ
    sums[threadIdx.x] = total;                           // @SUM_READ
}
__global__ void use_sum(const int* sums) {
    if (sums[threadIdx.x] > 1000000) out[threadIdx.x] = 1;  // @SUM_USE
}

struct Padded {
    char small;
    int large;
};
__global__ void fill_padded(Padded* to) {
    to[threadIdx.x].small = 1;
    to[threadIdx.x].large = 2;
}

__global__ void rows(char* base, size_t pitch, int width) {
    for (int x = threadIdx.x; x < width; x += blockDim.x) base[blockIdx.x * pitch + x] = 1;
}

template <bool kWrites>
__global__ void heap() {
    int* const mine = static_cast<int*>(malloc(64));
    if (mine == nullptr) return;
    if (kWrites)
        for (int i = 0; i < 16; ++i) mine[i] = i;
    if (mine[threadIdx.x & 15] == 77) out[threadIdx.x] = 1;  // @HEAP_USE
    free(mine);
}

int main(int, char** argv) {
    const auto is = [&](const char* name) { return !strcmp(argv[1], name); };
    constexpr size_t kBytes = 1024;
    int *values = nullptr, *more = nullptr, *given = nullptr;
    cudaMalloc(&values, kBytes);
    cudaMalloc(&more, kBytes);
    cudaMalloc(&given, kBytes);
    static int host[256];
    cudaMemcpy(given, host, kBytes, cudaMemcpyHostToDevice);
    size_t read = 0;
    if (is("histogram_zeroed")) cudaMemset(values, 0, 64);
    if (is("histogram_zeroed") || is("histogram_not_zeroed")) {
        histogram<<<1, 256>>>(reinterpret_cast<unsigned char*>(given), values);
        read = 4;
    }
    if (is("ticket_zeroed")) cudaMemset(values, 0, 4);
    if (is("ticket_zeroed") || is("ticket_not_zeroed")) last_one<<<2, 32>>>(reinterpret_cast<unsigned*>(values));
    if (is("exchanged_first")) exchange_and_add<<<1, 32>>>(values);
    if (is("set_in_parts")) {
        cudaMemset(values, 0, 300);
        cudaMemset(reinterpret_cast<char*>(values) + 300, 1, kBytes - 300);
        use<<<8, 32>>>(values, 256);
    }
    if (is("set_short_of_the_end")) {
        cudaMemset(values, 0, 256);  // elements were meant
        use<<<8, 32>>>(values, 256);
    }
    if (is("copied_from_the_host")) {
        cudaMemcpy(values, host, kBytes, cudaMemcpyHostToDevice);
        use<<<8, 32>>>(values, 256);
    }
    if (is("copied_on_the_device") || is("copied_undefined")) {
        cudaMemcpy(values, is("copied_undefined") ? more : given, kBytes, cudaMemcpyDeviceToDevice);
        use<<<8, 32>>>(values, 256);
    }
    if (is("copied_undefined_and_overwritten")) {
        cudaMemcpy(values, more, kBytes, cudaMemcpyDeviceToDevice);
        write<<<8, 32>>>(values, 256);
        use<<<8, 32>>>(values, 256);
    }
    if (is("handed_to_the_next_kernel")) {
        write<<<8, 32>>>(values, 256);
        sum<<<1, 32>>>(values, more, 256);
        use_sum<<<1, 32>>>(more);
        read = 128;
        values = more;
    }
    if (is("sum_handed_to_the_next_kernel")) {
        write<<<8, 32>>>(values, 200);
        sum<<<1, 32>>>(values, more, 256);
        use_sum<<<1, 32>>>(more);
    }
    if (is("values_to_the_host")) {
        sum<<<1, 32>>>(values, more, 256);
        read = 128;
        values = more;
    }
    if (is("tail_never_written")) {
        write<<<7, 32>>>(values, 256);  // one block too few
        read = kBytes;
    }
    if (is("padding_to_the_host")) {
        fill_padded<<<1, 64>>>(reinterpret_cast<Padded*>(values));
        read = 64 * sizeof(Padded);
    }
    if (is("pitched_rows")) {
        char* image = nullptr;
        size_t pitch = 0;
        cudaMallocPitch(&image, &pitch, 100, 8);
        rows<<<8, 32>>>(image, pitch, 100);
        static char on_host[800];
        cudaMemcpy2D(on_host, 100, image, pitch, 100, 8, cudaMemcpyDeviceToHost);
        cudaFree(image);
    }
    if (is("managed")) {
        int* shared = nullptr;
        cudaMallocManaged(&shared, kBytes);
        memset(shared, 0, kBytes);
        use<<<8, 32>>>(shared, 256);
        cudaDeviceSynchronize();
        cudaFree(shared);
    }
    if (is("pinned")) {
        int* pinned = nullptr;
        cudaMallocHost(&pinned, kBytes);
        memset(pinned, 0, kBytes);
        use<<<8, 32>>>(pinned, 256);
        cudaDeviceSynchronize();
        cudaFreeHost(pinned);
    }
    if (is("freed_and_made_again")) {
        write<<<8, 32>>>(values, 256);
        cudaFree(values);
        cudaMalloc(&values, kBytes);
        use<<<8, 32>>>(values, 256);
    }
    if (is("heap_written")) heap<true><<<1, 32>>>();
    if (is("heap_not_written")) heap<false><<<1, 32>>>();
    if (is("across_blocks")) {
        write<<<256, 1>>>(values, 256);
        use<<<8, 32>>>(values, 256);
    }
    if (is("host_sees_nothing_of_it")) read = 32;
    if (read != 0) cudaMemcpy(host, values, read, cudaMemcpyDeviceToHost);  // @COPY_OUT
    cudaDeviceSynchronize();
    printf("%d\n", host[0]);
}
