// Hazards that wait: right with these sizes, and wrong with others. All are notes, which -q leaves out.
//
// check: memory,barriers
// notes
// case copy_of_whole_blocks: divergent-barrier BARRIER mild
// case copy_of_whole_blocks_returns: divergent-barrier RETURNED mild
// case copy_checked: clean
// case barrier_for_all: clean
// case barrier_by_block: clean
// case barrier_by_flag: clean
// case barrier_after_flag: clean
// case switch_of_all_cases: clean
// case barrier_after_assertion: clean
// case fits_exactly: out-of-bounds global EXACT mild
// case fits_and_checks: clean
// case fits_and_takes: clean
// case fits_with_room: clean
// case chunks_of_32_bits: out-of-bounds global NARROW mild
// case chunks_of_64_bits: clean
// case chunks_that_fit: clean
// case rows_that_fit: clean
#include <cstdio>
#include <cstring>

constexpr int kThreads = 64;

// The barrier is in the condition: right while n is a multiple of the block.
__global__ void copy_by_shared(const int* in, int* out, int n) {
    __shared__ int staged[kThreads];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        staged[threadIdx.x] = in[i];
        __syncthreads();  // @BARRIER
        out[i] = staged[kThreads - 1 - threadIdx.x];
    }
}
__global__ void copy_and_return(const int* in, int* out, int n) {
    __shared__ int staged[kThreads];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    staged[threadIdx.x] = in[i];
    __syncthreads();  // @RETURNED
    out[i] = staged[kThreads - 1 - threadIdx.x];
}
__global__ void copy_rightly(const int* in, int* out, int n) {
    __shared__ int staged[kThreads];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    staged[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    if (i < n) out[i] = staged[kThreads - 1 - threadIdx.x];
}
// All threads of a block go the same way, whatever the sizes.
__global__ void by_block(int* out, int blocks, int n) {
    __shared__ int staged[kThreads];
    if (blockIdx.x < blocks) {
        staged[threadIdx.x] = threadIdx.x;
        __syncthreads();
        const int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) out[i] = staged[kThreads - 1 - threadIdx.x];
    }
}
// Whether threads leave is the same for all, as this launch says that none does.
__global__ void by_flag(int* out, bool leave, int n) {
    __shared__ int staged[kThreads];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (leave && i >= n) return;
    staged[threadIdx.x] = i;
    __syncthreads();
    if (i < n) out[i] = staged[kThreads - 1 - threadIdx.x];
}
__global__ void after_flag(int* out, bool leave, int n) {
    __shared__ int staged[kThreads];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (leave) {
        atomicAdd(out, 1);
        if (i >= n) return;
    }
    staged[threadIdx.x] = i;
    __syncthreads();
    if (i < n) out[i] = staged[kThreads - 1 - threadIdx.x];
}

__global__ void fill(int* out, int n) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = n;  // @EXACT
}
__global__ void fill_checked(int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = n;
}

// The check is part of what else is asked, and that of the whole warp.
__global__ void fill_taken(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool take = i < n && in[i] == 0;
    const unsigned who = __ballot_sync(~0u, take);
    if (take) out[i] = in[i] + __popc(who);
}

// Each block has a chunk, whose first element its first thread writes.
__global__ void chunks(char* out, int chunk) {
    const int begin = blockIdx.x * chunk;                // @NARROW
    if (threadIdx.x == 0 && begin >= 0) out[begin] = 1;  // @NARROW
}
__global__ void chunks_wide(char* out, long long chunk) {
    if (threadIdx.x == 0) out[blockIdx.x * chunk] = 1;
}

// Rows are checked, and the last of them ends below 2^31 bytes.
__global__ void rows(char* out, int width, int height) {
    const int row = blockIdx.x;
    if (row < height && threadIdx.x == 0) out[row * width] = 1;
}

