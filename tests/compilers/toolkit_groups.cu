// Groups of a size that is known when the program runs: the library holds barriers of clusters in branches that a
// launch without them never takes.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void groups(int* out) {
    const auto block = cg::this_thread_block();
    const cg::thread_group group = cg::tiled_partition(cg::tiled_partition(block, 32), 16);
    group.sync();
    out[threadIdx.x] = static_cast<int>(group.size());
}

int main() {
    int *out, host[64];
    cudaMalloc(&out, sizeof host);
    groups<<<1, 64>>>(out);
    const bool ran = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess;
    bool right = ran;
    for (const int size : host) right = right && size == 16;
    printf("%s groups of 16\n", right ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
