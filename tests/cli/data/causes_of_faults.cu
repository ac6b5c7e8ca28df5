// Faults whose cause is elsewhere: a full heap of the device, a 32-bit index that wrapped, a parameter by reference.
#include <cstring>

struct Pair {
    int first, second;
};

__global__ void allocates(int** out) {
    int* const own = static_cast<int*>(malloc(100'000));
    own[0] = 1;
    out[threadIdx.x] = own;
}

__global__ void scales_to_bytes(char* data, int rows) { data[rows * (1 << 30)] = 1; }

__global__ void scales_to_elements(double* data, int rows) { data[rows * (1 << 30)] = 1; }

__global__ void takes_reference(const Pair& pair, int* out) { *out = pair.second; }

__global__ void takes_pointer(const Pair* pair, int* out) { *out = pair->second; }

int main(int, char** arguments) {
    const char* const cause = arguments[1];
    Pair pair{1, 2};
    void* data = nullptr;
    if (!std::strcmp(cause, "heap")) {
        cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20);
        cudaMalloc(&data, 64 * sizeof(int*));
        allocates<<<1, 64>>>(static_cast<int**>(data));
    } else if (!std::strcmp(cause, "bytes")) {
        cudaMalloc(&data, std::size_t{3} << 30);
        scales_to_bytes<<<1, 1>>>(static_cast<char*>(data), 2);
    } else if (!std::strcmp(cause, "elements")) {
        cudaMalloc(&data, std::size_t{17} << 30);
        scales_to_elements<<<1, 1>>>(static_cast<double*>(data), 2);
    } else if (!std::strcmp(cause, "slip")) {  // 2^32 bytes farther up is another array
        void *padding = nullptr, *large = nullptr;
        cudaMalloc(&data, 400);
        cudaMalloc(&padding, std::size_t{1} << 30);
        cudaMalloc(&large, std::size_t{5} << 30);
        takes_pointer<<<1, 1>>>(static_cast<Pair*>(large), static_cast<int*>(data) + 100);
    } else if (!std::strcmp(cause, "reference")) {
        cudaMalloc(&data, sizeof(int));
        takes_reference<<<1, 1>>>(pair, static_cast<int*>(data));
    } else {
        cudaMalloc(&data, sizeof(int));
        takes_pointer<<<1, 1>>>(&pair, static_cast<int*>(data));
    }
    return cudaDeviceSynchronize() == cudaSuccess ? 1 : 0;
}