// Every thread has a case, so none misses the barrier; the compiler ends the ways that no thread goes.
__global__ void switch_of_all_cases(const int* in, int* out) {
    __shared__ int staged[kThreads];
    const int i = threadIdx.x;
    int value = in[i];
    switch (i % 5u) {
        case 0:
            value *= 3;
            out[100] = value;
            break;
        case 1: value += in[i + 1]; break;
        case 2: value = value / 7 + in[value & 31]; break;
        case 3: value ^= in[3]; break;
        case 4: value = -value;
    }
    staged[i] = value;
    __syncthreads();
    out[i] = staged[kThreads - 1 - i];
}
__global__ void barrier_after_assertion(int* out) {
    __shared__ int staged[kThreads];
    if (threadIdx.x >= kThreads) __trap();
    staged[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = staged[kThreads - 1 - threadIdx.x];
}

int main(int argc, char** argv) {
    const char* name = argc > 1 ? argv[1] : "";
    const auto is = [&](const char* other) { return std::strcmp(name, other) == 0; };
    constexpr int kWhole = 4 * kThreads, kRagged = kWhole - 7;
    int *in = nullptr, *out = nullptr;
    cudaMalloc(&in, kWhole * sizeof(int));
    cudaMemset(in, 0, kWhole * sizeof(int));
    cudaMalloc(&out, (is("fits_with_room") ? 2 : 1) * kWhole * sizeof(int));
    if (is("copy_of_whole_blocks"))
        copy_by_shared<<<4, kThreads>>>(in, out, kWhole);
    else if (is("copy_of_whole_blocks_returns"))
        copy_and_return<<<4, kThreads>>>(in, out, kWhole);
    else if (is("switch_of_all_cases"))
        switch_of_all_cases<<<1, kThreads>>>(in, out);
    else if (is("barrier_after_assertion"))
        barrier_after_assertion<<<1, kThreads>>>(out);
    else if (is("copy_checked"))
        copy_rightly<<<4, kThreads>>>(in, out, kWhole);
    else if (is("barrier_for_all"))
        copy_rightly<<<4, kThreads>>>(in, out, kRagged);
    else if (is("barrier_by_block"))
        by_block<<<4, kThreads>>>(out, 3, kWhole);
    else if (is("barrier_by_flag"))
        by_flag<<<4, kThreads>>>(out, false, kWhole);
    else if (is("barrier_after_flag"))
        after_flag<<<4, kThreads>>>(out, false, kWhole);
    else if (is("fits_exactly") || is("fits_with_room"))
        fill<<<4, kThreads>>>(out, kWhole);
    else if (is("fits_and_takes"))
        fill_taken<<<4, kThreads>>>(in, out, kWhole);
    else if (is("fits_and_checks"))
        fill_checked<<<4, kThreads>>>(out, kWhole);
    else if (is("chunks_of_32_bits") || is("chunks_of_64_bits") || is("chunks_that_fit")) {
        constexpr int kChunk = 1 << 20, kMany = 2049, kFew = 8;  // 2049 chunks of a mebibyte: 2^31 bytes and more
        char* bytes = nullptr;
        cudaMalloc(&bytes, (is("chunks_that_fit") ? std::size_t{kFew} : std::size_t{kMany}) * kChunk);
        if (is("chunks_of_64_bits"))
            chunks_wide<<<kMany, 32>>>(bytes, kChunk);
        else if (is("chunks_that_fit"))
            chunks<<<kFew, 32>>>(bytes, kChunk);
        else
            chunks<<<kMany, 32>>>(bytes, kChunk);
        cudaFree(bytes);
    } else if (is("rows_that_fit")) {
        constexpr int kSide = 46340;  // its square is below 2^31, and the grid has some rows more
        char* bytes = nullptr;
        cudaMalloc(&bytes, std::size_t{kSide} * kSide);
        rows<<<kSide + 44, 32>>>(bytes, kSide, kSide);
        cudaFree(bytes);
    } else {
        std::printf("usage: waiting_sizes CASE\n");
        return 1;
    }
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
