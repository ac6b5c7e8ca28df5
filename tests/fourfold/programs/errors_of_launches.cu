// Launches that cannot be, and calls with wrong arguments: each an error, and the program goes on.
#include "fourfold.cuh"

__global__ void nothing(int* at) { *at = static_cast<int>(blockDim.x); }

int main() {
    const Buffer<int> out(1);
    std::vector<int> wrong;
    nothing<<<1, 2048>>>(out);
    wrong.push_back(cudaPeekAtLastError() != cudaSuccess);
    std::printf("%d\n", static_cast<int>(cudaGetLastError()));
    nothing<<<0, 32>>>(out);
    std::printf("%d\n", static_cast<int>(cudaGetLastError()));
    nothing<<<1, 32, 1 << 20>>>(out);
    std::printf("%d\n", static_cast<int>(cudaGetLastError()));
    nothing<<<dim3(1, 70000), 32>>>(out);
    std::printf("%d\n", static_cast<int>(cudaGetLastError()));
    wrong.push_back(cudaGetLastError() != cudaSuccess);
    void* never = nullptr;
    std::printf("%d\n", static_cast<int>(cudaMalloc(&never, std::size_t(1) << 50)));
    std::printf("%d\n", static_cast<int>(cudaGetLastError()));
    nothing<<<1, 96>>>(out);
    return same("it goes on", out.host(), {96}) + same("errors", wrong, {1, 0});
}
