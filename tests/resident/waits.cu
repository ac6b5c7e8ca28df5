// Blocks that wait for each other without a cooperative launch: all of them fit on the device.
// Nothing is freed, which --check memory rightly tells.
#include <cstdio>
#include <vector>

// ---- a producer and a consumer --------------------------------------------------------------------------------------
// Block 0 consumes what block 1 produces, and so waits for a later block.
__global__ void hand_over(int* slots, volatile int* filled, int rounds, int* out) {
    for (int round = 0; round < rounds; ++round) {
        if (blockIdx.x == 1) {
            while (filled[0] != round) {  // until the one before was taken
            }
            slots[threadIdx.x] = round * 1000 + static_cast<int>(threadIdx.x);
            __threadfence();
            __syncthreads();
            if (threadIdx.x == 0) filled[1] = round + 1;
        } else {
            if (threadIdx.x == 0)
                while (filled[1] != round + 1) {
                }
            __syncthreads();
            __threadfence();
            out[threadIdx.x] += slots[threadIdx.x];
            __syncthreads();
            if (threadIdx.x == 0) filled[0] = round + 1;
        }
    }
}

// ---- a barrier of the grid by atomics -------------------------------------------------------------------------------
__device__ unsigned arrived;
__device__ volatile unsigned passed;

__device__ void meet(unsigned which) {
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        if (atomicAdd(&arrived, 1u) == gridDim.x * (which + 1) - 1) {
            __threadfence();  // what the others released at `arrived` is handed on at `passed`
            passed = which + 1;
        }
        while (passed <= which) {
        }
        __threadfence();
    }
    __syncthreads();
}

// Each block passes on what its neighbour had a step before.
__global__ void rotate(int* values, int steps) {
    for (int step = 0; step < steps; ++step) {
        const unsigned from = (blockIdx.x + 1) % gridDim.x;
        const int value = values[from * blockDim.x + threadIdx.x];
        meet(2 * step);
        values[blockIdx.x * blockDim.x + threadIdx.x] = value;
        meet(2 * step + 1);
    }
}

// ---- a scan that looks back -----------------------------------------------------------------------------------------
// Each block adds what all blocks before it have: it waits for the one before.
__global__ void scan(const int* in, int* out, volatile int* total, volatile int* is_there) {
    __shared__ int values[128];
    __shared__ int before;
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    values[threadIdx.x] = in[i];
    __syncthreads();
    for (unsigned step = 1; step < blockDim.x; step *= 2) {
        const int other = threadIdx.x >= step ? values[threadIdx.x - step] : 0;
        __syncthreads();
        values[threadIdx.x] += other;
        __syncthreads();
    }
    if (threadIdx.x == blockDim.x - 1) {
        int sum = 0;
        if (blockIdx.x > 0) {
            while (is_there[blockIdx.x - 1] == 0) {
            }
            __threadfence();
            sum = total[blockIdx.x - 1];
        }
        total[blockIdx.x] = sum + values[threadIdx.x];
        __threadfence();
        is_there[blockIdx.x] = 1;
        before = sum;
    }
    __syncthreads();
    out[i] = before + values[threadIdx.x];
}

// ---- a ticket lock --------------------------------------------------------------------------------------------------
__global__ void in_turn(unsigned* next, volatile unsigned* serving, int* count) {
    if (threadIdx.x != 0) return;
    for (int round = 0; round < 3; ++round) {
        const unsigned mine = atomicAdd(next, 1u);
        while (*serving != mine) {
        }
        __threadfence();
        *count = *count + 1;  // no atomic: nobody else is in here
        __threadfence();
        *serving = mine + 1;
    }
}

// ---- the last block first -------------------------------------------------------------------------------------------
__global__ void backwards(int* order, int* next, int* done) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x + 1 < gridDim.x)
        while (atomicCAS(&done[blockIdx.x + 1], 1, 2) != 1) {
        }
    order[atomicAdd(next, 1)] = static_cast<int>(blockIdx.x);
    __threadfence();
    atomicExch(&done[blockIdx.x], 1);
}

template <class T>
T* zeros(std::size_t n) {
    T* buffer;
    cudaMalloc(&buffer, n * sizeof(T));
    cudaMemset(buffer, 0, n * sizeof(T));
    return buffer;
}

template <class T>
std::vector<T> host(const T* buffer, std::size_t n) {
    std::vector<T> values(n);
    cudaMemcpy(values.data(), buffer, n * sizeof(T), cudaMemcpyDeviceToHost);
    return values;
}

int failed = 0;
void check(const char* what, bool right) {
    const cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s: %s\n", what, error != cudaSuccess ? cudaGetErrorString(error) : right ? "right" : "wrong");
    failed += error != cudaSuccess || !right;
}

int main() {
    int* sums = zeros<int>(64);
    hand_over<<<2, 64>>>(zeros<int>(64), zeros<int>(2), 20, sums);
    bool right = true;
    const std::vector<int> of_threads = host(sums, 64);
    for (int i = 0; i < 64; ++i) right = right && of_threads[i] == 190000 + 20 * i;
    check("hand_over", right);

    const int blocks = 300;
    std::vector<int> values(blocks * 32);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i);
    int* turning = zeros<int>(values.size());
    cudaMemcpy(turning, values.data(), values.size() * sizeof(int), cudaMemcpyHostToDevice);
    rotate<<<blocks, 32>>>(turning, 5);
    right = true;
    const std::vector<int> turned = host(turning, values.size());
    for (std::size_t i = 0; i < values.size(); ++i) right = right && turned[i] == values[(i + 5 * 32) % values.size()];
    check("rotate", right);

    // More blocks than fit at once: each waits for an earlier one only.
    const int many = 3000;
    std::vector<int> ones(many * 128, 1);
    int* in = zeros<int>(ones.size());
    int* out = zeros<int>(ones.size());
    cudaMemcpy(in, ones.data(), ones.size() * sizeof(int), cudaMemcpyHostToDevice);
    scan<<<many, 128>>>(in, out, zeros<int>(many), zeros<int>(many));
    right = true;
    const std::vector<int> scanned = host(out, ones.size());
    for (std::size_t i = 0; i < ones.size(); ++i) right = right && scanned[i] == static_cast<int>(i) + 1;
    check("scan", right);

    int* count = zeros<int>(1);
    in_turn<<<100, 32>>>(zeros<unsigned>(1), zeros<unsigned>(1), count);
    check("in_turn", host(count, 1)[0] == 300);

    int* order = zeros<int>(200);
    backwards<<<200, 32>>>(order, zeros<int>(1), zeros<int>(200));
    right = true;
    const std::vector<int> ran = host(order, 200);
    for (int i = 0; i < 200; ++i) right = right && ran[i] == 199 - i;
    check("backwards", right);
    std::printf(failed == 0 ? "PASS\n" : "FAIL\n");
    return failed;
}
